/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report: the views that are asked of one source. It reads the source once, and then shows the
 * views any number of times, each time the same and through any presenter: showing changes
 * nothing.
 *
 * Order of calls: report_run_init(); the caller names the views with report_run_ask();
 * report_run_read() once; then report_run_has_answers() and report_run_show() any number of times;
 * report_run_release(). The source and what is asked are borrowed for all of that.
 *
 * The engine knows presenters only by their interface (ftwait/report.h): it does not choose one,
 * so it needs nothing of present/.
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
	struct resolved resolved; /* the question's, once the source has been read */
	bool no_submitters; /* walks do not continue to the submitters of requests */
	enum through_polls through_polls;
	uint64_t threads; /* 1: no second thread; 2 or more: one that reads ahead; 0: if it is
	                     worth it */
	/* Gets how causes come about (--debug-causes), line by line, each with its newline;
	   borrowed; NULL: nobody asks. */
	void (*put_cause_step)(const char *line);
	size_t history_bytes; /* for views that need only a part of it; 0: according to this
	                         machine's memory */
	struct user_frames *users; /* names functions of programs; owned; NULL: they are not
	                              named */
	/* Called regularly while the source is read; see struct pipeline. NULL: none. */
	bool (*on_progress)(void *state, uint64_t events);
	/* Called before a step after that that may take long: an option that asks for it. NULL:
	   none. */
	void (*on_phase)(void *state, const char *what);
	void *progress_state; /* of both */

	struct export_run exporting; /* the exporter and its output, if the recording is
	                                exported */

	/* For callers to read, from report_run_read() on. */
	struct timeline timeline;
	struct health health; /* of the reading; each showing adds to a copy */

	struct {
		const struct analysis *analysis;
		void *own; /* the result of its begin(); NULL: none */
	} view[REPORT_VIEWS_MAX];
	size_t view_count;
	struct mark_window window; /* if the question asks for one by marks */
	/* From report_run_begin() on: the sinks of intervals. */
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

void report_run_init(struct report_run *run, struct source *source, const struct asked *asked);
void report_run_release(struct report_run *run);
/* Adds a view. They are shown in the order in which they were added. */
void report_run_ask(struct report_run *run, const struct analysis *analysis);
/* Whether any of the asked views heeds one of these parts; enum heeded. */
bool report_run_heeds(const struct report_run *run, unsigned what);
/* Reads all of the source. */
void report_run_read(struct report_run *run);
/*
 * The same for callers that feed a machine by other means: begin, spans to the run's timeline and
 * to the sinks, of which there are as many as it returns (at most REPORT_VIEWS_MAX), intervals to
 * the run's own, then end.
 */
size_t report_run_begin(struct report_run *run, struct span_sink *sinks);
void report_run_end(struct report_run *run);
/* Whether the asked window leaves nothing of a trace that has a length. */
bool report_run_is_beside(const struct report_run *run);
/* Whether what is asked for by name or number exists; else a phrase in `why`. */
bool report_run_has_answers(const struct report_run *run, struct buffer *why);
void report_run_show(struct report_run *run, const struct report_form *form);
