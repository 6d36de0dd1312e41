/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contended locks: a sleep between contention_begin and contention_end of the same task is for the
 * lock, and whoever ended it in task context has let go of it: it is taken for the owner, for
 * certain where the kernel also tells of the release. Of a lock that nobody has let go of yet, the
 * owner is whoever got it last after contending for it: a guess. Futexes, where their calls were
 * recorded, name the address that the sleeper waited at.
 *
 * An end that is not seen would make every later sleep one for the lock. So contention is over too
 * when the task is seen to be elsewhere: by the stack of its sleep (place_tracker.c), by the state
 * it sleeps in, which is the same all along for one lock (task_sleep_in_locks()), by what is never
 * done on the way to a lock (cpu_leave_locks()). Waking others and issuing requests are no such
 * evidence: on its way to sleep a task wakes another worker and has its plugged requests issued.
 */
#include "tracker.h"

#include <stdlib.h>

#include "base/array.h"

/* LCB_F_SPIN, LCB_F_READ, LCB_F_MUTEX of the kernel's include/trace/events/lock.h */
#define LOCK_SPIN  0x01
#define LOCK_READ  0x02
#define LOCK_MUTEX 0x20

struct locks {
	/* uint32_t, a line, by address: who got the lock last, as far as known */
	struct object_pool holder;
};

static void locks_hold(struct machine *machine, uint64_t address, uint32_t line)
{
	uint32_t *holder = object_pool_put(&machine->locks->holder, address);

	*holder = line;
}

/* Where in the task's locks that one is; UINT8_MAX: it does not contend for it, as far as known. */
static uint8_t task_find_lock(const struct task_state *task, uint64_t address)
{
	uint8_t at = task->lock_count;

	while (at > 0 && task->lock[at - 1].address != address)
		at--;
	return (uint8_t)(at - 1);
}

/* Another turn of the same contention. */
static void lock_take_turn(struct contended_lock *lock, const struct contended_lock *before)
{
	lock->begin = before->begin;
	lock->owner = before->owner;
	lock->has_slept = before->has_slept || before->letter;
}

/*
 * A mutex that is slept for tells of its contention again and again, as spinning and sleeping take
 * turns, and once of its end. What was begun inside an earlier turn is over.
 */
static void on_lock_begin(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_state *task;
	uint8_t at;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	task = &machine->task[cpu->current];
	if (!task->lock)
		task->lock = xreallocarray(NULL, LOCKS_MAX, sizeof(*task->lock));
	at = task_find_lock(task, event->lock.address);
	if (at == UINT8_MAX)
		at = task->lock_count;
	if (at < LOCKS_MAX) {
		struct contended_lock lock = {
			.address = event->lock.address,
			.flags = (uint32_t)event->lock.flags,
			.begin = machine->now,
			.owner = LINE_NONE,
		};

		if (at < task->lock_count)
			lock_take_turn(&lock, &task->lock[at]);
		task->lock[at] = lock;
		task->lock_count = (uint8_t)(at + 1);
	}
}

/* Who spins for a mutex gets it like one who slept; nobody sleeps for what all only spin for. */
static bool lock_has_owner(uint32_t flags)
{
	return !(flags & LOCK_READ) && (!(flags & LOCK_SPIN) || (flags & LOCK_MUTEX));
}

/* The last one that got the lock, if it may have it still; LINE_NONE: not known. */
static uint32_t lock_find_holder(const struct machine *machine, const struct contended_lock *lock,
                                 uint32_t waiter)
{
	const uint32_t *holder = object_pool_find(&machine->locks->holder, lock->address);

	return !holder || *holder == waiter || machine->task[*holder].kind == SEGMENT_DEAD
	               ? LINE_NONE
	               : *holder;
}

/* The line's contention ends, by what is told; NULL: by the end of the trace. */
static void lock_tell(struct machine *machine, uint32_t line, const struct contended_lock *lock,
                      const struct event *event, nsec_t end)
{
	uint32_t owner = lock->owner;
	struct interval interval = {
		.kind = INTERVAL_LOCK,
		.cpu = event ? event->cpu : machine->task[line].cpu,
		.begin = lock->begin,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = !event,
		.task = line,
		.lock = {
			.address = lock->address,
			.flags = lock->flags,
			.result = event ? event->lock.result : 0,
			.has_slept = lock->has_slept || lock->letter,
		},
	};

	/* nobody has let go of it before the sleeper's eyes: it may still be whose it was last */
	interval.other = owner == LINE_NONE ? lock_find_holder(machine, lock, line) : owner;
	machine_tell_interval(machine, &interval);
}

static void locks_close(struct machine *machine, nsec_t end)
{
	for (uint32_t line = 0; line < machine->timeline->line_count; line++) {
		const struct task_state *task = &machine->task[line];

		for (uint8_t at = task->kind == SEGMENT_DEAD ? 0 : task->lock_count; at-- > 0;)
			lock_tell(machine, line, &task->lock[at], NULL, end);
	}
}

/* The one of that address, and what was begun inside it and has not been ended. */
static void on_lock_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_state *task;
	uint8_t at;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	task = &machine->task[cpu->current];
	at = task_find_lock(task, event->lock.address);
	if (at == UINT8_MAX)
		return;
	if (machine_wants(machine, INTERVAL_LOCK))
		lock_tell(machine, cpu->current, &task->lock[at], event, machine->now);
	if (event->lock.result == 0 && lock_has_owner(task->lock[at].flags))
		locks_hold(machine, event->lock.address, cpu->current);
	task->lock_count = at;
}

void task_sleep_in_locks(struct task_state *task, uint8_t letter)
{
	struct contended_lock *lock;

	/* nobody sleeps while it spins */
	while (task->lock_count && (task->lock[task->lock_count - 1].flags & LOCK_SPIN))
		task->lock_count--;
	if (task->lock_count == 0)
		return;
	lock = &task->lock[task->lock_count - 1];
	if (lock->letter && lock->letter != letter) {
		task->lock_count = 0;
		return;
	}
	/* a mutex would have told of its contention again */
	lock->is_doubtful = lock->letter && (lock->flags & LOCK_MUTEX);
	lock->letter = letter;
}

static void on_lock_release(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)object_pool_take(&machine->locks->holder, event->lock.address);
	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	machine->task[cpu->current].released = event->lock.address;
	machine->task[cpu->current].released_at = machine->now;
}

static void on_futex_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu->current == LINE_NONE)
		return;
	cpu_leave_locks(machine, cpu);
	machine->task[cpu->current].is_in_futex = true;
	machine->task[cpu->current].futex = event->futex.address;
}

static void on_futex_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)event;
	cpu_leave_locks(machine, cpu);
	if (cpu->current != LINE_NONE)
		machine->task[cpu->current].is_in_futex = false;
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
	if (lock->is_doubtful && machine->task[wake->wakee].place.kind != PLACE_LOCK)
		cause->confidence = CONFIDENCE_LOW;
}

static void lock_refine(const struct machine *machine, const struct wake *wake,
                        struct cause_note *cause)
{
	const struct task_state *task = &machine->task[wake->wakee];
	const struct contended_lock *lock;

	/* a timeout or a signal ended the sleep, not the lock's release */
	if (cause->kind != CAUSE_TASK && cause->kind != CAUSE_UNKNOWN)
		return;
	if (task->lock_count && task->kind != SEGMENT_STOPPED) {
		lock = &task->lock[task->lock_count - 1];
		cause_note_become(cause, CAUSE_LOCK);
		cause->as.lock.address = lock->address;
		cause->as.lock.flags = lock->flags;
		lock_name_owner(machine, wake, lock, cause);
	} else if (task->is_in_futex) {
		cause->as.lock.address = task->futex;
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
	uint64_t address = cause->as.lock.address;

	if (task->lock_count && task->lock[task->lock_count - 1].address == address) {
		task->lock[task->lock_count - 1].owner = cause->waker;
		if (cause->waker != LINE_NONE)
			(void)object_pool_take(&machine->locks->holder, address);
		return;
	}
	cause_note_become(cause, cause->waker == LINE_NONE ? CAUSE_UNKNOWN : CAUSE_TASK);
	cause->originator = LINE_NONE;
}

/* An end that was lost must not make locks of later sleeps. */
static void locks_forget(struct machine *machine)
{
	object_pool_clear(&machine->locks->holder);
	for (size_t line = 0; line < machine->timeline->line_count; line++) {
		machine->task[line].lock_count = 0;
		machine->task[line].is_in_futex = false;
	}
}

static const struct object_pool_setup holder_pool = {
	.object_bytes = sizeof(uint32_t),
	.limit = OBJECTS_MAX,
	.kind = "owners of locks",
};

static void locks_begin(struct machine *machine)
{
	machine->locks = xcalloc(1, sizeof(*machine->locks));
	machine_begin_pool(machine, &machine->locks->holder, &holder_pool);
}

static void locks_end(struct machine *machine)
{
	object_pool_release(&machine->locks->holder);
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
	.concludes = 1u << CAUSE_LOCK,
	.begin = locks_begin,
	.close = locks_close,
	.forget = locks_forget,
	.end = locks_end,
};
