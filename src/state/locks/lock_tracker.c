/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contended locks: a sleep between contention_begin and contention_end of the same task is for the
 * lock. A task that ended it has released the lock and is assumed to be the owner, for certain if
 * the kernel also records the release. While the lock is not released, the owner is assumed to be
 * the last task that acquired it after contending for it: a guess.
 *
 * Without a recorded end, every later sleep would count as one for the lock. So contention is also
 * over when the task is seen elsewhere: by the stack of its sleep (place_tracker.c), by the state
 * it sleeps in, which stays the same for one lock (lock_sleep()), or by an act that never happens
 * on the way to a lock (cpu_leave_locks()). Waking others and issuing requests are no such acts: on
 * its way to sleep a task wakes another worker and has its plugged requests issued.
 */

#include "base/assume.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "state/core/held_wait.h"
#include "state/trackers.h"

/* LCB_F_SPIN, LCB_F_READ, LCB_F_MUTEX of the kernel's include/trace/events/lock.h */
#define LOCK_SPIN  0x01
#define LOCK_READ  0x02
#define LOCK_MUTEX 0x20

/* The most locks that one task contends for at once: a sleeping one and spinning ones inside it. */
#define LOCKS_MAX 4

struct contended_lock {
	uint64_t address;
	uint32_t flags;
	nsec_t begin;     /* of its first turn */
	uint32_t owner;   /* as in struct interval */
	uint32_t former;  /* the owner before the last wake-up; TRACK_NONE: not known */
	bool has_slept;   /* in an earlier turn */
	uint8_t confidence; /* enum confidence, in the owner */
	uint8_t letter;   /* letter of the state in which the task slept for it; 0: it has not slept
	                     for it */
	bool is_doubtful; /* its last sleep may be for something else */
};

/* Locks of one task. */
struct task_locks {
	struct contended_lock lock[LOCKS_MAX]; /* locks that it contends for, innermost last */
	uint8_t count;
	uint64_t released; /* the lock that it released last while others contended; 0: none */
	nsec_t released_at;
};

/* uint32_t, a track, by address: the last task that acquired the lock, as far as known */
OWN_DATA(locks_holders, struct object_pool, LOCK)
TASK_DATA(task_locks, struct task_locks, LOCK)

/* The innermost lock that the task contends for; NULL: none. */
static struct contended_lock *task_lock(const struct machine *machine, uint32_t track)
{
	struct task_locks *locks = task_locks(machine, track);

	ASSUME(!locks || locks->count <= LOCKS_MAX);
	return locks && locks->count ? &locks->lock[locks->count - 1] : NULL;
}

/* Keeps only the first `count` of the locks that the task contends for. */
static void task_keep_locks(struct machine *machine, uint32_t track, struct task_locks *locks,
                            uint8_t count)
{
	ASSUME(count <= locks->count);
	locks->count = count;
	if (count == 0 && !locks->released)
		tracker_drop_task(machine, TRACKER_LOCK, track);
}

uint64_t lock_address(const struct machine *machine, uint32_t track)
{
	const struct contended_lock *lock = task_lock(machine, track);

	return lock ? lock->address : 0;
}

void lock_leave(struct machine *machine, uint32_t track)
{
	struct task_locks *locks = task_locks(machine, track);

	if (locks)
		task_keep_locks(machine, track, locks, 0);
}

void lock_note_limit(struct machine *machine, uint32_t track)
{
	if (task_lock(machine, track) && task_lock(machine, track)->flags)
		lock_leave(machine, track);
}

static void locks_hold(struct machine *machine, uint64_t address, uint32_t track)
{
	ASSUME(machine_owns(machine, track));
	*(uint32_t *)object_pool_put(locks_holders(machine), address) = track;
}

/* Index of the lock among the task's locks; UINT8_MAX: the task does not contend for it, as far as
   known. */
static uint8_t locks_find(const struct task_locks *locks, uint64_t address)
{
	uint8_t at = locks->count;

	while (at > 0 && locks->lock[at - 1].address != address)
		at--;
	return (uint8_t)(at - 1);
}

/*
 * A mutex that is slept for records its contention repeatedly, as spinning and sleeping take turns,
 * and its end once. Contention that began inside an earlier turn is over.
 */
static void on_lock_begin(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct contended_lock *lock;
	struct task_locks *locks;
	uint8_t at;

	if (!cpu_is_in_task(cpu))
		return;
	locks = tracker_keep_task(machine, TRACKER_LOCK, cpu->current);
	at = locks_find(locks, event->lock.address);
	if (at == UINT8_MAX && locks->count == LOCKS_MAX)
		return;
	if (at == UINT8_MAX) {
		at = locks->count;
		locks->lock[at] = (struct contended_lock){
			.address = event->lock.address, .begin = machine->now, .owner = TRACK_NONE};
	}
	/* or it is another turn of the same contention */
	lock = &locks->lock[at];
	lock->flags = (uint32_t)event->lock.flags;
	lock->former = TRACK_NONE;
	lock->has_slept |= lock->letter != 0;
	lock->letter = 0;
	lock->is_doubtful = false;
	locks->count = (uint8_t)(at + 1);
}

/* The last task that acquired the lock, if it may still hold it; TRACK_NONE: not known. */
static uint32_t lock_find_holder(const struct machine *machine, const struct contended_lock *lock,
                                 uint32_t waiter)
{
	const uint32_t *holder = object_pool_find(locks_holders(machine), lock->address);

	ASSUME(!holder || machine_owns(machine, *holder));
	return !holder || *holder == waiter || machine->task[*holder].kind == SEGMENT_DEAD
	               ? TRACK_NONE
	               : *holder;
}

/* The track's contention ends by that event; event NULL: the trace ends in it. */
static void lock_emit(struct machine *machine, uint32_t track, const struct contended_lock *lock,
                      const struct event *event, nsec_t end)
{
	uint32_t owner = lock->owner;
	const char *name =
		machine->setup.object
			? machine->setup.object(machine->setup.symbols, lock->address)
			: NULL;
	struct interval interval = interval_of(INTERVAL_LOCK,
	                                       event ? event->cpu : machine->task[track].cpu, track,
	                                       lock->begin, end);

	ASSUME(lock->begin <= end);
	interval.is_open = !event;
	interval.lock = (struct lock_interval){
		.address = lock->address,
		.flags = lock->flags,
		.name = name ? intern_adds(&machine->timeline->names, name) : 0,
		.result = event ? event->lock.result : 0,
		.has_slept = lock->has_slept || lock->letter,
		.owner_confidence = owner == TRACK_NONE ? CONFIDENCE_LOW : lock->confidence,
	};
	if (!(lock->flags & (LOCK_SPIN | LOCK_MUTEX)) &&
	    machine->task[track].has & TRACKER_BIT(MMAP_LOCK))
		return; /* the events of the mmap_lock that it has requested say more */
	/* no task released it while the sleeper waited: the last owner may still hold it */
	interval.other = owner == TRACK_NONE ? lock_find_holder(machine, lock, track) : owner;
	machine_emit_interval(machine, &interval);
}

static void locks_close(struct machine *machine, nsec_t end)
{
	if (!machine_wants(machine, INTERVAL_LOCK))
		return;
	TRACKER_TASK_EACH(machine, TRACKER_LOCK, track, const struct task_locks, locks)
		for (uint8_t at = locks->count; at-- > 0;)
			lock_emit(machine, track, &locks->lock[at], NULL, end);
}

/* The task gave the lock up, with or without having slept for it: such a sleep was for the lock. */
static void lock_note_vain(struct machine *machine, uint32_t track,
                           const struct contended_lock *lock)
{
	struct cause_note cause;

	ASSUME(lock->owner == TRACK_NONE);
	cause_note_init(&cause, CAUSE_LOCK, CONFIDENCE_MEDIUM);
	cause.as.lock.address = lock->address;
	cause.as.lock.flags = lock->flags;
	cause_note_name_holder(&cause, lock_find_holder(machine, lock, track));
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){lock->begin, machine->now, CAUSE_NONE, AIM_LOCK,
	                                    AIM_SIGNAL},
	                 &cause);
}

/* Ends the contention for the lock of that address. Contention that began inside it has no recorded
   end and is dropped. */
static void on_lock_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_locks *locks =
		cpu_is_in_task(cpu) ? task_locks(machine, cpu->current) : NULL;
	uint8_t at = locks ? locks_find(locks, event->lock.address) : UINT8_MAX;
	struct contended_lock *lock;

	if (at == UINT8_MAX)
		return;
	lock = &locks->lock[at];
	ASSUME(lock->begin <= machine->now);
	if (event->lock.result < 0) { /* the task that woke it last had not released the lock */
		lock->owner = TRACK_NONE;
		if (lock->former != TRACK_NONE)
			locks_hold(machine, lock->address, lock->former);
		lock_note_vain(machine, cpu->current, lock);
	}
	if (machine_wants(machine, INTERVAL_LOCK))
		lock_emit(machine, cpu->current, lock, event, machine->now);
	/* a task that spins for a mutex acquires it like one that slept; pure spinlocks never put a
	   task to sleep */
	if (event->lock.result == 0 && !(lock->flags & LOCK_READ) &&
	    (!(lock->flags & LOCK_SPIN) || lock->flags & LOCK_MUTEX))
		locks_hold(machine, lock->address, cpu->current);
	task_keep_locks(machine, cpu->current, locks, at);
}

/* Keeps a lock only if the task can sleep for it in that state. */
static void lock_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct task_locks *locks = task_locks(machine, track);
	struct contended_lock *lock;
	uint8_t count = locks->count;

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	if (letter == 'R')
		return;
	/* a spinning task does not sleep */
	while (count && (locks->lock[count - 1].flags & LOCK_SPIN))
		count--;
	lock = count ? &locks->lock[count - 1] : NULL;
	if (lock && lock->letter && lock->letter != letter)
		count = 0;
	task_keep_locks(machine, track, locks, count);
	if (count == 0)
		return;
	/* a mutex would have recorded its contention again for another sleep */
	lock->is_doubtful = lock->letter && (lock->flags & LOCK_MUTEX);
	lock->letter = letter;
}

static void on_lock_release(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_locks *locks;

	(void)object_pool_take(locks_holders(machine), event->lock.address);
	if (!cpu_is_in_task(cpu))
		return;
	locks = tracker_keep_task(machine, TRACKER_LOCK, cpu->current);
	locks->released = event->lock.address;
	locks->released_at = machine->now;
}

static void lock_refine(const struct machine *machine, const struct wake *wake,
                        struct cause_note *cause)
{
	const struct contended_lock *lock = task_lock(machine, wake->wakee);
	const struct task_locks *waker;
	bool has_released;

	ASSUME(machine_owns(machine, wake->wakee));
	/* a timeout or a signal ended the sleep, not the lock's release */
	if (!lock || machine->task[wake->wakee].kind == SEGMENT_STOPPED ||
	    (cause->kind != CAUSE_TASK && cause->kind != CAUSE_UNKNOWN))
		return;
	cause_note_become(cause, CAUSE_LOCK);
	cause->as.lock.address = lock->address;
	cause->as.lock.flags = lock->flags;
	ASSUME(cause->kind == CAUSE_LOCK);
	cause->originator = cause->waker;
	if (cause->waker == TRACK_NONE) {
		cause->originator = lock_find_holder(machine, lock, wake->wakee);
		return;
	}
	waker = task_locks(machine, cause->waker);
	has_released = waker && waker->released == lock->address &&
	               waker->released_at >= machine->task[wake->wakee].since;
	cause->confidence = has_released ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	if (lock->is_doubtful && task_place(machine, wake->wakee).kind != PLACE_LOCK)
		cause->confidence = CONFIDENCE_LOW;
}

/*
 * An explanation made before the sleep began holds only if the sleep was for that lock. Then the
 * waker was the owner and has released the lock, or there was no owner.
 */
static void lock_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct contended_lock *lock = task_lock(machine, track);

	ASSUME(cause->kind == CAUSE_LOCK);
	if (lock && lock->address == cause->as.lock.address) {
		lock->owner = cause->waker;
		lock->confidence = cause->confidence;
		lock->former = lock_find_holder(machine, lock, track);
		if (cause->waker != TRACK_NONE)
			(void)object_pool_take(locks_holders(machine), lock->address);
		return;
	}
	cause_note_become(cause, cause->waker == TRACK_NONE ? CAUSE_UNKNOWN : CAUSE_TASK);
	cause->originator = TRACK_NONE;
}

/* A lost end must not turn later sleeps into sleeps for the lock. */
static void locks_forget(struct machine *machine)
{
	TRACKER_TASK_EACH(machine, TRACKER_LOCK, track, struct task_locks, locks)
		task_keep_locks(machine, track, locks, 0);
}

const struct tracker lock_tracker = {
	.handlers = HANDLERS(
		{EVENT_LOCK_BEGIN, on_lock_begin},
		{EVENT_LOCK_END, on_lock_end},
		{EVENT_LOCK_RELEASE, on_lock_release}),
	.own_bytes = sizeof(struct object_pool),
	.stores = STORES(POOL_AT(0, uint32_t, OBJECTS_MAX, "owners of locks", NULL)),
	.task_bytes = sizeof(struct task_locks),
	.refine = {lock_refine, 1u << CAUSE_TASK | 1u << CAUSE_UNKNOWN, ONLY_KEPT | AND_UNWOKEN},
	.sleep = lock_sleep,
	.stop = lock_leave, /* no task is stopped on its way to a lock */
	.conclude = {lock_conclude, 1u << CAUSE_LOCK, 0},
	.close = locks_close,
	.forget = locks_forget,
};
