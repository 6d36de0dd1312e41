/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks had the CPU while a task was runnable: its runnable stretches are matched with the
 * run segments of all tracks. Time of interrupts counts for no task, not even the interrupted one.
 *
 * Order of calls: competitors_init(), competitors_add() for each stretch, latest first and without
 * overlap, competitors_finish() once; and again, with the same struct had_cpu, for other stretches.
 * The timeline and the interrupts are complete and borrowed until competitors_finish().
 *
 * Stretches are resolved in batches of at least as many as there are tracks, so that visiting every
 * track for each batch costs no more than visiting every stretch. A stretch with interrupts counts
 * as several, which lie between the interrupts. Cost: O(stretches + segments + interrupts), plus a
 * binary search for each batch and track. Memory: 48 bytes a stretch of one batch and 40 a track,
 * however long the path is.
 */
#pragma once

#include "graph/logs/interrupt_log.h"
#include "graph/timeline/timeline.h"
#include "voter.h"

#define COMPETITORS_BATCH 4096 /* least number of stretches in a batch */

struct cpu_stretch {
	nsec_t begin, end;
	uint16_t cpu;
	int16_t priority;
};

/* How long a track had the CPU because of a priority that was lent to it. */
struct competitor_loan {
	nsec_t total; /* 0: never */
	struct rank rank; /* the last such loan */
};

/* What had the CPUs in all stretches so far. Sums that are all 0 are empty. */
struct had_cpu {
	nsec_t *by_track; /* ns that each track ran in the stretches */
	size_t track_count;
	nsec_t all, interrupts; /* ns of the stretches; ns of interrupts in them */
	nsec_t idle; /* ns in which no task ran: most often a CPU that had to wake up */
	struct competitor_loan *loan; /* by track */
	/* by track: ns in which an ordinary task had the CPU of another one that is nicer, of less
	   weight; in which a task had the CPU of a real-time or deadline task of higher priority */
	struct voter heavier, outranked;
	struct voter interrupted_on; /* by CPU */
};

void had_cpu_release(struct had_cpu *had);
/* Adds the other sums. */
void had_cpu_add(struct had_cpu *had, const struct had_cpu *more);

struct competitors {
	struct timeline *timeline;
	struct had_cpu *had;
	struct cpu_stretch *stretch; /* of this batch, as added: latest first */
	struct cpu_stretch *sorted;  /* while it is resolved: by CPU, earliest first */
	size_t count, capacity;
	size_t *first; /* by CPU: where its stretches begin in `sorted`; and where those of the last
	                  CPU end */
	size_t cpu_count;
	nsec_t all, run; /* all: ns of the stretches without interrupts; run: ns of these in which a
	                    task ran */
	const struct interrupt_log *interrupts;
	struct interrupt_cursor *cursor; /* by CPU, interrupts->cpu_count of them */
};

/* `had` is borrowed until competitors_finish(), and added to. */
void competitors_init(struct competitors *competitors, struct timeline *timeline,
                      const struct interrupt_log *interrupts, struct had_cpu *had);
/* `priority`: of the runnable task, to compare with those that have its CPU; PRIORITY_UNKNOWN: not
   asked for. */
void competitors_add(struct competitors *competitors, uint16_t cpu, nsec_t begin, nsec_t end,
                     int16_t priority);
/* The track's priority at t. Inline: for each runnable part, and each run beside it. */
static inline int16_t track_priority_at(const struct track *track, nsec_t t)
{
	return track->rank_count ? track_rank(track, t).priority : track->priority;
}
/* Adds the rest to the sums, and releases all but these. */
void competitors_finish(struct competitors *competitors);
