/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priority inversion: a real-time or deadline task waited for one that was able to run and did not,
 * as one of lower priority than the waiter had that CPU:
 *
 *	waiter RT 80    |---- waits for a lock of the holder ----|
 *	holder nice 0   RUN |- stands behind -|   RUN   unlocks -'
 *	behind nice 5       |       RUN       |              inverted: while it ran
 *
 * The wait is walked as any path is, so the holder may be whom the owner of the lock waited for.
 * All priorities are those of the moment: an owner that was lent the waiter's stands behind nobody
 * of a lower one. A sleep that a task of another process ends may be one for work, and is none
 * where no lock is known.
 *
 * Order of calls: init, take any number, sort once, find and tell, release. Cost: a walk for each
 * wait of such a task, and a search in all lines for each stretch that a holder stood in a run
 * queue for.
 */
#pragma once

#include "analysis/analysis.h"

enum inversion_at {
	INVERSION_AT_WORK,  /* a condition: what it waited for may be work to do */
	INVERSION_AT_MEETING, /* a barrier, or a thread's end */
	INVERSION_AT_PLACE, /* where no lock is waited for: a pipe, a child's end */
	INVERSION_AT_TASK,  /* what it waited for is not known */
	INVERSION_AT_FUTEX, /* what of is not known */
	INVERSION_AT_MUTEX, /* of a program */
	INVERSION_AT_LOCK,  /* of the kernel, or of a file */
};

struct inversion {
	uint32_t waiter, owner, holder, behind; /* lines; owner: the one that ended the wait */
	int16_t waiter_priority, holder_priority, behind_priority;
	uint8_t at; /* enum inversion_at */
	bool is_in_kernel; /* state D: no lock of a program's own */
	uint64_t count; /* of waits */
	nsec_t waited, inverted; /* `behind` ran for that part of it */
	nsec_t max, max_begin, max_end; /* the wait with the most of it, and how much */
	nsec_t last, last_begin; /* the same of the wait that came last */
};

struct inversions {
	const struct question *question;
	struct inversion *inversion;
	size_t count, capacity;
	uint64_t left_out;  /* waits that were not looked at, as there were too many */
	uint64_t searched;  /* lines, so far */
};

void inversions_init(struct inversions *inversions, const struct question *question);
void inversions_release(struct inversions *inversions);
/* The rest of inversions_take(), for a waiter that ever had a real-time priority. */
void inversions_take_wait(struct inversions *inversions, uint32_t line, size_t at, nsec_t begin,
                          nsec_t end);
/* Segment `at` of the line is a wait, of which [begin, end) is asked for. Inline: for all waits. */
static inline void inversions_take(struct inversions *inversions, uint32_t index, size_t at,
                                   nsec_t begin, nsec_t end)
{
	const struct line *line = &inversions->question->timeline->line[index];

	if (line->priority < PRIORITY_FAIR_MIN || line->rank)
		inversions_take_wait(inversions, index, at, begin, end);
}
/* Most first. */
void inversions_sort(struct inversions *inversions);
/* Whether so much was lost to that line that inversions_print() names one. */
bool inversions_blame(const struct inversions *inversions, uint32_t line);
/* A line of the worst that matters, if there is one. */
void inversions_print(const struct inversions *inversions, const struct output *to);
/* All as a table, for data. */
void inversions_report(const struct inversions *inversions, const struct output *to);
