/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans of tasks on their way to the sinks; see task_spans.c. */
#pragma once

#include "held_wait.h"

/* Whether the cause's timer is known only by the sleeper's call: it has no function. */
static inline bool sleep_is_by_call(const struct cause_note *cause)
{
	return cause->kind == CAUSE_TIMER && cause->name == 0 && cause->as.timer.call != CALL_NONE;
}

/* Emits the track's last wait, if it is held back: no more events that add to it will come. */
void wait_release(struct machine *machine, uint32_t track);
