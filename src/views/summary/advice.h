/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to do about the largest costs, if figures prove it, with the evidence: one track for each on
 * the summary's first screen. Each kind of advice is a row in the table of advice.c, with an
 * adviser there or in a file advice_*.c.
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
	struct fact *fact; /* of the sentence; its figure is the part that is returned, unless the
	                      adviser gives another */
};

/* Appends one sentence; returns which part of all reported time the sentence is about. 0: there is
   no advice, and what was appended is dropped. */
typedef double adviser(const struct advising *of, struct buffer *to);
adviser limit_advise, queue_advise, spin_advise, disk_uses_advise, lock_uses_advise;

/* What an adviser needs besides the summary. */
struct gatherer {
	size_t state_bytes; /* of its state, which begins as struct gathered, else 0 at first */
	unsigned sum_count; /* of its sums, */
	size_t sum_bytes;   /* each of elements of that size */
	/* Called for intervals of interval_kinds in the window, as they end; for those of locks
	   that overlap it. */
	void (*on_interval)(void *state, const struct interval *interval);
	uint32_t interval_kinds; /* INTERVAL_MASK()s */
	void (*end)(void *state); /* releases what else the state has; NULL: nothing */
};

struct gathered {
	const struct question *question;
	struct keyed_sums sums[]; /* KEYED_SUMS_HEAVY */
};

extern const struct gatherer disk_uses, lock_uses, network_use;

/* Of the state of disk_uses: appends the name of the machine's disk that was busy longest, and
   returns for which part of the time; 0: none was. */
double disk_uses_busiest(const void *state, uint32_t machine, struct buffer *to);

#define ADVICE_COUNT 12
#define ADVICE_INTERVALS                                                                      \
	(INTERVAL_MASK(INTERVAL_DISK) | INTERVAL_MASK(INTERVAL_CONNECTION) |                  \
	 INTERVAL_MASK(INTERVAL_DROP) | INTERVAL_MASK(INTERVAL_LOCK) |                          \
	 INTERVAL_MASK(INTERVAL_TENURE) | INTERVAL_MASK(INTERVAL_EXPIRY) |                      \
	 INTERVAL_MASK(INTERVAL_TRAFFIC))

/* The states of all kinds of advice. The caller resolves the gate. */
struct advices {
	struct interval_gate gate;
	void *state[ADVICE_COUNT];
};

void advices_init(struct advices *advices, const struct question *question);
void advices_release(struct advices *advices);
void advices_add_interval(struct advices *advices, const struct interval *interval);
/* Adds a wait: from some waits intervals of locks are made. */
void advices_add_wait(struct advices *advices, const struct span *span);
/* The state of that gatherer. */
const void *advices_state(const struct advices *advices, const struct gatherer *gatherer);
/* Prints what to do about the largest costs, if that is certain, and the views with more
   details. */
void advices_print(const struct summary *summary, const struct cost_list *list,
                   const struct output *to);

/* The view with more details of the cost; NULL: none. */
const char *cost_view(const struct cost_list *list, const struct cost *cost);
/* Whether the view is built in, and the recording has events that it needs. */
bool view_can_show(const struct question *question, const char *view);
