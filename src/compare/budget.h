/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A budget: rules that recordings have to keep, one a line. "#" begins a comment; a name with
 * blanks, "#", "<", "=" or ">", or one that is a word of the rule, stands in double quotes.
 *
 *	path svc < 200ms                  how long the task took
 *	count disk of worker-* < 100      waits for a cause
 *	time lock of svc <= 5ms           their sum; also of waits for a lock that something else
 *	                                  ended
 *	share run queue of svc < 20%      its part of the tasks' time
 *	longest wait of ui-* < 16ms       any wait that held the task up
 *	delay p99 of rt-* < 1ms           time in a run queue
 *	hung = 0                          tasks that hang
 *	tail lock of server < 0.1%        its part of the requests that took far longer, most of
 *	                                  which went to that
 *
 *	rule      = measure [statistic] [what] ["of" tasks] comparison limit
 *	measure   = "path" | "count" | "time" | "share" | "wait" | "delay" | "hung" |
 *	            "tail" | "longest" ["wait" | "delay"], which is their statistic "max"
 *	statistic = "median" | "p99" | "max"
 *	what      = kind of cost, or ["object"] behind a kind of cause or of aim: words of the
 *	            view --costs that a task's own time has; not of path, delay and hung; count,
 *	            time and share have one; of tail without one, all that took far longer count.
 *	            The object is a glob.
 *	tasks     = glob of names. Of path it may stand without "of".
 *	limit     = number, or number and unit, between which a blank may stand
 *
 * The statistic of path, count, time, share and tail is over runs (by default the median); that of
 * wait and delay over all waits and delays of all runs (by default the longest).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "ftwait/cause.h"

#define BUDGET_BYTES_MAX (1u << 20)
#define BUDGET_RULES_MAX 1000

enum rule_measure {
	MEASURE_PATH,
	MEASURE_COUNT,
	MEASURE_TIME,
	MEASURE_SHARE,
	MEASURE_WAIT,
	MEASURE_DELAY,
	MEASURE_HUNG,
	MEASURE_TAIL,
};

enum statistic {
	STATISTIC_MEDIAN,
	STATISTIC_P99,
	STATISTIC_MAX,
};

enum comparison {
	COMPARE_LESS,
	COMPARE_AT_MOST,
	COMPARE_EQUAL,
	COMPARE_AT_LEAST,
	COMPARE_MORE,
};

/* What values and limits of a rule are. */
enum rule_unit {
	UNIT_TIME,   /* ns */
	UNIT_NUMBER,
	UNIT_SHARE,  /* part of 1 */
};

/* Texts are owned. */
struct rule {
	unsigned line;   /* in the file, from 1 */
	char *text;      /* as in the file, without comment; one blank between words */
	enum rule_measure measure;
	enum statistic statistic;
	uint32_t kinds;  /* mask by enum cost_kind: what counts */
	int cause;       /* enum cause_kind: of waits only those; -1: all, or those of the aim */
	enum aim_kind aim; /* also waits that were for it, whatever ended them, or none has yet;
	                      AIM_NONE: only those of the cause */
	char *object;    /* glob of what was waited for; NULL: anything */
	char *tasks;     /* glob of names; NULL: all tasks; of path the recorded command */
	enum comparison comparison;
	double limit;
};

struct budget {
	struct rule *rule;
	size_t count, capacity;
};

/*
 * Reads all rules; `text` need not end with NUL, and may contain anything. Returns 0, or -EINVAL
 * at the first wrong line, after appending a phrase to `why`: "line 3: ...", with printable UTF-8.
 * A budget without rules is wrong, too. Release it in any case.
 */
int budget_parse(struct budget *ret, const char *text, size_t size, struct buffer *why);
void budget_release(struct budget *budget);
/* Whether any rule is about what the measure says. */
bool budget_measures(const struct budget *budget, enum rule_measure measure);
enum rule_unit rule_unit(const struct rule *rule);
/* Whether the value keeps the rule. */
bool rule_is_kept(const struct rule *rule, double value);
