/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps for their own sake, where no timer events were recorded: what ends a nanosleep() is its
 * timer, or a signal. An interrupt of which nothing else is known was the timer's, and so it was if
 * nobody is known to have ended the sleep. A signal that an interrupt sends tells of itself, or the
 * call does, which then says that it was interrupted.
 *
 * Of no other call is that said: what polls or has a time-out may have got what it waited for.
 */
#include "sleep_tracker.h"

#include "place_tracker.h"
#include "state/core/wait_tracker.h"
#include "syscall_tracker.h"

/* What nobody has told more of than that it was not a task. */
#define VAGUE_CAUSES                                                                          \
	(1u << CAUSE_UNKNOWN | 1u << CAUSE_IRQ | 1u << CAUSE_SOFTIRQ | 1u << CAUSE_IPI |       \
	 1u << CAUSE_IDLE)

/* EINTR, and from ERESTARTSYS to ERESTART_RESTARTBLOCK, of the kernel's include/linux/errno.h */
#define RESULT_INTERRUPTED   (-4)
#define RESULT_RESTART_FIRST (-512)
#define RESULT_RESTART_LAST  (-516)

void sleep_note_call(struct cause_note *cause, uint8_t call)
{
	struct cause_note timer;
	bool is_told = cause->kind != CAUSE_UNKNOWN;

	if ((call != CALL_NANOSLEEP && call != CALL_MSLEEP) ||
	    !(VAGUE_CAUSES & 1u << cause->kind))
		return;
	cause_note_init(&timer, CAUSE_TIMER, is_told ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW);
	timer.delay = cause->delay;
	timer.as.timer.is_own = true;
	timer.as.timer.call = call;
	*cause = timer;
}

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

void sleep_note_result(const struct machine *machine, uint32_t line, int64_t result)
{
	struct held_wait *held = machine->task[line].held;
	bool is_interrupted = result == RESULT_INTERRUPTED ||
	                      (result <= RESULT_RESTART_FIRST && result >= RESULT_RESTART_LAST);

	if (is_interrupted && held && sleep_is_by_call(&held->cause))
		cause_note_become(&held->cause, CAUSE_SIGNAL);
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
