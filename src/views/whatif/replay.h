/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording would have been with a change: its segments are replayed in the recorded order
 * of their ends, and each instant of each track gets what is saved until then. Nothing comes later
 * than it did, so a track never goes back.
 *
 *	running               what was saved before it stays saved
 *	a changed stretch     its part is saved, too
 *	a wait for a task     ends when that task comes to what it did, but not before it begins
 *	a wait for an object  takes as long as it did, from its begin, or from when another task
 *	                      asked for it
 *	polling for the end of a task   ends a whole number of its sleeps earlier
 *	a sleep until an instant, or for work from outside   ends when it did
 *	a run queue           takes as long as it did
 *
 * Behind a wait that is gone, the run queue may be gone, too. Whether it is, the recording cannot
 * show: `keeps_queues` says what to take for it. With a factor of 1 nothing is saved; with a
 * smaller one never less than with a larger one where queues are kept. Where they go, it may be
 * less: a task that comes earlier to a wait may find it not yet over, and then queues again. Nor
 * can it show whether the look of a poller sees an end that comes shortly before: with keeps_queues
 * it does not.
 *
 * Not replayed: who gets a lock, a CPU or a disk next, once they come in another order.
 * Cost: O(segments log segments) time, 16 bytes a segment.
 */
#pragma once

#include "speedup.h"
#include "graph/timeline/timeline.h"

/* The segments of all tracks in [begin, end), in the order in which they are replayed. */
struct replay_plan {
	struct timeline *timeline;
	nsec_t begin, end;
	struct replay_step {
		nsec_t at;
		uint32_t track, segment;
	} *step;
	size_t step_count;
	size_t *first; /* by track: number of segments of the tracks before it */
};

void replay_plan_init(struct replay_plan *plan, struct timeline *timeline, nsec_t begin,
                      nsec_t end);
void replay_plan_release(struct replay_plan *plan);

struct replay {
	const struct replay_plan *plan;
	const struct speedup *speedup;
	bool keeps_queues;
	nsec_t *saved;  /* at the end of each segment, of all tracks in turn */
	struct replay_track {
		size_t done;    /* index behind its last segment that was replayed */
		nsec_t at_birth; /* saved by whoever forked it until then */
		bool has_begun, is_gone; /* is_gone: its last wait took no time */
	} *track;
};

/* Replays all of the plan. */
void replay_init(struct replay *replay, const struct replay_plan *plan,
                 const struct speedup *speedup, bool keeps_queues);
void replay_release(struct replay *replay);
/* What is saved on the track until t, which is not behind the plan's end. */
nsec_t replay_saved(struct replay *replay, uint32_t track, nsec_t t);
/* The same where segment `at` begins, cut to the plan. */
nsec_t replay_saved_before(struct replay *replay, uint32_t track, size_t at);
/* On which task, at which of its instants, the end of a wait depends; false: on none. */
struct dependence {
	uint32_t track;
	nsec_t at;
	nsec_t after; /* what follows that instant until the wait's end is no task's */
	const struct sleep_series *poll; /* that ends with the wait: the task looked again and again
	                                    whether the other one had ended; NULL: it did not */
};

bool replay_depends(const struct timeline *timeline, uint32_t track, size_t at,
                    struct dependence *ret);
