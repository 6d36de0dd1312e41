/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priority inversion: a real-time or deadline task waited for another task, the holder. The holder
 * was able to run but did not, as a task with a lower priority than the waiter's had its CPU:
 *
 *	waiter RT 80    |---- waits for a lock of the holder ----|
 *	holder nice 0   RUN |- stands behind -|   RUN   unlocks -'
 *	behind nice 5       |       RUN       |              inverted: while it ran
 *
 * The wait is walked like any path, so the holder may be a task that the owner of the lock waited
 * for. All priorities are those of the moment: an owner that was lent the waiter's priority is
 * never behind a task of lower priority. A sleep that a task of another process ends may be a wait
 * for work, so it counts only if it is known to be for a lock.
 *
 * Order of calls: init, take any number, sort once, blame, print and report, release. Cost: a walk
 * for each wait of such a task, and a search in all tracks for each stretch in which a holder was
 * in a run queue.
 */
#pragma once

#include "analysis/analysis.h"

enum inversion_at {
	INVERSION_AT_WORK,  /* a condition: it may have waited for work to do */
	INVERSION_AT_MEETING, /* a barrier, or a thread's end */
	INVERSION_AT_PLACE, /* a place without a lock: a pipe, a child's end */
	INVERSION_AT_TASK,  /* what it waited for is not known */
	INVERSION_AT_FUTEX, /* a futex of unknown purpose */
	INVERSION_AT_MUTEX, /* of a program */
	INVERSION_AT_LOCK,  /* of the kernel, or of a file */
};

struct inversion {
	uint32_t waiter, owner, holder, behind; /* tracks; owner: the task that ended the wait */
	int16_t waiter_priority, holder_priority, behind_priority;
	uint8_t at; /* enum inversion_at */
	bool is_in_kernel; /* state D, so it was not for a program's own lock */
	uint64_t count; /* of waits */
	nsec_t waited, inverted; /* sum of the waits; sum of the times in them that `behind` ran */
	nsec_t max, max_begin, max_end; /* of the wait with the longest inversion: its length,
	                                   and the wait's begin and end */
	nsec_t last, last_begin; /* the same for the latest wait */
};

struct inversions {
	const struct question *question;
	struct inversion *inversion;
	size_t count, capacity;
	uint64_t left_out;  /* number of waits that were not looked at, as there were too many */
	uint64_t searched;  /* tracks, so far */
};

void inversions_init(struct inversions *inversions, const struct question *question);
void inversions_release(struct inversions *inversions);
/* The part of inversions_take() that is not inline, for a waiter that ever had a real-time
   priority. */
void inversions_take_wait(struct inversions *inversions, uint32_t track, size_t at, nsec_t begin,
                          nsec_t end);
/* Takes segment `at` of the track, a wait, of which [begin, end) is asked for. Inline, as it is
   called for all waits. */
static inline void inversions_take(struct inversions *inversions, uint32_t index, size_t at,
                                   nsec_t begin, nsec_t end)
{
	const struct track *track = &inversions->question->timeline->track[index];

	if (track->priority < PRIORITY_FAIR_MIN || track->rank)
		inversions_take_wait(inversions, index, at, begin, end);
}
/* Most first. */
void inversions_sort(struct inversions *inversions);
/* Whether the inversion that inversions_print() names is one in which the track ran. */
bool inversions_blame(const struct inversions *inversions, uint32_t track);
/* Prints a line on the worst inversion, if it is long enough to matter. */
void inversions_print(const struct inversions *inversions, const struct output *to);
/* Shows all inversions as a table, for data. */
void inversions_report(const struct inversions *inversions, const struct output *to);
