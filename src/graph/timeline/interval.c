/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interval.h"

#include <assert.h>
#include <netinet/in.h>

#include "timeline.h"

/* LCB_F_* of the kernel's include/trace/events/lock.h */
#define FLAG_SPIN   0x01
#define FLAG_READ   0x02
#define FLAG_WRITE  0x04
#define FLAG_RT     0x08
#define FLAG_PERCPU 0x10
#define FLAG_MUTEX  0x20

const char *lock_kind_name(enum lock_kind kind)
{
	static const char *const names[] = {
		[LOCK_SEMAPHORE] = "semaphore", [LOCK_MUTEX] = "mutex",
		[LOCK_RWSEM] = "rwsem",         [LOCK_RWLOCK] = "rwlock",
		[LOCK_SPINLOCK] = "spinlock",   [LOCK_RTMUTEX] = "rtmutex",
		[LOCK_FUTEX] = "futex",         [LOCK_PERCPU_RWSEM] = "percpu-rwsem",
		[LOCK_FLOCK] = "flock",         [LOCK_POSIX] = "posix",
		[LOCK_MMAP] = "mmap_lock",      [LOCK_JOIN] = "join",
		[LOCK_CONDITION] = "condition", [LOCK_BARRIER] = "barrier",
		[LOCK_POSTED] = "semaphore",
		[LOCK_SIGNALLED] = "condition-or-semaphore",
	};

	assert((size_t)kind < sizeof(names) / sizeof(*names) && names[kind]);
	return names[kind];
}

bool lock_kind_has_owner(enum lock_kind kind)
{
	return kind < LOCK_JOIN;
}

enum lock_kind lock_kind_of_interval(const struct lock_interval *lock)
{
	static const uint8_t kinds[] = {
		[LOCK_OF_FLOCK] = LOCK_FLOCK,
		[LOCK_OF_POSIX] = LOCK_POSIX,
		[LOCK_OF_MMAP] = LOCK_MMAP,
		[LOCK_OF_NAME] = 0,
	};
	uint32_t flags = lock->flags;

	assert(lock->what < sizeof(kinds));
	if (kinds[lock->what])
		return (enum lock_kind)kinds[lock->what];
	if (flags & FLAG_MUTEX)
		return LOCK_MUTEX;
	if (flags & FLAG_PERCPU)
		return LOCK_PERCPU_RWSEM;
	/* on realtime kernels spinlocks, rwlocks and rwsems are made of rtmutexes, and say so */
	if (flags & (FLAG_READ | FLAG_WRITE))
		return flags & (FLAG_SPIN | FLAG_RT) ? LOCK_RWLOCK : LOCK_RWSEM;
	if (flags & FLAG_RT)
		return LOCK_RTMUTEX;
	return flags & FLAG_SPIN ? LOCK_SPINLOCK : LOCK_SEMAPHORE;
}

bool request_time(const struct interval *interval, struct request_time *ret)
{
	const struct exchange_interval *exchange = &interval->exchange;
	bool is_client = exchange->is_active;
	nsec_t length = is_client ? exchange->wait : exchange->work;

	assert(interval->kind == INTERVAL_EXCHANGE);
	if (exchange->of.protocol != IPPROTO_TCP || interval->task == TRACK_NONE ||
	    length == NSEC_NEVER || (!is_client && !exchange->of.is_passive))
		return false;
	*ret = (struct request_time){
		.task = interval->task,
		.is_client = is_client,
		.address = is_client ? exchange->of.peer : exchange->of.local,
		.length = length,
		/* the wait of a client ends at its first read, where the interval begins */
		.end = is_client ? interval->begin : exchange->answered,
	};
	ret->begin = ret->end - length;
	return true;
}
