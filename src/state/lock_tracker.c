/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contended locks: a sleep between contention_begin and contention_end of the same task is for the
 * lock, and whoever ended it in task context has let go of it: it is taken for the owner. Futexes,
 * where their calls were recorded, name the address that the sleeper waited at.
 */
#include "tracker.h"

#include "base/array.h"

static void on_lock_begin(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_state *task;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	task = &machine->task[cpu->current];
	if (task->lock_count < LOCKS_MAX)
		task->lock[task->lock_count++] = (struct contended_lock){
			event->lock.address, (uint32_t)event->lock.flags};
}

/* The one of that address, and what was begun inside it and has not been ended. */
static void on_lock_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_state *task;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	task = &machine->task[cpu->current];
	for (uint8_t at = task->lock_count; at-- > 0;) {
		if (task->lock[at].address == event->lock.address) {
			task->lock_count = at;
			return;
		}
	}
}

static void on_futex_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu->current == LINE_NONE)
		return;
	machine->task[cpu->current].is_in_futex = true;
	machine->task[cpu->current].futex = event->futex.address;
}

static void on_futex_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)event;
	if (cpu->current != LINE_NONE)
		machine->task[cpu->current].is_in_futex = false;
}

static void lock_refine(const struct machine *machine, const struct wake *wake,
                        struct cause_note *cause)
{
	const struct task_state *task = &machine->task[wake->wakee];
	const struct contended_lock *lock;

	/* a timeout or a signal ended the sleep, not the lock's release */
	if (cause->kind != CAUSE_TASK)
		return;
	if (task->lock_count) {
		lock = &task->lock[task->lock_count - 1];
		cause->kind = CAUSE_LOCK;
		cause->confidence = CONFIDENCE_MEDIUM;
		cause->object = lock->address;
		cause->number = (int32_t)lock->flags;
		cause->originator = cause->waker;
	} else if (task->is_in_futex) {
		cause->object = task->futex;
		cause->name = intern_adds(&machine->timeline->names, "futex");
	}
}

/* An end that was lost must not make locks of later sleeps. */
static void locks_forget(struct machine *machine)
{
	for (size_t line = 0; line < machine->timeline->line_count; line++) {
		machine->task[line].lock_count = 0;
		machine->task[line].is_in_futex = false;
	}
}

static const struct handler_row lock_handlers[] = {
	{EVENT_LOCK_BEGIN, on_lock_begin},
	{EVENT_LOCK_END, on_lock_end},
	{EVENT_FUTEX_ENTER, on_futex_enter},
	{EVENT_FUTEX_EXIT, on_futex_exit},
};

const struct tracker lock_tracker = {
	.name = "lock",
	.handlers = lock_handlers,
	.handler_count = ARRAY_SIZE(lock_handlers),
	.refine = lock_refine,
	.forget = locks_forget,
};
