/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports a recording (ftwait/exporter.h) while it is read, and selects what the question asks for:
 * the waits that --waits would list, the spans of all tasks in the window, and the events and
 * intervals until the end of the window. Marks as ends of the window are ignored: their times are
 * known too late.
 */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/exporter.h"
#include "pipeline.h"

/* The parts of a question that an export heeds; enum heeded. */
#define EXPORT_HEEDS ((unsigned)(HEEDS_TASKS | HEEDS_KINDS | HEEDS_MIN | HEEDS_STACKS))

struct export_run {
	/* set by the caller; NULL: nothing is exported, and the functions below do nothing */
	const struct exporter *exporter;
	FILE *to;
	bool has_path; /* the critical path is exported, too, so the history is kept */
	/* its own */
	struct question *question; /* absolute */
	void *state; /* the exporter's */
	bool has_window; /* the window is known and was passed to the exporter: true from the
	                    first event on */
	nsec_t begin, end; /* the window; end NSEC_NEVER: until the trace ends */
};

void export_run_begin(struct export_run *run, const struct source *source,
                      struct question *question, struct pipeline *pipeline);
/* Adds the sink of spans, if there is an export; returns the number of added sinks. */
size_t export_run_add_spans(struct export_run *run, struct span_sink *sink);
size_t export_run_add_intervals(struct export_run *run, struct interval_sink *sink);
/* Call when the trace has ended and the question is resolved. */
void export_run_end(struct export_run *run);
