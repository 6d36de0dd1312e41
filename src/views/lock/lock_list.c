/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_list.h"

#include <string.h>

#include "analysis/hangs/hangs.h"
#include "analysis/task_groups.h"
#include "base/data/array.h"
#include "graph/aims/aim.h"
#include "graph/timeline/cause_note.h"
#include "sentences/thresholds.h"

/* How much the tenure may still matter. A long tenure matters more: some tasks may have waited
   through much of it. */
static double tenure_weight(const struct lock_tenure *tenure, nsec_t now)
{
	nsec_t age = now > tenure->end ? now - tenure->end : 0;

	return (double)(tenure->end - tenure->begin) / (double)(age + 1);
}

static uint32_t tenures_lightest(const struct lock_tenures *tenures, nsec_t now)
{
	double least = tenure_weight(&tenures->tenure[0], now);
	uint32_t lightest = 0;

	for (uint32_t i = 1; i < tenures->count; i++) {
		double weight = tenure_weight(&tenures->tenure[i], now);

		if (weight >= least)
			continue;
		lightest = i;
		least = weight;
	}
	return lightest;
}

void lock_tenures_add(struct lock_tenures *tenures, const struct lock_tenure *tenure)
{
	struct lock_tenure added = *tenure;
	uint32_t moved = tenures->count;

	if (tenures->count && tenures->tenure[0].end > added.begin)
		added.begin = tenures->tenure[0].end;
	/* if it ends before a known tenure, or with it, nothing is left to add */
	if (added.begin >= added.end)
		return;
	if (tenures->count == LOCK_TENURES)
		moved = tenures_lightest(tenures, added.end);
	else
		tenures->count++;
	memmove(&tenures->tenure[1], &tenures->tenure[0], moved * sizeof(added));
	tenures->tenure[0] = added;
}

uint32_t lock_tenures_within(const struct lock_tenures *tenures, const struct lock_tenure *last,
                             struct lock_tenure ret[LOCK_TENURES + 1])
{
	struct lock_tenure part = *last;
	uint32_t count = 0;

	for (uint32_t i = 0; i < tenures->count; i++) {
		const struct lock_tenure *before = &tenures->tenure[i];

		if (before->end <= last->begin)
			break;
		if (before->end >= part.end) {
			/* the wait is cut, while this owner had the lock */
			if (part.owner == TRACK_NONE && before->begin < part.end) {
				part.owner = before->owner;
				part.next = before->next;
				part.confidence = before->confidence;
			}
			continue;
		}
		part.begin = before->end;
		ret[count++] = part;
		part = *before;
		part.begin = last->begin;
	}
	ret[count++] = part;
	return count;
}

void lock_list_init(struct lock_list *list)
{
	*list = (struct lock_list){0};
	tally_init(&list->locks, sizeof(*list->known), sizeof(list->known->lock), LOCK_SHARES_MAX);
	tally_init(&list->shares, sizeof(*list->share), offsetof(struct lock_share, figures),
	           LOCK_SHARES_MAX);
	map_init(&list->caller_by_place);
}

void lock_list_release(struct lock_list *list)
{
	for (size_t i = 0; i < list->share_count; i++)
		distribution_release(&list->share[i].figures.length);
	tally_release(&list->locks);
	tally_release(&list->shares);
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

uint64_t lock_hash(const struct lock *lock)
{
	return hash_mix(hash_mix(lock->address, (uint32_t)lock->process),
	                (uint64_t)lock->machine << 40 | (uint64_t)lock->dev << 8 | lock->kind);
}

static bool lock_is_alike(const void *known, const void *wanted)
{
	const struct lock *a = &((const struct known_lock *)known)->lock, *b = wanted;

	return a->address == b->address && a->process == b->process && a->dev == b->dev &&
	       a->kind == b->kind && a->machine == b->machine;
}

/* The lock; NULL if there are too many locks, or no room for a share of a new one. */
static struct known_lock *lock_find(struct lock_list *list, const struct lock *wanted)
{
	uint64_t hash = lock_hash(wanted);
	struct known_lock *known = tally_find_of(&list->locks, &hash, wanted, lock_is_alike);

	if (known || list->share_count == LOCK_SHARES_MAX)
		return known;
	return tally_make(&list->locks, hash, wanted);
}

static bool share_is(const void *row, const void *wanted)
{
	return memcmp(row, wanted, offsetof(struct lock_share, figures)) == 0;
}

/* The share of the time that the waiter waits for the lock while the owner has it; NULL if there
   are too many shares. */
static struct lock_share *lock_share_of(struct lock_list *list, uint32_t lock, uint32_t waiter,
                                        const struct lock_tenure *had)
{
	const uint32_t key[] = {lock, waiter, had->owner, had->confidence};

	_Static_assert(sizeof(key) == offsetof(struct lock_share, figures), "it has no more");
	return tally_row_of(&list->shares,
	                    hash_mix((uint64_t)lock << 32 | waiter,
	                             (uint64_t)had->owner << 32 | had->confidence),
	                    key, share_is);
}

struct lock_tenure lock_contention_tenure(const struct contention *contention)
{
	return (struct lock_tenure){
		.begin = contention->begin,
		.end = contention->begin + contention->length,
		.owner = contention->owner,
		.next = contention->waiter,
		.confidence = contention->confidence,
	};
}

/* The kernel gives a lock to whom it wakes, which may run much later: who comes again meanwhile
   waits for that task, and not for itself. */
static void tenure_hand_over(struct lock_tenure *tenure, uint32_t waiter)
{
	if (tenure->owner == waiter && tenure->next != TRACK_NONE)
		tenure->owner = tenure->next;
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
		ret[count++] = (struct lock_tenure){end, last.end, TRACK_NONE, TRACK_NONE,
		                                    CONFIDENCE_LOW};
	last.end = end;
	if (last.begin < end || count == 0)
		count += lock_tenures_within(tenures, &last, ret + count);
	for (uint32_t i = 0; i < count; i++)
		tenure_hand_over(&ret[i], contention->waiter);
	return count;
}

/* Divides the time of a contention among the shares of the lock's owners meanwhile. */
static void list_add_owned(struct lock_list *list, const struct known_lock *lock,
                           const struct contention *contention)
{
	struct lock_tenure part[LOCK_OWNERS];
	uint32_t count = lock_contention_owners(contention, &lock->tenures, part);
	uint32_t number = tally_number(&list->locks, lock);

	for (uint32_t i = 0; i < count; i++) {
		struct lock_share *share =
			lock_share_of(list, number, contention->waiter, &part[i]);

		if (share)
			share->owned += part[i].end - part[i].begin;
	}
}

void lock_list_add(struct lock_list *list, const struct contention *contention)
{
	struct known_lock *lock = lock_find(list, &contention->lock);
	const struct lock_tenure last = lock_contention_tenure(contention);
	struct lock_share *share =
		lock ? lock_share_of(list, tally_number(&list->locks, lock),
		                     contention->waiter, &last)
		     : NULL;

	if (!share) {
		list->left_out++;
		return;
	}
	distribution_add(&share->figures.length, contention->length, contention->begin);
	share->figures.open += contention->is_open;
	share->figures.slept += contention->has_slept ? contention->length : 0;
	(void)futex_tally_add(&lock->tally, contention->signs, last.begin, last.end);
	list_add_owned(list, lock, contention);
	if (lock_contention_shows_tenure(contention))
		lock_tenures_add(&lock->tenures, &last);
}

/* A condition variable of glibc has two futexes, 4 bytes apart, and its waiters sleep on them in
   turns. Not both need show that they are no semaphore. */
static bool lock_is_of_condition(const struct lock_list *list, const struct known_lock *known)
{
	struct lock other = known->lock;
	const struct known_lock *found;
	uint64_t hash;

	other.address ^= 4;
	hash = lock_hash(&other);
	found = tally_find_of(&list->locks, &hash, &other, lock_is_alike);
	return found && futex_tally_kind(&found->tally) == FUTEX_KIND_CONDITION;
}

static enum futex_kind list_futex_kind(const struct lock_list *list, uint32_t lock)
{
	enum futex_kind kind = futex_tally_kind(&list->known[lock].tally);

	return kind == FUTEX_KIND_SIGNALLED && lock_is_of_condition(list, &list->known[lock])
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

	return list->known[lock].lock.kind == LOCK_FUTEX
	               ? (enum lock_kind)kinds[list_futex_kind(list, lock)]
	               : (enum lock_kind)list->known[lock].lock.kind;
}

bool lock_list_knows_owners(const struct lock_list *list, uint32_t lock)
{
	return list->known[lock].lock.kind == LOCK_FUTEX
	               ? list_futex_kind(list, lock) == FUTEX_KIND_LOCK
	               : list->known[lock].lock.kind != LOCK_JOIN;
}

void lock_list_add_tenure(struct lock_list *list, const struct lock *lock,
                          const struct lock_tenure *tenure)
{
	struct known_lock *known = lock_find(list, lock);

	if (known)
		lock_tenures_add(&known->tenures, tenure);
}

void lock_figures_add(struct lock_figures *sum, const struct lock_figures *more)
{
	if (more->length.count && more->length.max == sum->length.max)
		sum->length.max_at = nsec_min(sum->length.max_at, more->length.max_at);
	distribution_merge(&sum->length, &more->length);
	sum->open += more->open;
	sum->slept += more->slept;
}

static bool list_has_waiter(const struct lock_list *list, uint32_t track)
{
	for (size_t i = 0; i < list->share_count; i++)
		if (list->share[i].waiter == track && list->share[i].figures.open)
			return true;
	return false;
}

static bool segment_is_for_lock(const struct question *question, const struct hang *hang)
{
	struct track *track = &question->timeline->track[hang->track];
	size_t at = timeline_find(track, hang->end);

	return hang->is_open && at != SIZE_MAX &&
	       brief_aim_of_segment(question->timeline, hang->track, at).kind == AIM_LOCK;
}

static struct interval interval_of(const struct hang *hang)
{
	const struct open_wait *wait = hang->wait;
	struct interval interval = {
		.kind = INTERVAL_LOCK,
		.begin = hang->begin,
		.end = hang->end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = true,
		.task = hang->track,
		.other = hang->owner,
		.lock = {
			.address = wait->address,
			.has_slept = true,
			.owner_confidence = CONFIDENCE_HIGH,
		},
	};

	if (open_wait_is_for_file_lock(wait)) {
		interval.lock.dev = wait->dev;
		interval.lock.what = wait->kind == OPEN_WAIT_FLOCK ? LOCK_OF_FLOCK : LOCK_OF_POSIX;
	} else {
		interval.lock.flags = LOCK_FLAG_FUTEX | FUTEX_SLEPT | FUTEX_LOCKED;
	}
	return interval;
}

void noted_locks_visit(const struct question *question, const struct lock_list *list,
                       void (*take)(void *state, const struct interval *interval), void *state)
{
	struct timeline *timeline = question->timeline;
	struct hangs hangs;

	hangs_find(&hangs, question, /* partners= */ NULL);
	EACH_OF(hangs.hang, hangs.count, const struct hang, hang) {
		struct interval interval;

		if (!hang->wait->address || !segment_is_for_lock(question, hang) ||
		    list_has_waiter(list, hang->track))
			continue;
		interval = interval_of(hang);
		if (open_wait_is_for_file_lock(hang->wait) && hang->wait->path)
			file_names_add(&timeline->files, &timeline->names, hang->wait->dev,
			               hang->wait->address, hang->wait->path);
		take(state, &interval);
	}
	hangs_release(&hangs);
}

#define GROUPS_MAX (1u << 16)

struct group_row {
	struct group_key { uint32_t group; } key;
	struct distribution length;
	nsec_t slept;
};

struct lock_groups {
	const struct question *question;
	struct task_groups groups;
	struct tally rows;
	struct group_shares owners; /* of `length`: the groups that had the locks */
};

static void share_add(struct lock_groups *self, const struct lock_share *share)
{
	const struct task_groups *groups = &self->groups;
	uint32_t group = groups->of_track[share->waiter];
	struct group_row *row = group == TASK_GROUP_NONE
	                                ? NULL
	                                : tally_row(&self->rows, &(struct group_key){group});

	if (!row)
		return;
	distribution_merge(&row->length, &share->figures.length);
	row->slept += share->figures.slept;
	if (share->owner != TRACK_NONE && groups->of_track[share->owner] != TASK_GROUP_NONE)
		group_shares_add(&self->owners, group, groups->of_track[share->owner],
		                 share->owned);
}

#define AT(member) RELATION_AT(struct group_row, member)

enum {
	COLUMN_GROUP,
	COLUMN_OWNERS = 6,
	COLUMN_OWNERS_TEXT,
	COLUMN_PIDS,
};

static const struct field fields[] = {
	TASK_GROUP_FIELDS(COLUMN_GROUP),
	{NULL, "COUNT", CELL_COUNT, COLUMN_SPARE(1), AT(length.count)},
	{"slept_ns", "SLEPT", CELL_DURATION, COLUMN_USEFUL(1), AT(slept)},
	{NULL, "TOTAL", CELL_DURATION, 0, AT(length.total)},
	{"length", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(length)},
	[COLUMN_OWNERS] = {"owners", "WHO HAD IT", CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_OWNERS_TEXT] = {NULL, "WHO HAD IT", CELL_TEXT, 0, FILLED},
	[COLUMN_PIDS] = {TASK_GROUP_PIDS},
};

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct lock_groups *self = view;
	const struct group_row *row = of;

	task_group_cells(&self->groups, self->question->timeline, row->key.group,
	                 &cell[COLUMN_GROUP]);
	cell[COLUMN_PIDS] = task_group_pids(&self->groups, row->key.group);
	group_shares_fill(&self->owners, row->key.group, row->length.total, SHOWN_OWNERS,
	                  &cell[COLUMN_OWNERS], &text[COLUMN_OWNERS_TEXT]);
}

static const struct relation_form form = {
	"groups",
	"Groups, by the time that they slept for locks",
	FIELDS(fields),
	.next = LINK_GROUP("--lock"),
	.order = {{AT(slept)}, {AT(length.total)}},
	.fill = row_fill,
	.rows_named = "groups",
};

void lock_groups_put(const struct lock_list *list, const struct question *question,
                     const struct output *to)
{
	struct lock_groups self = {.question = question};

	task_groups_init(&self.groups, question, /* only_cgroups= */ false);
	tally_init(&self.rows, sizeof(struct group_row), sizeof(struct group_key), GROUPS_MAX);
	group_shares_init(&self.owners, question, &self.groups, /* strangers= */ NULL);
	EACH_OF(list->share, list->share_count, const struct lock_share, share) {
		if (share->waiter != TRACK_NONE && question->resolved->is_asked[share->waiter] &&
		    lock_list_knows_owners(list, share->lock) &&
		    lock_kind_has_owner(lock_list_kind(list, share->lock)))
			share_add(&self, share);
	}
	relation_put(&self.rows, &form, &self, question, to);
	relation_release(&self.rows, &form);
	group_shares_release(&self.owners);
	task_groups_release(&self.groups);
}
