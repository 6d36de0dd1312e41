/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The export of a recording (ftwait/exporter.h) while it is read: what of it the question asks for
 * is chosen here. Waits are those that --waits would list; spans are those of the window, whosever
 * they are, and events and intervals those until its end. Marks are not heeded: where they stand is
 * known too late.
 */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/exporter.h"
#include "pipeline.h"

/* What of a question an export heeds; enum heeded. */
#define EXPORT_HEEDS ((unsigned)(HEEDS_TASKS | HEEDS_KINDS | HEEDS_MIN | HEEDS_STACKS))

struct export_run {
	/* set by who asks for an export; NULL: there is none, and nothing below does anything */
	const struct exporter *exporter;
	FILE *to;
	bool has_path; /* with the critical path that the question asks for: history is kept */
	/* its own */
	struct question *question;
	void *state; /* of the exporter */
	bool has_window; /* which it was told */
};

void export_run_begin(struct export_run *run, const struct source *source,
                      struct question *question, struct pipeline *pipeline);
/* The sinks; how many were added: one at most. */
size_t export_run_add_spans(struct export_run *run, struct span_sink *sink);
size_t export_run_add_intervals(struct export_run *run, struct interval_sink *sink);
/* The trace has ended, and the question is resolved. */
void export_run_end(struct export_run *run);
