/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that hang when the trace ends: what each waits for, which task holds it, what that task
 * waits for in turn, and circles of tasks that wait for each other. Evidence is of two sorts.
 *
 * Seen: the recorder saw the wait in /proc (struct open_wait), and nothing is inferred. A task
 * hangs if it has waited for a lock, or in state D, for a second or a tenth of the trace, or if it
 * waits for a task that hangs. A circle is a deadlock, however long it lasted: each of its tasks
 * slept while it had what another one waited for. With a wait at a pipe it is only likely to be
 * one, and only if all its waits are long: processes that the recorder did not look at may have the
 * pipe open, too.
 *
 * Shown by events only: tasks that were in state D, or asleep for a contended lock, for as long;
 * and tasks that wait for each other in a circle, for locks for any time, or in pipes for a long
 * time. Other sleeps in S are normal: most tasks are in such a sleep when a trace ends. The task
 * that a sleeper in a pipe waits for is inferred: it is the task that ended all earlier sleeps of
 * the sleeper in pipes. If several tasks ended them, as where one stage serves many, the sleeper is
 * taken to wait for none of them. The place of a sleep is known only by its stack. A circle of this
 * sort is reported only if the recorder saw none.
 *
 * A window that ends before the trace has none.
 *
 * Order of calls: hangs_find() once the trace has ended; hangs_print() and others; hangs_release().
 */
#pragma once

#include <stdbool.h>

#include "analysis/analysis.h"
#include "base/data/map.h"
#include "tally/tally.h"

#define WAITS_FOR_NONE SIZE_MAX

/* One task that was seen waiting; by the recorder the last time if there were several. */
struct hang {
	const struct open_wait *wait; /* borrowed; NULL: only events show it */
	uint32_t track;
	uint32_t owner;    /* track that it waits for; TRACK_NONE: not known, or several */
	uint32_t holder[OPEN_WAIT_HOLDERS_MAX]; /* tracks of wait->holder; TRACK_NONE: not known */
	nsec_t begin, end; /* of the wait; end: of the trace if it has not ended */
	bool is_open;      /* it has not ended */
	bool is_hung;
	size_t next;       /* index of the owner's own wait; WAITS_FOR_NONE: it did not wait */
	size_t circle;     /* number of its circle, from 1; 0: none */
	bool is_behind;    /* an asked one that hangs waits for it, or for one that does */
	/* if only events show it */
	bool is_in_d;
	uint32_t frames;   /* id in names: stack of the sleep; 0: not known */
	const struct cause_note *cause; /* borrowed; NULL: not known */
	uint64_t times;    /* in a pipe: how often the owner woke it */
};

/* A circle that only events show. */
struct likely_circle {
	size_t first, count; /* index in hang; number of tasks */
	bool is_asked;       /* one of them is asked for */
	size_t in_pipe;      /* how many of them wait in a pipe */
	uint64_t least_times; /* over all of these: least number of wake-ups by the owner */
};

struct hangs {
	const struct question *question;
	struct hang *hang; /* `count` that the recorder saw, by first sight; then, up to `all`,
	                      those that only events show */
	size_t count, all, capacity;
	struct map by_track; /* index in hang, of the first `count` */
	size_t circle_count; /* that the recorder saw */
	struct likely_circle likely; /* the most certain of likely_count ones */
	size_t likely_count;
};

/* Of each track the task that ended its sleeps in pipes: `extra` is its track, TRACK_NONE if
   several tasks did, or not all of them are known; `count` is how often. Call for the spans of a
   track in order; a signal is not what a task slept for. Inline, as it runs for all waits. */
void pipe_partners_add(struct keyed_sums *partners, const struct span *span);
static inline void pipe_partners_take(struct keyed_sums *partners, const struct span *span)
{
	if (span->kind == SEGMENT_WAIT && span->place && span->place->kind == PLACE_PIPE &&
	    !span->is_open && !(span->detail & WAIT_FOR_WORK) &&
	    !(span->cause && span->cause->kind == CAUSE_SIGNAL))
		pipe_partners_add(partners, span);
}

/* `partners`: of the whole trace; NULL: as far as the history has them. */
void hangs_find(struct hangs *ret, const struct question *question,
                const struct keyed_sums *partners);
void hangs_release(struct hangs *hangs);
/* Prints the deadlocks and the asked tasks that hang; of those that only events show what must be
   the first thing to know: a circle, and waits of programs of at least a second. */
void hangs_print(const struct hangs *hangs, const struct output *to);
/* Prints the others. */
void hangs_print_rest(const struct hangs *hangs, const struct output *to);
/* Prints only the deadlocks, of at least one asked task each. Returns false if there are none. */
bool hangs_print_circles(const struct hangs *hangs, const struct output *to);
/* Passes the tasks of which hangs_print() speaks, and a sentence about each without its full stop.
   Tasks that the recorder saw are passed whether they are asked for or not, as are all tasks of a
   likely circle; a task may be passed again. */
void hangs_visit(const struct hangs *hangs,
                 void (*take)(void *state, uint32_t track, const char *text), void *state);
/* Whether the recorder saw that the track hangs. */
bool hangs_has(const struct hangs *hangs, uint32_t track);
/* Whether the track has waited for long, still waits, and it is known who has what it waits for, or
   the name of the other end. */
bool hangs_names_end(const struct hangs *hangs, uint32_t track);
/* Puts those that the recorder saw as a table of data, which text does not show; nothing if none
   hangs. */
void hangs_report(const struct hangs *hangs, const struct output *to);
/*
 * Appends what the track did when the trace ended, and what the task that it waits for did, and so
 * on: "waits for its child ld[7], which waits for a flock on /x, held by b[5], which runs".
 */
void hangs_describe(const struct hangs *hangs, uint32_t track, struct buffer *to);

/* ", which is stopped", ", which was stopped for 1.500 s of that": behind the cause of a wait in
   [begin, end) for a lock, which names its owner; nothing if the owner was not stopped for most of
   that. */
void holder_stopped_append(struct buffer *to, const struct timeline *timeline,
                           const struct cause_note *cause, nsec_t begin, nsec_t end);

/* What the search for hangs (hangs.c) and their sentences (hang_words.c) have in common. */

/* A wait is long if it has either of these lengths. Shorter waits are normal: every busy trace ends
   with tasks that are about to be served. */
#define LONG_WAIT_NS   1000000000u
#define LONG_WAIT_PART 10 /* the trace's length divided by this */

/* A circle of this many tasks in pipes is likely to be a deadlock. A circle of two may be a program
   and its idle helper: the program waits for input that did not come in this trace. */
#define RING_LIKELY 3
/* A circle of any size is likely if each partner in a pipe woke its task at least this many
   times. */
#define PARTNER_TIMES 3

static inline bool wait_is_for_lock(const struct open_wait *wait)
{
	return open_wait_is_for_file_lock(wait) || wait->kind == OPEN_WAIT_LEFT ||
	       (wait->kind == OPEN_WAIT_FUTEX && wait->owner);
}

/* At an object that no thread has: nothing shows who is to end the wait. */
static inline bool wait_is_at_object(const struct open_wait *wait)
{
	return wait->kind == OPEN_WAIT_CONDITION || wait->kind == OPEN_WAIT_SEMAPHORE ||
	       wait->kind == OPEN_WAIT_BARRIER;
}

static inline bool wait_is_at_futex(const struct open_wait *wait)
{
	return wait->kind == OPEN_WAIT_FUTEX || wait->kind == OPEN_WAIT_THREAD ||
	       wait->kind == OPEN_WAIT_LEFT || wait_is_at_object(wait);
}

static inline bool hang_is_asked(const struct hangs *hangs, const struct hang *hang)
{
	return hangs->question->resolved->is_asked[hang->track];
}

/* Whether events show that it is for a contended lock. */
static inline bool hang_is_for_lock(const struct hang *hang)
{
	return hang->cause && hang->cause->kind == CAUSE_LOCK;
}

/* Each task of the circle that goes through `first`, by its index in hang. */
#define CIRCLE_EACH(hangs, first, at)                                                          \
	for (size_t at = (first), rounds_ = 0; at != (first) || rounds_++ == 0;                \
	     at = (hangs)->hang[at].next)

bool hang_is_long(const struct hangs *hangs, const struct hang *hang);
/* Whether a wait of the circle that goes through `first` is of that kind. */
bool circle_has(const struct hangs *hangs, size_t first, enum open_wait_kind kind);
