/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spurious wakeups: a task that was woken, did nothing that others can see, and sleeps where it
 * slept before, has waited all the time. Its place is known by the lock or the futex that it sleeps
 * for, by its system call, or by its stack; where none was recorded nothing is kept.
 */
#include "base/assume.h"
#include "state/trackers.h"
#include "task_call.h"

/* Where a task slept last; all 0: nothing is known. */
struct sleep_spot {
	uint64_t lock, futex; /* addresses */
	uint64_t calls;       /* count of system calls entered and left until then */
	uint32_t frames;      /* stack, id in names */
};

static void again_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct sleep_spot *last = tracker_keep_task(machine, TRACKER_AGAIN, track);
	struct task_state *task = &machine->task[track];
	struct sleep_spot now = {
		.lock = lock_address(machine, track),
		.futex = syscall_futex(machine, track),
		.calls = syscall_count(machine, track),
		.frames = last->frames,
	};

	ASSUME(task->kind == SEGMENT_WAIT && !task->is_again);
	(void)letter;
	/* at one lock or futex, or in one system call; a stack may decide later */
	task->is_again = task->may_be_again && ((now.lock && now.lock == last->lock) ||
	                                        (now.futex && now.futex == last->futex) ||
	                                        (now.calls && now.calls == last->calls));
	*last = now;
}

void again_note_place(struct machine *machine, uint32_t track, uint32_t frames)
{
	struct task_state *task = &machine->task[track];
	struct sleep_spot *spot = tracker_keep_task(machine, TRACKER_AGAIN, track);

	ASSUME(task->kind == SEGMENT_WAIT);
	if (task->may_be_again && frames && frames == spot->frames)
		task->is_again = true;
	spot->frames = frames;
}

void again_note_no_lock(struct machine *machine, uint32_t track)
{
	struct sleep_spot *spot = tracker_task(machine, TRACKER_AGAIN, track);

	if (!spot || !spot->lock)
		return;
	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	spot->lock = 0;
	machine->task[track].is_again = false; /* the stack itself decides */
}

const struct tracker again_tracker = {
	.task_bytes = sizeof(struct sleep_spot),
	.sleep = again_sleep,
	.sleeps_with = TRACKER_BIT(LOCK) | TRACKER_BIT(SYSCALL),
};
