/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to do about the largest costs, where arithmetic proves it, with the evidence: a line each on
 * the summary's first screen. Each kind is a struct advice in a file advice_*.c, and a row in the
 * table of advice.c.
 */
#pragma once

#include "analysis/interval_gate.h"
#include "cost_list.h"

struct summary;

#define ADVICE_LEAST 0.1 /* of what is told: what is worth advice; */
#define ADVICE_TIME  0.05 /* and of all time of the one task, its sleeps too */

struct advice {
	const char *view; /* where to look closer; NULL: as the costs themselves say */
	/* What it gathers; NULL where it needs no more than the summary has. */
	void *(*begin)(const struct question *question);
	/* Of interval_kinds, those of the window, as they end. */
	void (*on_interval)(void *state, const struct interval *interval);
	uint32_t interval_kinds; /* INTERVAL_MASK()s */
	/* Adds one sentence; returns what it is about, as a part of all that is told. 0: nothing is
	   to be said, and nothing was added. */
	double (*tell)(const void *state, const struct summary *summary,
	               const struct cost_list *list, struct buffer *to);
	void (*end)(void *state);
};

extern const struct advice limit_advice, cpu_advice, disk_advice, net_advice, lock_advice,
	stall_advice, memory_advice;

#define ADVICE_COUNT 7
#define ADVICE_SHOWN 2
#define ADVICE_INTERVALS                                                                      \
	(INTERVAL_MASK(INTERVAL_DISK) | INTERVAL_MASK(INTERVAL_CONNECTION) |                  \
	 INTERVAL_MASK(INTERVAL_DROP) | INTERVAL_MASK(INTERVAL_LOCK) |                          \
	 INTERVAL_MASK(INTERVAL_TENURE))

/* What all kinds of advice gather. */
struct advices {
	struct interval_gate gate;
	void *state[ADVICE_COUNT];
};

void advices_init(struct advices *advices, const struct question *question);
void advices_release(struct advices *advices);
void advices_add_interval(struct advices *advices, const struct interval *interval);
/* A wait: some stand for intervals of locks. */
void advices_add_wait(struct advices *advices, const struct span *span);
/* The question is resolved. */
void advices_resolve(struct advices *advices);
/* Puts what there is, what is about most first; returns the views that tell more of it, in
   ret_views, which has room for ADVICE_SHOWN. */
size_t advices_tell(const struct advices *advices, const struct summary *summary,
                    const struct cost_list *list, const struct presenter *presenter, void *to,
                    const char **ret_views);
