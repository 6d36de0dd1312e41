/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had the CPU while a task was runnable: the stretches of being runnable are held against the
 * run segments of all lines.
 *
 * Order of calls: competitors_init(), competitors_add() for each stretch, latest first and without
 * overlap, competitors_finish() once, competitors_release(). The timeline is complete and borrowed
 * until competitors_finish().
 *
 * Stretches are gathered and resolved a batch at a time, at least as many as there are lines, so
 * that looking at every line for each batch costs no more than looking at every stretch. Cost:
 * O(stretches + segments), plus a binary search for each batch and line. Memory: 48 bytes a
 * stretch of one batch and 8 a line, however long the path is.
 */
#pragma once

#include "timeline.h"

#define COMPETITORS_BATCH 4096 /* stretches of a batch, at least */

struct stretch {
	nsec_t begin, end;
	uint16_t cpu;
};

struct competitors {
	struct timeline *timeline;
	struct stretch *stretch; /* of this batch, as added: latest first */
	struct stretch *sorted;  /* while it is resolved: by CPU, earliest first */
	size_t count, capacity;
	size_t *first; /* where each CPU's begin in sorted, and where the last one's end */
	size_t cpu_count, first_capacity;
	nsec_t all, run; /* ns in the stretches, and in which somebody ran */
	/* results */
	nsec_t *by_line; /* ns that each line ran in the stretches */
	nsec_t idle;     /* ns in which nobody ran: a CPU that had to wake up, most often */
};

void competitors_init(struct competitors *competitors, struct timeline *timeline);
void competitors_release(struct competitors *competitors);
void competitors_add(struct competitors *competitors, uint16_t cpu, nsec_t begin, nsec_t end);
void competitors_finish(struct competitors *competitors);
