/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report: the asked views of one recording. It reads the source once, and then shows the views
 * any number of times, through any presenter. Each showing is the same, as showing changes
 * nothing.
 *
 * Order of calls: report_run_init(); the caller names the views with report_run_ask();
 * report_run_read() once; then report_run_has_answers() and report_run_show() any number of times;
 * report_run_release(). What is loaded and what is asked are borrowed for all of
 * that.
 *
 * The engine knows presenters only by their interface (ftwait/report.h): it does not choose one, so
 * it needs nothing of present/.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "asked_window.h"
#include "base/text/buffer.h"
#include "export_run.h"
#include "ftwait/health.h"
#include "ftwait/report.h"
#include "graph/timeline/timeline.h"
#include "loaded.h"
#include "state/core/machine.h"

#define REPORT_VIEWS_MAX 32

struct report_run {
	struct loaded *loaded; /* borrowed */
	struct question question;
	struct resolved resolved; /* the question's, once the source has been read */
	bool no_submitters; /* walks do not continue to the submitters of requests */
	enum through_polls through_polls;
	/* Takes the steps in which causes come about (--debug-causes), one track a call, with its
	   newline; borrowed. NULL: not asked for. */
	void (*put_cause_step)(const char *line);
	/* Called regularly while the source is read; see struct pipeline. NULL: none. */
	bool (*on_progress)(void *state, uint64_t events);
	/* Called before each later step that may take long, with the option that asks for it. NULL:
	   not called. */
	void (*on_phase)(void *state, const char *what);
	void *progress_state; /* of both */

	struct export_run exporting; /* with the exporter and its output, if the recording is
	                                exported */

	/* For callers to read, from report_run_read() on. */
	struct timeline timeline;
	struct report_period period; /* not given: the report is of the whole source */
	struct health health; /* health of the reading; each showing adds to a copy of it */

	struct {
		const struct analysis *analysis;
		void *own; /* the result of its begin(); NULL: it has no begin() */
	} view[REPORT_VIEWS_MAX];
	size_t view_count;
	struct mark_window window; /* used if the question asks for a window between marks */
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

void report_run_init(struct report_run *run, struct loaded *loaded,
                     const struct asked *asked);
void report_run_release(struct report_run *run);
/* Adds a view. They are shown in the order in which they were added. */
void report_run_ask(struct report_run *run, const struct analysis *analysis);
/* Whether any of the asked views heeds one of these parts, a mask of enum heeded. */
bool report_run_heeds(const struct report_run *run, unsigned what);
/* Whether any asked view uses the history. */
bool report_run_likes_history(const struct report_run *run);
/* Reads all of the source. */
void report_run_read(struct report_run *run);
/* Reads all of the source into the timeline, without any limit, the sinks and the run's own sinks
   of intervals; for a run without views, which ends with that (kept_run.h). */
void report_run_feed(struct report_run *run, const struct span_sink *sinks, size_t sink_count);
/* INTERVAL_MASK()s of what objects did that it needs; 0: it needs only tasks. */
uint32_t report_run_interval_kinds(const struct report_run *run);
/* Whether a run that keeps all of its history, of that size, says what this one would. */
bool report_run_fits_kept(const struct report_run *run, size_t bytes);
/*
 * Instead of report_run_read(), for callers that feed a machine themselves: call
 * report_run_begin(); pass spans to the run's timeline and to the filled-in sinks, whose number it
 * returns (at most REPORT_VIEWS_MAX), and intervals to the run's own sinks; then call
 * report_run_end(). A timeline that others keep is lent by report_run_borrow() before that, until
 * report_run_release(): its owner decides on its history.
 */
void report_run_borrow(struct report_run *run, struct timeline *timeline);
size_t report_run_begin(struct report_run *run, struct span_sink *sinks);
void report_run_end(struct report_run *run);
/* Whether the asked window lies beside the trace: nothing is left, although the trace has a
   length. */
bool report_run_is_beside(const struct report_run *run);
/* Whether the tasks and waits that are asked for by name or number exist; if not, appends a phrase
   to `why`. */
bool report_run_has_answers(const struct report_run *run, struct buffer *why);
/* The state of the view of that number; of a view without one, that is the question. */
const void *report_run_state(const struct report_run *run, size_t view);
void report_run_show(struct report_run *run, const struct report_form *form);
