/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Voluntary sleeps of which only the system call is known; see sleep_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Causes that show only that no task ended the wait. */
#define VAGUE_CAUSES                                                                          \
	(1u << CAUSE_UNKNOWN | 1u << CAUSE_IRQ | 1u << CAUSE_SOFTIRQ |                        \
	 1u << CAUSE_INTERRUPT | 1u << CAUSE_IPI | 1u << CAUSE_IDLE)

/* The cause of a wait's end is known. Now it is also known that the task slept in that call (enum
   sleep_call). */
void sleep_note_call(struct cause_note *cause, uint8_t call);
/* Whether a call that returns this was left because of a signal, or is to be entered again. */
bool sleep_result_is_cut(int64_t result);
/* The track's call has returned: records whether its sleep, if it is still held back, lasted as
   long as it was meant to. */
void sleep_note_result(const struct machine *machine, uint32_t track, int64_t result);
