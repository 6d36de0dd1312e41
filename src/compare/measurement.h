/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a rule measures in recordings: taken run by run, so that each recording can be closed before
 * the next is read. What counts is each task's own time (own_time_visit()) within the window,
 * of the asked tasks that the rule names.
 */
#pragma once

#include "analysis/analysis.h"
#include "budget.h"
#include "views/tail/tail.h"

/* The case that speaks most against the rule: the longest wait, path or delay of the run with the
   largest value, or with the least, if the limit is one from below. Texts are owned, printable
   UTF-8; NULL: there is none. */
struct worst_case {
	const char *path;  /* of the recording; borrowed; NULL: there is no case */
	double value;      /* of that run */
	char *task;        /* "svc[12]"; NULL: that run has no such time */
	nsec_t at, length; /* length 0: it has no time */
	char *chain;       /* "4.200 ms (98 %) svc -> jbd2 -> disk vda" */
	char *command;     /* that shows it */
};

struct measurement {
	const struct rule *rule;
	double *value;  /* one a run; of wait and delay those of all runs: exact, as a limit is */
	size_t count, capacity;
	char *partly;   /* why a run may not show all of it, a phrase; NULL: none */
	char *lack;     /* why a run cannot be measured, a phrase: "a.dat has no task svc"; NULL:
	                   all can be */
	struct worst_case worst;
};

void measurement_init(struct measurement *measurement, const struct rule *rule);
/* The question must be resolved, with the complete history; `tail`: of the run's requests, for a
   rule of MEASURE_TAIL, and then it is about those of its tasks. `path` is borrowed for as long as
   the measurement. */
void measurement_take(struct measurement *measurement, const struct question *question,
                      struct tail *tail, const char *path);
/* The value, from all runs so far. Returns false, and appends a phrase to `why`, if they do not
   show it: no such task, no such events. */
bool measurement_value(const struct measurement *measurement, double *ret, struct buffer *why);
void measurement_release(struct measurement *measurement);
