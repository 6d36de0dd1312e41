/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report: the views that are asked of one source. It reads the source once, and then shows the
 * views as often as anybody wants, each time the same and through whatever presenter: showing
 * leaves everything as it was.
 *
 * Order of calls: report_run_init(); what the question asks for is set by the caller, all but its
 * timeline and health, and report_run_ask() names the views; report_run_read() once; then
 * report_run_has_answers() and report_run_show() any number of times; report_run_release().
 * The source and what the question points to are borrowed for all of that.
 *
 * Presenters are known here by the seam alone (ftwait/report.h): which one shows is not for the
 * engine to say, so that it needs nothing of present/.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "analysis/mark_window.h"
#include "base/buffer.h"
#include "export_run.h"
#include "ftwait/health.h"
#include "ftwait/report.h"
#include "ftwait/source.h"
#include "graph/timeline.h"
#include "state/core/machine.h"
#include "user_frames.h"

#define REPORT_VIEWS_MAX 32

struct report_run {
	struct source *source;
	struct question question;
	bool no_submitters; /* walks do not go on along who submitted a request */
	enum through_polls through_polls;
	uint64_t threads; /* 1: no second one; 2 or more: one that reads ahead; 0: where it pays */
	size_t history_bytes; /* for views that can do with some of it; 0: by the memory here */
	struct user_frames *users; /* who names functions of programs; owned; NULL: nobody */
	/* Called every so often while the source is read; see struct pipeline. NULL: none. */
	bool (*on_progress)(void *state, uint64_t events);
	/* Called before something that may take long once that is over: an option that asks for it.
	   NULL: none. */
	void (*on_phase)(void *state, const char *what);
	void *progress_state; /* of both */

	struct export_run exporting; /* by whom, and where to, if the recording is exported */

	/* To be read by others, from report_run_read() on. */
	struct timeline timeline;
	struct health health; /* of what was read; each showing adds to a copy */

	struct {
		const struct analysis *analysis;
		void *own; /* what its begin() made; NULL: none */
	} view[REPORT_VIEWS_MAX];
	size_t view_count;
	struct mark_window window; /* where the question asks for one by marks */
	/* From report_run_begin() on: what is to be told of intervals. */
	struct interval_sink interval_sink[REPORT_VIEWS_MAX + 2];
	size_t interval_sink_count;
};

/* Where and how a report is shown. */
struct report_form {
	FILE *out;
	const struct presenter *presenter;
	struct presenter_options options;
	const char *file; /* name of the recording */
};

/* The question is one of all tasks, times and kinds. */
void report_run_init(struct report_run *run, struct source *source);
void report_run_release(struct report_run *run);
/* One more view. They are shown in the order in which they were asked for. */
void report_run_ask(struct report_run *run, const struct analysis *analysis);
/* Whether one of the asked views heeds this, or one of these; enum heeded. */
bool report_run_heeds(const struct report_run *run, unsigned what);
/* Reads all of the source. */
void report_run_read(struct report_run *run);
/*
 * The same for who feeds a machine by other means: begin, spans to the run's timeline and to the
 * sinks, of which there are as many as it returns (at most REPORT_VIEWS_MAX), intervals to the
 * run's own, then end.
 */
size_t report_run_begin(struct report_run *run, struct span_sink *sinks);
void report_run_end(struct report_run *run);
/* Whether the asked window leaves nothing of a trace that has a length. */
bool report_run_is_beside(const struct report_run *run);
/* Whether what is asked for by name or number is there; else one phrase in `why`. */
bool report_run_has_answers(const struct report_run *run, struct buffer *why);
void report_run_show(struct report_run *run, const struct report_form *form);
