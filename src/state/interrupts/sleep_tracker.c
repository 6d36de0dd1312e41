/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Voluntary sleeps, where no timer events were recorded: what ends a nanosleep() is its timer, or a
 * signal. An interrupt of unknown kind is taken for the timer's, and so is a sleep's end with no
 * known waker. A signal that an interrupt sends has an event of its own, or the call returns that
 * it was interrupted.
 *
 * This holds for no other call: one that polls or has a time-out may have got what it waited for.
 */
#include "base/assume.h"
#include "state/core/held_wait.h"
#include "state/tasks/task_call.h"
#include "state/trackers.h"

/* Causes that show only that no task ended the wait. */
#define VAGUE_CAUSES                                                                          \
	(1u << CAUSE_UNKNOWN | 1u << CAUSE_IRQ | 1u << CAUSE_SOFTIRQ |                        \
	 1u << CAUSE_INTERRUPT | 1u << CAUSE_IPI | 1u << CAUSE_IDLE)
/* EINTR, and from ERESTARTSYS to ERESTART_RESTARTBLOCK, of the kernel's include/linux/errno.h */
#define RESULT_INTERRUPTED   (-4)
#define RESULT_RESTART_FIRST (-512)
#define RESULT_RESTART_LAST  (-516)

/* The sleeper's own timer ends the sleep, or is to; `call` may be CALL_NONE. */
static void sleep_note_timer(struct cause_note *cause, uint8_t call)
{
	struct cause_note timer;
	bool is_known = cause->kind != CAUSE_UNKNOWN;

	ASSUME(VAGUE_CAUSES & 1u << cause->kind);
	cause_note_init(&timer, CAUSE_TIMER, is_known ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW);
	timer.purpose = cause->purpose;
	timer.delay = cause->delay;
	timer.delay_vector = cause->delay_vector;
	timer.as.timer.is_own = true;
	timer.as.timer.call = call;
	*cause = timer;
}

void sleep_note_call(struct cause_note *cause, uint8_t call)
{
	if ((call == CALL_NANOSLEEP || call == CALL_MSLEEP) && VAGUE_CAUSES & 1u << cause->kind)
		sleep_note_timer(cause, call);
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

void sleep_note_not_taken(const struct machine *machine, uint32_t track)
{
	struct held_wait *held = machine->task[track].held;

	if (held && held->cause.kind == CAUSE_SIGNAL && held->cause.purpose == PURPOSE_SIGWAIT)
		held->cause.purpose = PURPOSE_NONE;
}

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
	const struct task_state *task = &machine->task[wake->wakee];

	if (wake->event)
		return;
	sleep_note_call(cause, track_sleeps_in(machine, wake->wakee));
	/* all that is known is a time limit, of a kind that hardly anything but nanosleep() sets */
	if (cause->kind == CAUSE_UNKNOWN && task->kind == SEGMENT_WAIT && task->detail == 'S' &&
	    task->timeout == TIMEOUT_RELATIVE && !task_place(machine, wake->wakee).frames &&
	    syscall_sleep(machine, wake->wakee) == CALL_NONE)
		sleep_note_timer(cause, CALL_NONE);
}

static void sleep_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	sleep_note_call(cause, track_sleeps_in(machine, track));
}

const struct tracker sleep_tracker = {
	.also_with = TRACKER_BIT(SYSCALL) | TRACKER_BIT(PLACE) | TRACKER_BIT(TIMER),
	.refine = {sleep_refine, 1u << CAUSE_UNKNOWN, AND_UNWOKEN},
	.conclude = {sleep_conclude, VAGUE_CAUSES, 0},
};
