/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks of address spaces, by the events of each task that takes one (mmap_lock:*): the holder is
 * seen, not inferred. The lock was contended if it was held when another task requested it, or if
 * that task slept. Its owner is the holder at that time; for certain, if no other task acquired it
 * meanwhile.
 *
 *	start_locking   acquire_returned   released
 *	'- requests     '- holds it         '- released it
 *
 * A trylock is not a request.
 */
#include "base/assume.h"
#include "state/trackers.h"

#define RESULT_GIVEN_UP (-4) /* EINTR */

#define READERS_KEPT 4 /* readers whose tracks are known; more are counted */

/* The lock of one address space. */
struct mmap_lock {
	uint32_t writer; /* track; TRACK_NONE: none */
	uint32_t readers;
	uint32_t reader[READERS_KEPT]; /* tracks; TRACK_NONE: none */
	uint64_t times; /* how often it was acquired */
};

/* A task that requests such a lock. */
struct mmap_wait {
	uint64_t mm;
	nsec_t begin;
	uint64_t times;
	uint32_t owner;
	bool is_held;   /* the lock was held then */
	bool is_shared; /* the lock had several holders */
	bool has_slept;
};

OWN_DATA(mmap_locks, struct object_pool, MMAP_LOCK)

static void mmap_lock_forget_readers(struct mmap_lock *lock)
{
	lock->readers = 0;
	for (size_t i = 0; i < READERS_KEPT; i++)
		lock->reader[i] = TRACK_NONE;
}

static struct mmap_lock *mmap_lock_get(struct machine *machine, uint64_t mm)
{
	struct mmap_lock *lock = object_pool_find(mmap_locks(machine), mm);

	if (!lock) {
		lock = object_pool_put(mmap_locks(machine), mm);
		lock->writer = TRACK_NONE;
		mmap_lock_forget_readers(lock);
	}
	ASSUME(lock->writer == TRACK_NONE || machine_owns(machine, lock->writer));
	return lock;
}

/* The first place that has this track, or with TRACK_NONE the first free place; NULL: there is
   none. */
static uint32_t *mmap_lock_reader(struct mmap_lock *lock, uint32_t track)
{
	for (size_t i = 0; i < READERS_KEPT; i++)
		if (lock->reader[i] == track)
			return &lock->reader[i];
	return NULL;
}

static void on_ask(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct mmap_lock *lock;
	struct mmap_wait *wait;
	bool has_writer, is_for_readers;
	size_t known = 0;

	if (!cpu_is_in_task(cpu))
		return;
	lock = mmap_lock_get(machine, event->mmap_lock.mm);
	has_writer = lock->writer != TRACK_NONE;
	ASSUME(!has_writer || machine_owns(machine, lock->writer));
	is_for_readers = !has_writer && event->mmap_lock.is_write && lock->readers;
	while (known < READERS_KEPT - 1 && lock->reader[known] == TRACK_NONE)
		known++;
	wait = tracker_keep_task(machine, TRACKER_MMAP_LOCK, cpu->current);
	*wait = (struct mmap_wait){
		.mm = event->mmap_lock.mm,
		.begin = machine->now,
		.times = lock->times,
		.owner = is_for_readers ? lock->reader[known] : lock->writer,
		.is_held = has_writer || is_for_readers,
		.is_shared = is_for_readers && lock->readers > 1,
	};
}

/* The wait ends by that event; event NULL: the trace ends in it. */
static void wait_emit(struct machine *machine, uint32_t track, const struct mmap_wait *wait,
                      const struct event *event, nsec_t end)
{
	const struct mmap_lock *lock = mmap_lock_get(machine, wait->mm);
	bool is_sure = !wait->is_shared && lock->times == wait->times;
	struct interval interval = interval_of(INTERVAL_LOCK, machine->task[track].cpu, track,
	                                       wait->begin, end);

	ASSUME(wait->begin <= end && machine_owns(machine, track));
	interval.is_open = !event;
	interval.other = wait->owner;
	interval.lock = (struct lock_interval){
		.address = wait->mm,
		.what = LOCK_OF_MMAP,
		.result = !event || event->mmap_lock.is_success ? 0 : RESULT_GIVEN_UP,
		.has_slept = wait->has_slept,
		.owner_confidence = wait->owner == TRACK_NONE ? CONFIDENCE_LOW
		                    : is_sure                ? CONFIDENCE_HIGH
		                                             : CONFIDENCE_MEDIUM,
	};
	if (wait->has_slept || wait->is_held)
		machine_emit_interval(machine, &interval);
}

static void on_got(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct mmap_wait *wait;
	struct mmap_lock *lock;
	uint32_t *place;

	if (!cpu_is_in_task(cpu))
		return;
	wait = tracker_task(machine, TRACKER_MMAP_LOCK, cpu->current);
	if (wait && wait->mm == event->mmap_lock.mm)
		wait_emit(machine, cpu->current, wait, event, machine->now);
	if (wait)
		tracker_drop_task(machine, TRACKER_MMAP_LOCK, cpu->current);
	if (!event->mmap_lock.is_success)
		return;
	lock = mmap_lock_get(machine, event->mmap_lock.mm);
	lock->times++;
	/* a writer that downgrades to a reader is recorded only as a reader */
	lock->writer = event->mmap_lock.is_write ? cpu->current : TRACK_NONE;
	if (event->mmap_lock.is_write) {
		mmap_lock_forget_readers(lock);
		return;
	}
	lock->readers++;
	place = mmap_lock_reader(lock, TRACK_NONE);
	if (place)
		*place = cpu->current;
}

static void on_release(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct mmap_lock *lock = mmap_lock_get(machine, event->mmap_lock.mm);
	uint32_t *place = cpu->current == TRACK_NONE ? NULL : mmap_lock_reader(lock, cpu->current);

	if (event->mmap_lock.is_write) {
		lock->writer = TRACK_NONE;
		return;
	}
	lock->readers -= lock->readers > 0;
	if (place)
		*place = TRACK_NONE;
}

static void mmap_lock_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct mmap_wait *wait = tracker_task(machine, TRACKER_MMAP_LOCK, track);

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	if (wait && letter != 'R')
		wait->has_slept = true;
}

static void mmap_locks_close(struct machine *machine, nsec_t end)
{
	TRACKER_TASK_EACH(machine, TRACKER_MMAP_LOCK, track, const struct mmap_wait, wait)
		wait_emit(machine, track, wait, NULL, end);
}

static bool mmap_lock_is_held(const void *object)
{
	const struct mmap_lock *lock = object;

	return lock->writer != TRACK_NONE || lock->readers;
}

const struct tracker mmap_lock_tracker = {
	.handlers = HANDLERS(
		{EVENT_MMAP_LOCK_ASK, on_ask},
		{EVENT_MMAP_LOCK_GOT, on_got},
		{EVENT_MMAP_LOCK_RELEASE, on_release}),
	.own_bytes = sizeof(struct object_pool),
	.stores = STORES(POOL_AT(0, struct mmap_lock, OBJECTS_MAX, "locks of address spaces",
	                         mmap_lock_is_held)),
	.task_bytes = sizeof(struct mmap_wait),
	.sleep = mmap_lock_sleep,
	.close = mmap_locks_close,
	.forgets_tasks = true,
};
