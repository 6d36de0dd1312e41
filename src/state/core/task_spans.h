/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans of tasks on their way to the sinks, and waits that are held back; see task_spans.c. */
#pragma once

#include "tracker.h"

/* A wait that is held back: events right after the wake-up that ended it may add to it. */
struct held_wait {
	struct span span;
	struct cause_note cause;
	struct sleep_place place;
	struct span runnable; /* span after the wait; where has_runnable: the task runs already */
	bool has_runnable;
	bool has_limit; /* a limit held the task back for a part of `runnable` */
	nsec_t limit_begin, limit_end;
	struct cause_note limit;
	struct held_wait *next; /* while this one is not in use */
};

/* Whether the cause's timer is known only by the sleeper's call: it has no function. */
static inline bool sleep_is_by_call(const struct cause_note *cause)
{
	return cause->kind == CAUSE_TIMER && cause->name == 0 && cause->as.timer.call != CALL_NONE;
}

void wait_set_place(struct held_wait *held, const struct sleep_place *place);
/* Records the functions in which the wake-up was made: an id in names. */
void wait_set_waker(struct held_wait *held, uint32_t frames);
/* A limit held the line back for [begin, end) of the stay in a run queue that is held back with its
   last wait; false: no such stay is. */
bool wait_note_limit(struct machine *machine, uint32_t line, nsec_t begin, nsec_t end,
                     const struct cause_note *cause);
/* Emits the line's last wait, if it is held back: no more events that add to it will come. */
void wait_release(struct machine *machine, uint32_t line);
/* The machine ends: frees the waits that are held back. */
void held_waits_release(struct machine *machine);
