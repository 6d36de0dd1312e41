/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exports a recording (ftwait/exporter.h) while it is read: selects what the question asks for.
 * Waits are those that --waits would list; spans are those of all tasks in the window; events and
 * intervals are those until its end. Marks are ignored: their times are known too late.
 */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/exporter.h"
#include "pipeline.h"

/* The parts of a question that an export heeds; enum heeded. */
#define EXPORT_HEEDS ((unsigned)(HEEDS_TASKS | HEEDS_KINDS | HEEDS_MIN | HEEDS_STACKS))

struct export_run {
	/* set by the caller; NULL: there is no export, and the functions below do nothing */
	const struct exporter *exporter;
	FILE *to;
	bool has_path; /* with the critical path that the question asks for: history is kept */
	/* its own */
	const struct question *question; /* absolute */
	void *state; /* the exporter's */
	bool has_window; /* from the first event on; the exporter has got it */
	nsec_t begin, end; /* the window; end NSEC_NEVER: until the trace ends */
};

void export_run_begin(struct export_run *run, const struct source *source,
                      const struct question *question, struct pipeline *pipeline);
/* Adds the sinks; returns how many: at most one. */
size_t export_run_add_spans(struct export_run *run, struct span_sink *sink);
size_t export_run_add_intervals(struct export_run *run, struct interval_sink *sink);
/* Call when the trace has ended and the question is resolved. */
void export_run_end(struct export_run *run);
