/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports of a live run (live_run.h), which continues after each report. A report is a report_run;
 * its views use the run's own timeline. There are two kinds:
 *
 * live_report_history() reports the history that the run keeps, for views that use nothing else.
 *
 * The other calls report consecutive pieces of the time; each report equals `ftwait report --from
 * --to` of its piece. Order of calls: live_report_begin(), the run's spans and intervals by
 * live_report_take_span() and live_report_take_interval(), then live_report_end() once the run has
 * reached the end of the piece; report_run_has_answers() and report_run_show() of `report`;
 * live_report_release(). The run must not renew itself between begin and release. What has not
 * ended by then is shown as in a recording that ends there; a wait that goes on counts in the next
 * piece, too, and an interval in the one in which it ends.
 */
#pragma once

#include <stdbool.h>

#include "live_run.h"
#include "report_run.h"

/* Shows the report; call after report_run_init() and report_run_ask(). */
void live_report_history(struct live_run *run, struct report_run *report,
                         const struct report_form *form);

struct live_report {
	struct live_run *run; /* borrowed */
	struct report_run report;
	struct asked asked;   /* with the piece as its window */
	struct span_sink sink[REPORT_VIEWS_MAX];
	size_t sink_count;
	nsec_t begin;         /* NSEC_NEVER: with the first record */
	/* The begin of the run's timeline, which has that of the recording while it is shown. */
	nsec_t timeline_begin;
	struct health health; /* times of tasks, cut to the piece */
	bool is_open;         /* the open states are on the timeline */
};

/* `plan` is a report_run that has not begun, and never does: the report is of the same views, with
   its options. `begin`: of the piece; NSEC_NEVER: the first record. `piece` must not be moved. */
void live_report_begin(struct live_report *piece, struct live_run *run,
                       const struct report_run *plan, nsec_t begin);
void live_report_take_span(struct live_report *piece, const struct span *span);
void live_report_take_interval(struct live_report *piece, const struct interval *interval);
/* The piece ends at live_run_last(), which is not before its begin. */
void live_report_end(struct live_report *piece);
void live_report_release(struct live_report *piece);
