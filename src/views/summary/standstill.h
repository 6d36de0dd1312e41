/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When nearly all programs that were able to run stood in run queues at the same time, while one
 * task kept its CPU. The sums of the summary hide that: 100 ms every two seconds are 5 %.
 *
 *	fw-update      |#######|      kept its CPU: a hold
 *	ui       ##----|-------|--##  queued throughout
 *	audio    --##--|-------|##--  queued throughout
 *
 * Spans come in order of their ends: what ran during a hold is known when the hold ends, and who
 * was queued throughout soon after. Memory: 8 bytes a task; cost: a store for each run.
 */
#pragma once

#include "analysis/analysis.h"

#define STANDSTILL_RECENT 8 /* holds to which queued tasks are still added */

/* A task kept its CPU for long. */
struct hold {
	nsec_t begin, end;
	uint32_t track;
	uint32_t ran, queued; /* numbers of programs that ran meanwhile, and that were queued */
};

struct standstill {
	const struct question *question;
	nsec_t *ran_until; /* by track: the end of its last run */
	size_t track_count, track_capacity;
	struct hold recent[STANDSTILL_RECENT]; /* end 0: none */
	size_t next;                           /* the oldest of these */
	struct hold *hold;                     /* that made the others stand still */
	size_t count, capacity;
};

/* Order of calls: init; add all spans; print; release. */
void standstill_init(struct standstill *standstill, const struct question *question);
void standstill_release(struct standstill *standstill);
void standstill_add(struct standstill *standstill, const struct span *span);
/* Prints the line about the task behind which the others stood still longest in all, if any did. */
void standstill_print(const struct standstill *standstill, const struct output *to);
