/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had the CPU while a task was runnable: the stretches of being runnable are held against the
 * run segments of all lines. What interrupts took of them is nobody's run: the task that they
 * interrupted did not have it.
 *
 * Order of calls: competitors_init(), competitors_add() for each stretch, latest first and without
 * overlap, competitors_finish() once, competitors_release(). The timeline and the interrupts are
 * complete and borrowed until competitors_finish().
 *
 * Stretches are gathered and resolved a batch at a time, at least as many as there are lines, so
 * that looking at every line for each batch costs no more than looking at every stretch. A stretch
 * with interrupts counts as those that they leave of it. Cost: O(stretches + segments +
 * interrupts), plus a binary search for each batch and line. Memory: 48 bytes a stretch of one
 * batch and 8 a line, however long the path is.
 */
#pragma once

#include "interrupt_log.h"
#include "timeline.h"

#define COMPETITORS_BATCH 4096 /* stretches of a batch, at least */

struct stretch {
	nsec_t begin, end;
	uint16_t cpu;
	int16_t priority;
};

/* Of a line: how long it had the CPU because of a priority that was lent to it. */
struct competitor_loan {
	nsec_t total; /* 0: never */
	struct rank rank; /* the last of them */
};

struct competitors {
	struct timeline *timeline;
	struct stretch *stretch; /* of this batch, as added: latest first */
	struct stretch *sorted;  /* while it is resolved: by CPU, earliest first */
	size_t count, capacity;
	size_t *first; /* where each CPU's begin in sorted, and where the last one's end */
	size_t cpu_count, first_capacity;
	nsec_t all, run; /* ns in the stretches but for interrupts, and in which somebody ran */
	const struct interrupt_log *interrupts;
	struct interrupt_cursor *cursor; /* by CPU: those of interrupts->cpu_count */
	/* results */
	nsec_t *by_line;   /* ns that each line ran in the stretches */
	nsec_t interrupted; /* ns of interrupts */
	struct competitor_loan *loan; /* by line; NULL: there is none of any */
	nsec_t idle; /* ns in which nobody ran: a CPU that had to wake up, most often */
};

void competitors_init(struct competitors *competitors, struct timeline *timeline,
                      const struct interrupt_log *interrupts);
void competitors_release(struct competitors *competitors);
/* `priority`: of who stood there, to know whom a loan put before it; PRIORITY_UNKNOWN: nobody
   asks. See timeline_priority_at(). */
void competitors_add(struct competitors *competitors, uint16_t cpu, nsec_t begin, nsec_t end,
                     int16_t priority);
/* The line's priority at t, to compare with lent ones; PRIORITY_UNKNOWN if no priority was ever
   lent in this trace. Inline: for each part that is runnable. */
static inline int16_t timeline_priority_at(const struct timeline *timeline, uint32_t line, nsec_t t)
{
	return timeline->has_loans ? line_rank(&timeline->line[line], t).priority
	                           : PRIORITY_UNKNOWN;
}
void competitors_finish(struct competitors *competitors);
