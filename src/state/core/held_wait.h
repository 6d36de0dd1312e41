/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits that task_spans.c holds back, and what later events add to them. */
#pragma once

#include "base/xalloc.h"
#include "tracker.h"

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
void wait_set_waker(struct held_wait *held, uint32_t frames);
/* Takes a struct from the free list, or allocates one. Its members are not set. */
static inline struct held_wait *held_wait_take(struct machine *machine)
{
	struct held_wait *held = machine->held_free;

	if (!held)
		return xmalloc(sizeof(*held));
	machine->held_free = held->next;
	return held;
}

static inline void held_wait_drop(struct machine *machine, struct held_wait *held)
{
	held->next = machine->held_free;
	machine->held_free = held;
}

/* The machine ends: frees the waits that are held back. */
void held_waits_release(struct machine *machine);
