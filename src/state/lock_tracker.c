/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contended locks: a sleep between contention_begin and contention_end of the same task is for the
 * lock, and whoever ended it in task context has let go of it: it is taken for the owner, for
 * certain where the kernel also tells of the release. Of a lock that nobody has let go of yet, the
 * owner is whoever got it last after contending for it: a guess. Futexes, where their calls were
 * recorded, name the address that the sleeper waited at.
 */
#include "tracker.h"

#include <stdlib.h>

#include "base/array.h"

/* LCB_F_SPIN, LCB_F_READ of the kernel's include/trace/events/lock.h */
#define LOCK_SPIN 0x1
#define LOCK_READ 0x2

struct locks {
	struct map holder; /* line, by address: who got the lock last, as far as known */
};

static void locks_hold(struct machine *machine, uint64_t address, uint32_t line)
{
	if (machine->locks->holder.count >= OBJECTS_MAX)
		map_clear(&machine->locks->holder);
	map_put(&machine->locks->holder, address, line);
}

static void on_lock_begin(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_state *task;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	task = &machine->task[cpu->current];
	if (!task->lock)
		task->lock = xreallocarray(NULL, LOCKS_MAX, sizeof(*task->lock));
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
		if (task->lock[at].address != event->lock.address)
			continue;
		if (event->lock.result == 0 && !(task->lock[at].flags & (LOCK_SPIN | LOCK_READ)))
			locks_hold(machine, event->lock.address, cpu->current);
		task->lock_count = at;
		return;
	}
}

static void on_lock_release(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)map_take(&machine->locks->holder, event->lock.address);
	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	machine->task[cpu->current].released = event->lock.address;
	machine->task[cpu->current].released_at = machine->now;
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

/* The last one that got the lock, if it may have it still; LINE_NONE: not known. */
static uint32_t lock_find_holder(const struct machine *machine, const struct contended_lock *lock,
                                 uint32_t waiter)
{
	uint32_t holder = map_get(&machine->locks->holder, lock->address);

	return holder == MAP_NONE || holder == waiter || machine->task[holder].kind == SEGMENT_DEAD
	               ? LINE_NONE
	               : holder;
}

static void lock_name_owner(const struct machine *machine, const struct wake *wake,
                            const struct contended_lock *lock, struct cause_note *cause)
{
	const struct task_state *waker;

	cause->originator = cause->waker;
	if (cause->waker == LINE_NONE) {
		cause->originator = lock_find_holder(machine, lock, wake->wakee);
		return;
	}
	waker = &machine->task[cause->waker];
	cause->confidence = waker->released == lock->address &&
	                                    waker->released_at >= machine->task[wake->wakee].since
	                            ? CONFIDENCE_HIGH
	                            : CONFIDENCE_MEDIUM;
}

static void lock_refine(const struct machine *machine, const struct wake *wake,
                        struct cause_note *cause)
{
	const struct task_state *task = &machine->task[wake->wakee];
	const struct contended_lock *lock;

	/* a timeout or a signal ended the sleep, not the lock's release */
	if (cause->kind != CAUSE_TASK && cause->kind != CAUSE_UNKNOWN)
		return;
	if (task->lock_count) {
		lock = &task->lock[task->lock_count - 1];
		cause->kind = CAUSE_LOCK;
		cause->object = lock->address;
		cause->number = (int32_t)lock->flags;
		lock_name_owner(machine, wake, lock, cause);
	} else if (task->is_in_futex) {
		cause->object = task->futex;
		cause->name = intern_adds(&machine->timeline->names, "futex");
	}
}

/*
 * What was said of a wake-up before the sleep began holds only if the sleep was for that lock. Then
 * its owner has let go of it, or there was none.
 */
static void lock_conclude(struct machine *machine, uint32_t line, struct cause_note *cause)
{
	const struct task_state *task = &machine->task[line];

	if (cause->kind != CAUSE_LOCK)
		return;
	if (task->lock_count && task->lock[task->lock_count - 1].address == cause->object) {
		if (cause->waker != LINE_NONE)
			(void)map_take(&machine->locks->holder, cause->object);
		return;
	}
	cause->kind = cause->waker == LINE_NONE ? CAUSE_UNKNOWN : CAUSE_TASK;
	cause->object = 0;
	cause->number = 0;
	cause->originator = LINE_NONE;
}

/* An end that was lost must not make locks of later sleeps. */
static void locks_forget(struct machine *machine)
{
	map_clear(&machine->locks->holder);
	for (size_t line = 0; line < machine->timeline->line_count; line++) {
		machine->task[line].lock_count = 0;
		machine->task[line].is_in_futex = false;
	}
}

static void locks_begin(struct machine *machine)
{
	machine->locks = xcalloc(1, sizeof(*machine->locks));
	map_init(&machine->locks->holder);
}

static void locks_end(struct machine *machine)
{
	map_release(&machine->locks->holder);
	free(machine->locks);
}

static const struct handler_row lock_handlers[] = {
	{EVENT_LOCK_BEGIN, on_lock_begin},
	{EVENT_LOCK_END, on_lock_end},
	{EVENT_LOCK_RELEASE, on_lock_release},
	{EVENT_FUTEX_ENTER, on_futex_enter},
	{EVENT_FUTEX_EXIT, on_futex_exit},
};

const struct tracker lock_tracker = {
	.name = "lock",
	.handlers = lock_handlers,
	.handler_count = ARRAY_SIZE(lock_handlers),
	.refine = lock_refine,
	.refines_unwoken = true,
	.conclude = lock_conclude,
	.begin = locks_begin,
	.forget = locks_forget,
	.end = locks_end,
};
