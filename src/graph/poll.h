/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Polling: a task sleeps again and again for about as long, each time until its own timer wakes it,
 * and runs only shortly in between.
 *
 *	WAIT(own 50 ms) RUN WAIT(own 50 ms) RUN WAIT(own 50 ms) RUN ...
 *
 * What it waits for does not wake it, so no wake-up leads there. Where a child of its, or a thread
 * that it began, lived meanwhile and ended in the last of the sleeps, or in the one before, it is
 * likely to have waited for that: an inference. A task that does something in between - wakes
 * others, does I/O, waits for anything else - works to a beat, it does not poll; in a series of
 * many sleeps a few may be so.
 *
 * A shell has a child sleep for it, each time another one. That it starts them hides what else it
 * does, so only a child that ends in the last of these waits tells such a series from a beat.
 */
#pragma once

#include <stdbool.h>

#include "sleep_series.h"
#include "timeline.h"

/* Fewer are a coincidence; but so few are none where a child ended in the last one. */
#define POLL_LEAST     5
#define POLL_LEAST_FEW 4

struct poll {
	SERIES_STRETCH;    /* from the first wait's begin to the last one's end */
	nsec_t last;       /* begin of the last wait */
	nsec_t late;       /* begin of the one before: who ended since then ended it */
	nsec_t waiting;    /* sum of the waits */
	nsec_t ran;        /* sum of the runs between them */
	uint64_t count;    /* of the waits */
	uint64_t quiet;    /* of them: nothing was done since the one before, as far as known */
	nsec_t running;    /* since the last wait; time in run queues says nothing */
	nsec_t other;      /* and in waits for anything else */
	uint32_t name;     /* id in names: function of the timer */
	uint32_t frames;   /* id in names: where it sleeps; 0: not told */
	uint8_t call;      /* enum sleep_call */
	bool is_by_child;  /* children slept for it, of which each ended with its sleep */
	/* Where children sleep for it, the end of another one breaks the wait for them, which then
	   goes on: begin of the wait that is broken, 0: none; and who did that in the last wait,
	   LINE_NONE: nobody. */
	nsec_t broken;
	uint32_t breaker;
	/* The child that it waits for, LINE_NONE: none known. After poll_consider(). */
	uint32_t child;
	uint8_t child_rank; /* enum poll_child */
	uint32_t rivals;   /* other children of the same rank */
	bool is_unproven;  /* too few, as far as is known yet: no wait belongs to it */
};

/* How much speaks for a child being what is waited for. */
enum poll_child {
	POLL_CHILD_NONE,
	POLL_CHILD_LIVES,  /* it lived all the time, and does when the trace ends */
	POLL_CHILD_EARLY,  /* it ended in the course of it */
	POLL_CHILD_OUTLIVES, /* it lived all the time, and ended later */
	POLL_CHILD_ENDS_IT, /* it ended in the last sleep */
};

/* The sleep that a series may begin with. */
struct poll_start {
	const struct cause_note *timer;
	bool is_by_child;
};

/*
 * Takes in the next span of a line; spans of other lines go to a struct of their own, which is all
 * 0 to begin with. True where the series ends before that span, which is a sleep: then *poll is
 * still as it was, and poll_begin() is to be called next.
 */
bool poll_follow(struct poll *poll, const struct timeline *timeline, const struct span *span,
                 struct poll_start *ret);
void poll_begin(struct poll *poll, const struct span *span, const struct poll_start *start);
/* The same as poll_follow() for a span of running, which ends none. */
static inline void poll_run(struct poll *poll, const struct span *span)
{
	poll->running += span->end - span->begin;
}
/* The same for a wait that poll_sleep() has nothing of. */
static inline void poll_wait(struct poll *poll, const struct span *span)
{
	poll->other += span->end - span->begin;
}
/* Whether the task may be a child that sleeps for its parent: a process of its own. */
static inline bool poll_may_be_sleeper(const struct line *child)
{
	return child->has_own_timers && (child->tgid < 0 || child->tgid == child->tid);
}
/*
 * The timer that ended the wait, where that was one of the sleeper's own or of a child that did
 * little but sleep meanwhile: then *ret_by_child. NULL: it was nothing of that kind, or the child's
 * history is not kept.
 */
const struct cause_note *poll_sleep(const struct timeline *timeline, const struct span *span,
                                    bool *ret_by_child);
/* Whether little was done between its sleeps. */
bool poll_is_quiet(const struct poll *poll);
/* Whether it is so and long enough: one of polling. */
bool poll_is_one(const struct poll *poll);
/* Whether it is one, or may turn out to be. */
bool poll_may_be_one(const struct poll *poll);
/* Whether it is one, or its child proves that it is. After poll_consider(). */
bool poll_is_proven(const struct poll *poll, const struct timeline *timeline);
/* About the time between two looks. */
static inline nsec_t poll_period(const struct poll *poll)
{
	return poll->waiting / poll->count;
}
/* Whether sleeps so long belong to a series of that period. */
bool poll_fits(nsec_t period, nsec_t length);
/* The line may be the child that is waited for: to be asked of each child of the task; the
   timeline must be complete. */
void poll_consider(struct poll *poll, const struct timeline *timeline, uint32_t child);
/* Whether it ended as that child did: what it slept after that it only noticed late. */
static inline bool poll_ends_with_child(const struct poll *poll)
{
	return poll->child_rank == POLL_CHILD_ENDS_IT;
}
/* Whether enough speaks for the child to say that the time was spent on it. */
bool poll_has_child(const struct poll *poll);
/* Medium where the child's end was that of the series, and of no other child; else low. */
enum confidence poll_confidence(const struct poll *poll);

/* Series of a line's history while they are looked for; all 0 to begin with. */
struct poll_search {
	struct poll poll;
	size_t from; /* first segment that is not in it */
};

/* Takes in the line's next sleep on a timer of its own; see awaited.h for the order of calls. */
void poll_search_take(struct poll_search *search, struct timeline *timeline, uint32_t line,
                      size_t at);
/* Where children of the line may sleep for it: takes in its next segment, whatever it is. */
void poll_search_follow(struct poll_search *search, struct timeline *timeline, uint32_t line,
                        size_t at);
/* The line's history ends. */
void poll_search_finish(struct poll_search *search, struct timeline *timeline);
/* All were found: finds their children. */
void timeline_settle_polls(struct timeline *timeline);
/* The one that the line's wait belongs to which begins at t; NULL: none. O(log n). */
const struct poll *timeline_poll(const struct timeline *timeline, uint32_t line, nsec_t t);
