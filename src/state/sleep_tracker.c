/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps for their own sake, where no timer events were recorded: what ends a nanosleep() is its
 * timer, or a signal. An interrupt of which nothing else is known was the timer's, and so it was if
 * nobody is known to have ended the sleep. A signal that an interrupt sends tells of itself, or the
 * call does, which then says that it was interrupted.
 *
 * Of no other call is that said: what polls or has a time-out may have got what it waited for.
 */
#include "sleep_call.h"
#include "state/core/place.h"
#include "task_call.h"

/* The call that the line sleeps in. In state D it sleeps for something else meanwhile, as memory
   that its arguments are in, unless its stack tells. */
static uint8_t line_sleeps_in(const struct machine *machine, uint32_t line)
{
	const struct task_state *task = &machine->task[line];

	if (task->kind != SEGMENT_WAIT ||
	    (task->detail != 'S' && !task_place(machine, line).frames))
		return CALL_NONE;
	return syscall_sleep(machine, line);
}

/* For a task with no known waker. */
static void sleep_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	if (!wake->event)
		sleep_note_call(cause, line_sleeps_in(machine, wake->wakee));
}

static void sleep_conclude(struct machine *machine, uint32_t line, struct cause_note *cause)
{
	sleep_note_call(cause, line_sleeps_in(machine, line));
}

const struct tracker sleep_tracker = {
	.name = "sleep",
	.also_with = TRACKER_BIT(SYSCALL) | TRACKER_BIT(PLACE),
	.refine = sleep_refine,
	.refines_causes = 1u << CAUSE_UNKNOWN,
	.refines_unwoken = true,
	.conclude = sleep_conclude,
	.concludes = VAGUE_CAUSES,
};
