/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "graph/timeline/cause_note.h"

void lock_list_init(struct lock_list *list)
{
	*list = (struct lock_list){0};
	map_init(&list->lock_by_hash);
	map_init(&list->share_by_hash);
	map_init(&list->caller_by_place);
}

void lock_list_release(struct lock_list *list)
{
	for (size_t i = 0; i < list->share_count; i++)
		distribution_release(&list->share[i].figures.length);
	free(list->lock);
	free(list->tenures);
	free(list->tally);
	free(list->share);
	map_release(&list->lock_by_hash);
	map_release(&list->share_by_hash);
	map_release(&list->caller_by_place);
}

/* Whether the function is part of the implementation of the kernel's locks: judged by the begin of
   its name, without underscores. Other functions have "lock" in their names, too, such as those of
   blocks and clocks. */
static bool function_is_of_locks(const char *function, size_t length)
{
	static const char *const begins[] = {
		"mutex_",       "ww_mutex_",     "rt_mutex_",  "rtlock_",   "rwsem_", "rwbase_",
		"down_",        "percpu_down_",  "percpu_rwsem_", "rt_spin_", "rt_read_",
		"rt_write_",    "raw_spin_",     "raw_read_",  "raw_write_", "queued_",
		"native_queued_",
	};

	while (length && *function == '_') {
		function++;
		length--;
	}
	if (length == 4 && memcmp(function, "down", 4) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (length > strlen(begins[i]) &&
		    memcmp(function, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* Whether the function is part of a program's library of locks, which C and C++ call. */
static bool function_is_of_user_locks(const char *function, size_t length)
{
	static const char *const begins[] = {
		"lll_", "pthread_", "futex_", "gthread_", "mtx_", "cnd_", "sem_",
		"std::mutex::", "std::recursive_mutex::", "std::unique_lock<", "std::lock_guard<",
		"std::scoped_lock<", "std::condition_variable::",
	};

	while (length && *function == '_') {
		function++;
		length--;
	}
	if (length > 3 && strncmp(function, "GI_", 3) == 0) /* glibc's own name of a function */
		return function_is_of_user_locks(function + 3, length - 3);
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (length > strlen(begins[i]) &&
		    memcmp(function, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static uint64_t lock_place_key(const struct lock *lock)
{
	uint64_t of = (uint64_t)lock->machine << 32 | (uint32_t)lock->process;

	return of ? hash_mix(hash_mix(0, of), lock->address) : lock->address;
}

static bool list_wants_caller(const struct lock_list *list, const struct lock *lock)
{
	return map_get(&list->caller_by_place, lock_place_key(lock)) == MAP_NONE &&
	       list->caller_by_place.count < LOCK_SHARES_MAX;
}

void lock_list_note_user_place(struct lock_list *list, struct intern *names,
                               const struct lock *lock, uint32_t user_frames)
{
	const char *function = intern_text(names, user_frames);
	size_t length = strcspn(function, ";");
	unsigned skipped = 0;

	if (!list_wants_caller(list, lock))
		return;
	while (function[length] && function_is_of_user_locks(function, length)) {
		function += length + 1;
		length = strcspn(function, ";");
		skipped++;
	}
	/* "prog+0x12ab" is no name */
	if (skipped < 2 || memmem(function, length, "+0x", 3))
		return;
	map_put(&list->caller_by_place, lock_place_key(lock),
	        intern_add(names, function, length));
}

void lock_list_note_place(struct lock_list *list, struct intern *names, const struct lock *lock,
                          uint32_t frames)
{
	const char *function = intern_text(names, frames);
	size_t length = strcspn(function, ";");

	if (!list_wants_caller(list, lock))
		return;
	while (function[length] && function_is_of_locks(function, length)) {
		function += length + 1;
		length = strcspn(function, ";");
	}
	map_put(&list->caller_by_place, lock_place_key(lock),
	        intern_add(names, function, length));
}

uint32_t lock_list_caller(const struct lock_list *list, const struct lock *lock)
{
	uint32_t name = map_get(&list->caller_by_place, lock_place_key(lock));

	return name == MAP_NONE ? 0 : name;
}

static bool list_is_full(const struct lock_list *list)
{
	return list->share_count == LOCK_SHARES_MAX;
}

uint64_t lock_hash(const struct lock *lock)
{
	return hash_mix(hash_mix(lock->address, (uint32_t)lock->process),
	                (uint64_t)lock->machine << 40 | (uint64_t)lock->dev << 8 | lock->kind);
}

/* The lock's index; MAP_NONE if there are too many locks. */
static uint32_t lock_index(struct lock_list *list, const struct lock *wanted)
{
	uint64_t hash = lock_hash(wanted);
	uint32_t index;

	MAP_HASH_EACH(&list->lock_by_hash, hash, index) {
		const struct lock *known = &list->lock[index];

		if (known->address == wanted->address && known->process == wanted->process &&
		    known->dev == wanted->dev && known->kind == wanted->kind &&
		    known->machine == wanted->machine)
			return index;
	}
	if (list_is_full(list) || list->lock_count == LOCK_SHARES_MAX)
		return MAP_NONE;
	ARRAY_GROW(list->lock, list->lock_count, list->lock_capacity);
	ARRAY_GROW(list->tenures, list->lock_count, list->tenures_capacity);
	ARRAY_GROW(list->tally, list->lock_count, list->tally_capacity);
	list->tenures[list->lock_count] = (struct lock_tenures){0};
	list->tally[list->lock_count] = (struct futex_tally){0};
	list->lock[list->lock_count] = *wanted;
	map_put(&list->lock_by_hash, hash, (uint32_t)list->lock_count);
	return (uint32_t)list->lock_count++;
}

/* The share of the time that the waiter waits for the lock while the owner has it; NULL if there
   are too many shares. */
static struct lock_share *lock_share_of(struct lock_list *list, uint32_t lock, uint32_t waiter,
                                        const struct lock_tenure *had)
{
	struct lock_share *share;
	uint32_t index;
	uint64_t hash = hash_mix(hash_mix(lock, waiter),
	                         (uint64_t)had->owner << 2 | had->confidence);

	MAP_HASH_EACH(&list->share_by_hash, hash, index) {
		share = &list->share[index];
		if (share->lock == lock && share->waiter == waiter && share->owner == had->owner &&
		    share->confidence == had->confidence)
			return share;
	}
	if (list_is_full(list))
		return NULL;
	ARRAY_GROW(list->share, list->share_count, list->share_capacity);
	share = &list->share[list->share_count];
	*share = (struct lock_share){
		.lock = lock,
		.waiter = waiter,
		.owner = had->owner,
		.confidence = had->confidence,
	};
	map_put(&list->share_by_hash, hash, (uint32_t)list->share_count++);
	return share;
}

struct lock_tenure lock_contention_tenure(const struct contention *contention)
{
	return (struct lock_tenure){
		.begin = contention->begin,
		.end = contention->begin + contention->length,
		.owner = contention->owner,
		.confidence = contention->confidence,
	};
}

/* A waiter for a file lock may sleep several times, while the lock changes hands: tenures of file
   locks are reported separately, if at all. */
bool lock_contention_shows_tenure(const struct contention *contention)
{
	return !contention->is_open && contention->lock.kind != LOCK_FLOCK &&
	       contention->lock.kind != LOCK_POSIX;
}

nsec_t lock_contention_free(const struct contention *contention)
{
	nsec_t end = contention->begin + contention->length;

	if (contention->released == 0 || contention->released >= end)
		return 0;
	return end - nsec_max(contention->released, contention->begin);
}

uint32_t lock_contention_owners(const struct contention *contention,
                                const struct lock_tenures *tenures,
                                struct lock_tenure ret[LOCK_OWNERS])
{
	struct lock_tenure last = lock_contention_tenure(contention);
	nsec_t end = last.end - lock_contention_free(contention);
	uint32_t count = 0;

	if (end < last.end)
		ret[count++] = (struct lock_tenure){end, last.end, TRACK_NONE, CONFIDENCE_LOW};
	last.end = end;
	return last.begin < end || count == 0
	               ? count + lock_tenures_within(tenures, &last, ret + count)
	               : count;
}

/* Divides the time of a contention among the shares of the lock's owners meanwhile. */
static void list_add_owned(struct lock_list *list, uint32_t lock,
                           const struct contention *contention)
{
	struct lock_tenure part[LOCK_OWNERS];
	uint32_t count = lock_contention_owners(contention, &list->tenures[lock], part);

	for (uint32_t i = 0; i < count; i++) {
		struct lock_share *share =
			lock_share_of(list, lock, contention->waiter, &part[i]);

		if (share)
			share->owned += part[i].end - part[i].begin;
	}
}

void lock_list_add(struct lock_list *list, const struct contention *contention)
{
	uint32_t lock = lock_index(list, &contention->lock);
	const struct lock_tenure last = lock_contention_tenure(contention);
	struct lock_share *share =
		lock == MAP_NONE ? NULL : lock_share_of(list, lock, contention->waiter, &last);

	if (!share) {
		list->left_out++;
		return;
	}
	distribution_add(&share->figures.length, contention->length, contention->begin);
	share->figures.open += contention->is_open;
	share->figures.slept += contention->has_slept ? contention->length : 0;
	(void)futex_tally_add(&list->tally[lock], contention->signs, last.begin, last.end);
	list_add_owned(list, lock, contention);
	if (lock_contention_shows_tenure(contention))
		lock_tenures_add(&list->tenures[lock], &last);
}

/* A condition variable of glibc has two futexes, 4 bytes apart, and its waiters sleep on them in
   turns. Not both need show that they are no semaphore. */
static bool lock_is_of_condition(const struct lock_list *list, uint32_t lock)
{
	struct lock other = list->lock[lock];
	uint32_t index;
	uint64_t hash;

	other.address ^= 4;
	hash = lock_hash(&other);
	MAP_HASH_EACH(&list->lock_by_hash, hash, index)
		if (list->lock[index].address == other.address &&
		    list->lock[index].process == other.process &&
		    list->lock[index].kind == other.kind &&
		    list->lock[index].machine == other.machine)
			return futex_tally_kind(&list->tally[index]) == FUTEX_KIND_CONDITION;
	return false;
}

static enum futex_kind list_futex_kind(const struct lock_list *list, uint32_t lock)
{
	enum futex_kind kind = futex_tally_kind(&list->tally[lock]);

	return kind == FUTEX_KIND_SIGNALLED && lock_is_of_condition(list, lock)
	               ? FUTEX_KIND_CONDITION
	               : kind;
}

enum lock_kind lock_list_kind(const struct lock_list *list, uint32_t lock)
{
	static const uint8_t kinds[] = {
		[FUTEX_KIND_UNKNOWN] = LOCK_FUTEX,
		[FUTEX_KIND_LOCK] = LOCK_FUTEX,
		[FUTEX_KIND_JOIN] = LOCK_JOIN,
		[FUTEX_KIND_CONDITION] = LOCK_CONDITION,
		[FUTEX_KIND_BARRIER] = LOCK_BARRIER,
		[FUTEX_KIND_SEMAPHORE] = LOCK_POSTED,
		[FUTEX_KIND_SIGNALLED] = LOCK_SIGNALLED,
	};

	return list->lock[lock].kind == LOCK_FUTEX
	               ? (enum lock_kind)kinds[list_futex_kind(list, lock)]
	               : (enum lock_kind)list->lock[lock].kind;
}

bool lock_list_knows_owners(const struct lock_list *list, uint32_t lock)
{
	return list->lock[lock].kind == LOCK_FUTEX
	               ? list_futex_kind(list, lock) == FUTEX_KIND_LOCK
	               : list->lock[lock].kind != LOCK_JOIN;
}

void lock_list_add_tenure(struct lock_list *list, const struct lock *lock,
                          const struct lock_tenure *tenure)
{
	uint32_t index = lock_index(list, lock);

	if (index != MAP_NONE)
		lock_tenures_add(&list->tenures[index], tenure);
}

void lock_figures_add(struct lock_figures *sum, const struct lock_figures *more)
{
	if (more->length.count && more->length.max == sum->length.max)
		sum->length.max_at = nsec_min(sum->length.max_at, more->length.max_at);
	distribution_merge(&sum->length, &more->length);
	sum->open += more->open;
	sum->slept += more->slept;
}
