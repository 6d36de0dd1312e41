/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A judgement as a section of a report: whether the rules are kept in a sentence, what broke the
   others, the table of all. */
#pragma once

#include "doubts.h"
#include "ftwait/report.h"
#include "measurement.h"

/*
 * Whether recordings keep a budget. A recording that lost events, or of which too little is
 * explained, is not fit to judge: a rule may seem kept, or broken, for that alone.
 *
 * Order of calls: judgement_init(); judgement_take() for each recording; judgement_decide(); then
 * the results, any number of times; judgement_release().
 */

enum verdict {
	VERDICT_KEPT,
	VERDICT_BROKEN,
	VERDICT_UNFIT, /* the recordings do not show what the rule is about */
};

struct judged_rule {
	struct measurement measurement;
	enum verdict verdict;
	double value; /* in its unit; not for VERDICT_UNFIT */
};

struct judgement {
	const struct budget *budget; /* borrowed */
	struct judged_rule *rule;    /* as in the budget */
	struct intern names;
	struct diff_side runs;
	/* From judgement_decide() on: */
	size_t broken, unmeasured;   /* number of rules */
	struct doubts unfit;         /* about single runs, and of each rule that is unfit */
	struct doubts odd;           /* runs that were not made alike */
	bool is_healthy;             /* there are no doubts about single runs */
};

enum judgement_result {
	JUDGED_KEPT,
	JUDGED_BROKEN, /* at least one rule, of recordings that are fit to judge */
	JUDGED_UNFIT,
};

void judgement_init(struct judgement *judgement, const struct budget *budget);
/* Takes a run; `costs` and `tail` are the states of these views, `path` is borrowed. If no rule is
   about the tail, it may be NULL. */
void judgement_take(struct judgement *judgement, const struct question *question,
                    const void *costs, struct tail *tail, const struct source *source,
                    const struct health *health, const char *path);
void judgement_decide(struct judgement *judgement);
enum judgement_result judgement_result(const struct judgement *judgement);
void judgement_release(struct judgement *judgement);

void check_report(const struct judgement *judgement, const struct output *to);
/* "it is 118, 18 % over the limit (median of 10 runs)"; the rule must be broken. */
void broken_rule_append(struct buffer *to, const struct judged_rule *judged);
/* "svc[12] in b.dat, 4.2 ms at 1.234567: svc waited 4.1 ms (98 %) for disk vda"; appends nothing if
   no case speaks against the rule. */
void worst_case_append(struct buffer *to, const struct judged_rule *judged);
