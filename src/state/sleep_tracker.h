/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sleeps on a timer of the sleeper's own that no timer event told of; see sleep_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Whether the timer of the cause is known by the sleeper's call alone: it has no function. */
static inline bool sleep_is_by_call(const struct cause_note *cause)
{
	return cause->kind == CAUSE_TIMER && cause->name == 0 && cause->as.timer.call != CALL_NONE;
}

/* What ended a wait is known, and now that it was slept in that call (enum sleep_call), too. */
void sleep_note_call(struct cause_note *cause, uint8_t call);
/* The line's call has returned: whether its sleep, if it is still held back, lasted to its end. */
void sleep_note_result(const struct machine *machine, uint32_t line, int64_t result);
