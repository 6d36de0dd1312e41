/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans of tasks on their way to the sinks, and waits that are held back; see task_spans.c. */
#pragma once

#include "tracker.h"

/* What comes right after a wake-up may say more of the wait that it ended. */
struct held_wait {
	struct span span;
	struct cause_note cause;
	struct sleep_place place;
	struct span runnable; /* what followed it; where has_runnable: the task runs already */
	bool has_runnable;
	bool has_limit; /* for a part of that a limit held the task back */
	nsec_t limit_begin, limit_end;
	struct cause_note limit;
	struct held_wait *next; /* while it is not in use */
};

/* Whether the timer of the cause is known by the sleeper's call alone: it has no function. */
static inline bool sleep_is_by_call(const struct cause_note *cause)
{
	return cause->kind == CAUSE_TIMER && cause->name == 0 && cause->as.timer.call != CALL_NONE;
}

void wait_set_place(struct held_wait *held, const struct sleep_place *place);
/* What woke the task was in these functions: an id in names. */
void wait_set_waker(struct held_wait *held, uint32_t frames);
/* A limit held the line back for [begin, end) of the stay in a run queue that is held back with its
   last wait; false: no such stay is. */
bool wait_note_limit(struct machine *machine, uint32_t line, nsec_t begin, nsec_t end,
                     const struct cause_note *cause);
/* Tells of the line's last wait, if it is held back: nothing more comes that says more of it. */
void wait_release(struct machine *machine, uint32_t line);
/* The machine ends: frees what is held back. */
void held_waits_release(struct machine *machine);
