/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to do about the largest costs, if figures prove it, with the evidence: one track for each on
 * the summary's first screen. Each kind of advice is a struct advice, in advice.c or a file
 * advice_*.c, and a row in the table of advice.c.
 */
#pragma once

#include "analysis/tables/interval_gate.h"
#include "cost_list.h"
#include "sentences/thresholds.h"
#include "summary.h"

/* What the advice may be about. */
struct advising {
	const void *state;
	const struct summary *summary;
	const struct cost_list *list;
	nsec_t reported; /* of the list: what is not apart */
};

struct advice {
	const char *view; /* the view with more details; NULL: the view that belongs to the cost */
	/* Size of the advice's own state, which begins as struct gathered and is else 0 at first.
	   0: it needs only the summary. */
	size_t state_bytes;
	unsigned sum_count; /* of its sums, */
	size_t sum_bytes;   /* each of elements of that size */
	/* Called for intervals of interval_kinds in the window, as they end; for those of locks
	   that overlap it. */
	void (*on_interval)(void *state, const struct interval *interval);
	uint32_t interval_kinds; /* INTERVAL_MASK()s */
	/* Appends one sentence; returns which part of all reported time the sentence is about. 0:
	   there is no advice, and what was appended is dropped. NULL: what is gathered is for other
	   sentences (advices_state()). */
	double (*advise)(const struct advising *of, struct buffer *to);
	void (*end)(void *state); /* releases what else the state has; NULL: nothing */
};

struct gathered {
	const struct question *question;
	struct keyed_sums sums[]; /* KEYED_SUMS_HEAVY */
};

extern const struct advice limit_advice, cpu_advice, disk_advice, net_advice, lock_advice,
	spin_advice, timer_advice, network_use;

/* Of the state of disk_advice: appends the name of the machine's disk that was busy longest, and
   returns for which part of the time; 0: none was. */
double disk_uses_busiest(const void *state, uint32_t machine, struct buffer *to);

#define ADVICE_COUNT 12
#define ADVICE_INTERVALS                                                                      \
	(INTERVAL_MASK(INTERVAL_DISK) | INTERVAL_MASK(INTERVAL_CONNECTION) |                  \
	 INTERVAL_MASK(INTERVAL_DROP) | INTERVAL_MASK(INTERVAL_LOCK) |                          \
	 INTERVAL_MASK(INTERVAL_TENURE) | INTERVAL_MASK(INTERVAL_EXPIRY) |                      \
	 INTERVAL_MASK(INTERVAL_TRAFFIC))

/* The states of all kinds of advice. */
struct advices {
	struct interval_gate gate;
	void *state[ADVICE_COUNT];
};

void advices_init(struct advices *advices, const struct question *question);
void advices_release(struct advices *advices);
void advices_add_interval(struct advices *advices, const struct interval *interval);
/* Adds a wait: from some waits intervals of locks are made. */
void advices_add_wait(struct advices *advices, const struct span *span);
/* Call once the question is resolved. */
void advices_resolve(struct advices *advices);
/* The state of that advice. */
const void *advices_state(const struct advices *advices, const struct advice *advice);
/* Prints what to do about the largest costs, if that is certain, and the views with more
   details. */
void advices_print(const struct summary *summary, const struct cost_list *list,
                   const struct output *to);
