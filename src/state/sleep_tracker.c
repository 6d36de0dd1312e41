/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Voluntary sleeps, where no timer events were recorded: what ends a nanosleep() is its timer, or a
 * signal. An interrupt of unknown kind is taken for the timer's, and so is a sleep's end with no
 * known waker. A signal that an interrupt sends has an event of its own, or the call returns that
 * it was interrupted.
 *
 * This holds for no other call: one that polls or has a time-out may have got what it waited for.
 */
#include "sleep_call.h"
#include "state/core/place.h"
#include "task_call.h"

/* The call that the track sleeps in. In state D it sleeps for something else inside that call, such
   as memory that its arguments are in, unless its stack shows otherwise. */
static uint8_t track_sleeps_in(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];

	if (task->kind != SEGMENT_WAIT ||
	    (task->detail != 'S' && !task_place(machine, track).frames))
		return CALL_NONE;
	return syscall_sleep(machine, track);
}

/* Adds the call to the cause of a task with no known waker. */
static void sleep_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	if (!wake->event)
		sleep_note_call(cause, track_sleeps_in(machine, wake->wakee));
}

static void sleep_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	sleep_note_call(cause, track_sleeps_in(machine, track));
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
