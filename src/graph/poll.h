/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Polling: a task sleeps again and again for about as long, each time until its own timer wakes it,
 * and runs only shortly in between.
 *
 *	WAIT(own 50 ms) RUN WAIT(own 50 ms) RUN WAIT(own 50 ms) RUN ...
 *
 * What it waits for does not wake it, so no wake-up leads there. If a child of the task, or a
 * thread that it created, lived meanwhile and ended in the last of the sleeps, or in the one
 * before, the task is likely to have waited for that: an inference. A task that does something in
 * between - wakes others, does I/O, waits for anything else - works periodically and does not poll;
 * in a series of many sleeps a few exceptions are allowed.
 *
 * A shell starts another child each time to sleep for it. That hides what else the shell does, so
 * only a child that ends in the last of these waits distinguishes such a series from periodic work.
 */
#pragma once

#include <stdbool.h>

#include "sleep_series.h"
#include "graph/timeline/timeline.h"

/* Fewer sleeps are a coincidence, unless a child ended in the last one. */
#define POLL_LEAST     5
#define POLL_LEAST_FEW 4

struct poll {
	SERIES_STRETCH;    /* from the first wait's begin to the last one's end */
	nsec_t last;       /* begin of the last wait */
	nsec_t late;       /* begin of the wait before the last: a child that ended since then ended
	                      the series */
	nsec_t waiting;    /* sum of the waits */
	nsec_t slept;      /* sum of the sleeps: without what a child did besides sleeping */
	nsec_t ran;        /* sum of the runs between them */
	uint64_t count;    /* number of waits */
	uint64_t quiet;    /* number of waits with no act since the one before, as far as known */
	nsec_t running;    /* since the last wait; time in run queues says nothing */
	nsec_t other;      /* since the last wait, time in waits for anything else */
	uint32_t name;     /* id in names: function of the timer */
	uint32_t frames;   /* id in names: where it sleeps; 0: not recorded */
	uint8_t call;      /* enum sleep_call */
	bool is_by_child;  /* children slept for it, each of which ended with its sleep */
	/* If children sleep for the task, the end of another child breaks the wait, which then goes
	   on: begin of the broken wait, 0: none; and the track that broke the last wait,
	   TRACK_NONE: none. */
	nsec_t broken;
	uint32_t breaker;
	/* The child that it waits for, TRACK_NONE: none known. After poll_consider(). */
	uint32_t child;
	uint8_t child_rank; /* enum poll_child */
	uint32_t rivals;   /* other children of the same rank */
	bool is_unproven;  /* too few sleeps, as far as known yet: no wait belongs to the series */
};

/* How strongly a child is indicated as what the task waits for; higher is stronger. */
enum poll_child {
	POLL_CHILD_NONE,
	POLL_CHILD_LIVES,  /* it lived during the whole series, and still lives when the trace
	                      ends */
	POLL_CHILD_EARLY,  /* it ended during the series */
	POLL_CHILD_OUTLIVES, /* it lived during the whole series, and ended later */
	POLL_CHILD_ENDS_IT, /* it ended in the last sleep */
};

/* A sleep, with which a series begins or goes on. */
struct poll_sleep {
	const struct cause_note *timer;
	nsec_t length; /* of a child's sleep, which is shorter than the wait; else of the wait */
	bool is_by_child;
};

/*
 * Takes in the next span of a track; spans of each track go to a struct of their own, which is all
 * 0 to begin with. True if the series ends before that span, which is a sleep: then *poll is still
 * as it was, and poll_begin() is to be called next.
 */
bool poll_follow(struct poll *poll, const struct timeline *timeline, const struct span *span,
                 struct poll_sleep *ret);
void poll_begin(struct poll *poll, const struct span *span, const struct poll_sleep *sleep);
/* The same as poll_follow() for a running span, which ends no series. */
static inline void poll_run(struct poll *poll, const struct span *span)
{
	poll->running += span->end - span->begin;
}
/* The same for a wait that is no sleep. */
static inline void poll_wait(struct poll *poll, const struct span *span)
{
	poll->other += span->end - span->begin;
}
/* Whether the task may be a child that sleeps for its parent: a process of its own. */
static inline bool poll_may_be_sleeper(const struct track *child)
{
	return child->has_own_timers && (child->tgid < 0 || child->tgid == child->tid);
}
/*
 * Whether a timer of the sleeper's own ended the wait, or of a child that did little but sleep
 * meanwhile. False also if the child's history is not kept.
 */
bool poll_find_sleep(const struct timeline *timeline, const struct span *span,
                     struct poll_sleep *ret);
/* Whether little was done between its sleeps. */
bool poll_is_quiet(const struct poll *poll);
/* Whether the series is quiet and long enough to be polling. */
bool poll_is_one(const struct poll *poll);
/* Whether it is polling, or may turn out to be. */
bool poll_may_be_one(const struct poll *poll);
/* Whether it is polling, or its child proves that it is. After poll_consider(). */
bool poll_is_proven(const struct poll *poll, const struct timeline *timeline);
/* The approximate length of the sleeps. */
static inline nsec_t poll_period(const struct poll *poll)
{
	return poll->slept / poll->count;
}
/* Whether sleeps of that length belong to a series of that period. */
bool poll_fits(nsec_t period, nsec_t length);
/* The track may be the child that is waited for: call it for each child of the task; the timeline
   must be complete. */
void poll_consider(struct poll *poll, const struct timeline *timeline, uint32_t child);
/* Whether the series ended with that child's end, which the task noticed only after its sleep. */
static inline bool poll_ends_with_child(const struct poll *poll)
{
	return poll->child_rank == POLL_CHILD_ENDS_IT;
}
/* Whether the child is indicated strongly enough to charge the time to it. */
bool poll_has_child(const struct poll *poll);
/* Medium if the child, and no other, ended when the series did; else low. */
enum confidence poll_confidence(const struct poll *poll);

/* Series of a track's history while they are looked for; all 0 to begin with. */
struct poll_search {
	struct poll poll;
	size_t from; /* first segment that is not in the series */
};

/* Takes in the track's next sleep on its own timer; see awaited.h for the order of calls. */
void poll_search_take(struct poll_search *search, struct timeline *timeline, uint32_t track,
                      size_t at);
/* Takes in the track's next segment, whatever it is, if children of the track may sleep for it. */
void poll_search_follow(struct poll_search *search, struct timeline *timeline, uint32_t track,
                        size_t at);
/* The track's history ends. */
void poll_search_finish(struct poll_search *search, struct timeline *timeline);
/* All series were found: finds their children. */
void timeline_settle_polls(struct timeline *timeline);
/* The series with the track's wait that begins at t; NULL: none. O(log n). */
const struct poll *timeline_poll(const struct timeline *timeline, uint32_t track, nsec_t t);
