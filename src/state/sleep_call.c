/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_call.h"

#include "state/core/task_spans.h"

/* EINTR, and from ERESTARTSYS to ERESTART_RESTARTBLOCK, of the kernel's include/linux/errno.h */
#define RESULT_INTERRUPTED   (-4)
#define RESULT_RESTART_FIRST (-512)
#define RESULT_RESTART_LAST  (-516)

void sleep_note_call(struct cause_note *cause, uint8_t call)
{
	struct cause_note timer;
	bool is_known = cause->kind != CAUSE_UNKNOWN;

	if ((call != CALL_NANOSLEEP && call != CALL_MSLEEP) ||
	    !(VAGUE_CAUSES & 1u << cause->kind))
		return;
	cause_note_init(&timer, CAUSE_TIMER, is_known ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW);
	timer.delay = cause->delay;
	timer.delay_vector = cause->delay_vector;
	timer.as.timer.is_own = true;
	timer.as.timer.call = call;
	*cause = timer;
}

bool sleep_result_is_cut(int64_t result)
{
	return result == RESULT_INTERRUPTED ||
	       (result <= RESULT_RESTART_FIRST && result >= RESULT_RESTART_LAST);
}

void sleep_note_result(const struct machine *machine, uint32_t track, int64_t result)
{
	struct held_wait *held = machine->task[track].held;

	if (sleep_result_is_cut(result) && held && sleep_is_by_call(&held->cause))
		cause_note_become(&held->cause, CAUSE_SIGNAL);
}
