/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in the kernel a task sleeps, and waits that task_spans.c holds back, with what later events
 * add to them. place_tracker.c reads the stacks and events that show a place; every other unit only
 * looks up the place of a task's present sleep, which ends with the sleep.
 */
#pragma once

#include "base/assume.h"
#include "tracker.h"
#include "words/cause/purpose.h"

/* The place of the task's present sleep; all 0: nothing is recorded, or the task does not sleep. */
static inline struct sleep_place task_place(const struct machine *machine, uint32_t track)
{
	const struct sleep_place *place = tracker_task(machine, TRACKER_PLACE, track);

	return place ? *place : (struct sleep_place){0};
}

/* Sets the program's functions that led to the task's present sleep: an id in names. */
static inline void task_set_user_place(struct machine *machine, uint32_t track, uint32_t user)
{
	struct sleep_place *kept = tracker_keep_task(machine, TRACKER_PLACE, track);

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	kept->user = user;
}

/* Causes that may leave the purpose of their wait open. */
#define PURPOSE_CAUSES                                                                        \
	(1u << CAUSE_UNKNOWN | 1u << CAUSE_TASK | 1u << CAUSE_NET | 1u << CAUSE_TIMER |        \
	 1u << CAUSE_IRQ | 1u << CAUSE_SOFTIRQ | 1u << CAUSE_WORK | 1u << CAUSE_SIGNAL |       \
	 1u << CAUSE_INTERRUPT | 1u << CAUSE_IPI | 1u << CAUSE_LOCK | 1u << CAUSE_IDLE)

/* The purpose of the sleep, unless a better source names it: the request, the lock, the memory, the
   grace period, the calls at a futex. */
static inline void cause_add_purpose(struct cause_note *cause, uint8_t purpose)
{
	bool has_better = cause->memory || (purpose == PURPOSE_FUTEX && cause->purpose) ||
	                  ((cause->kind == CAUSE_TASK || cause->kind == CAUSE_LOCK) &&
	                   cause->as.lock.address);

	if (purpose != PURPOSE_NONE && PURPOSE_CAUSES & 1u << cause->kind && !has_better)
		cause->purpose = purpose;
}

/* The most spans that are held back behind a wait. */
#define HELD_AFTER_MAX 4
/* While a trace goes on, no wait is held back once its task has run for so long. */
#define HELD_RUN_MAX 10000000u

/* A wait that is held back: events right after the wake-up that ended it may add to it. */
struct held_wait {
	struct span span;
	struct cause_note cause;
	struct sleep_place place;
	/* after_count stays in run queues, and runs between them, that followed; if there is one,
	   the task has run since the wait */
	struct span after[HELD_AFTER_MAX];
	uint8_t after_count;
	struct held_wait *next; /* the next free one, while this one is free */
};

static inline void wait_set_place(struct held_wait *held, const struct sleep_place *place)
{
	held->place = *place;
	held->span.place = &held->place;
}

/* Records the functions in which the wake-up was made: an id in names. */
static inline void wait_set_waker(struct held_wait *held, uint32_t frames)
{
	ASSUME(held->span.kind == SEGMENT_WAIT && frames);
	if (!held->span.place)
		wait_set_place(held, &(struct sleep_place){0});
	held->place.waker = frames;
}

/* Whether the cause's timer is known only by the sleeper's call: it has no function. */
static inline bool sleep_is_by_call(const struct cause_note *cause)
{
	return cause->kind == CAUSE_TIMER && cause->name == 0 && cause->as.timer.call != CALL_NONE;
}

/* task_spans.c: emits the track's last wait, if it is held back: no more events that add to it will
   come. */
void wait_release(struct machine *machine, uint32_t track);
/* task_spans.c: the track's last wait, which is held back, turns out to have been ended by a
   signal. */
void wait_note_cut(struct machine *machine, uint32_t track);
