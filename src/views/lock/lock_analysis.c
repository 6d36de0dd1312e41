/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contended locks, their waiters and their owners: locks of the kernel and of files from their own
 * events; futexes from the waits that another task ended, if system calls were recorded. A wait
 * that the end of the trace cuts counts up to the end: a deadlock consists of such waits, which the
 * recorder may have seen in /proc (lock_list.h). A window contains the parts of waits that lie in
 * it.
 *
 * Locks that tasks slept for come first, as short spinning is frequent and means little. Futexes of
 * unknown purpose follow, then objects without owners: ends of threads, conditions, barriers.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/evidence/fact_evidence.h"
#include "analysis/recorded.h"
#include "analysis/tables/aim_sums.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "lock_contention.h"
#include "lock_list.h"
#include "sentences/say.h"

/* A lock as it is shown, with those of its shares that are asked for. */
struct lock_row {
	size_t place; /* index in the list, which is in order of appearance */
	struct lock lock; /* its kind is the final one */
	bool knows_owners;
	const struct lock_share **share; /* `count` elements */
	size_t count;
	struct lock_figures figures;
};

/* In the order in which they are shown. */
enum lock_row_rank {
	RANK_LOCK,
	RANK_UNKNOWN, /* a futex of unknown purpose, which may be a lock */
	RANK_NOBODYS,
};

struct lock_view {
	GATED_VIEW;
	struct lock_list list;
	struct aim_sums aims;
};

/* Aims that have rows. */
#define LOCK_AIMS \
	(1u << AIM_LOCK | 1u << AIM_CONDITION | 1u << AIM_BARRIER | 1u << AIM_SEMAPHORE | \
	 1u << AIM_JOIN)

/* A tenure is added even if it began outside the window, as it determines the owner for waiters in
   the window. */
static void lock_add(void *state, const struct interval *interval)
{
	struct lock_view *view = state;
	const struct timeline *timeline = view->question->timeline;
	struct interval part = *interval;

	if (interval->kind == INTERVAL_TENURE) {
		const struct lock lock = lock_of_interval(timeline, interval);
		const struct lock_tenure tenure = lock_tenure_of(interval);

		lock_list_add_tenure(&view->list, &lock, &tenure);
	} else if (lock_contention_clip(view->question, &part)) {
		struct contention contention = lock_contention_of(timeline, &part);

		lock_list_add(&view->list, &contention);
	}
}

static void lock_pass(struct lock_view *view, const struct interval *interval)
{
	const struct question *question = view->question;

	if (interval->end - interval->begin >= question->asked->min &&
	    question_asks_cpu(question, interval->cpu) &&
	    question->asked->kinds & 1u << CAUSE_LOCK)
		interval_gate_pass(view, interval);
}

static void lock_on_interval(void *state, const struct interval *interval)
{
	struct lock_view *view = state;

	if (interval->kind == INTERVAL_TENURE)
		interval_gate_pass(view, interval);
	else
		lock_pass(view, interval);
}

static void lock_on_span(void *state, const struct span *span)
{
	struct lock_view *view = state;
	const struct cause_note *cause = span->cause;
	struct interval interval[LOCK_SPAN_INTERVALS];
	struct timeline *timeline = view->question->timeline;
	size_t count;

	if (span->kind != SEGMENT_WAIT || !cause)
		return;
	count = lock_intervals_of_span(span, interval);
	if (cause->kind == CAUSE_LOCK && span_frames(span))
		lock_list_note_place(&view->list, &timeline->names,
		                     &(struct lock){
					     .address = cause->as.lock.address,
					     .machine = timeline->track[span->track].host,
				     },
		                     span_frames(span));
	if (count > 0 && span->place && span->place->user) {
		const struct contention contention =
			lock_contention_of(timeline, &interval[count - 1]);

		lock_list_note_user_place(&view->list, &timeline->names, &contention.lock,
		                          span->place->user);
	}
	for (size_t i = 0; i < count; i++)
		lock_pass(view, &interval[i]);
}

static void lock_begin(void *state)
{
	struct lock_view *view = state;

	lock_list_init(&view->list);
	view->gate.take = lock_add;
	aim_sums_init(&view->aims, view->question, LOCK_AIMS, /* is_filtered= */ true);
	view->gate.wide_kinds = INTERVAL_MASK_ALL;
}

static void lock_end(void *state)
{
	struct lock_view *view = state;

	lock_list_release(&view->list);
	interval_gate_release(&view->gate);
	aim_sums_release(&view->aims);
}

static void lock_fold(void *state)
{
	aim_sums_fold(&((struct lock_view *)state)->aims);
}

/* The CPU that the task slept on is not known here. */
static void lock_take_noted(void *state, const struct interval *interval)
{
	struct lock_view *view = state;
	const struct asked *asked = view->question->asked;

	if (interval->end - interval->begin >= asked->min && asked->cpus.count == 0 &&
	    asked->kinds & 1u << CAUSE_LOCK)
		lock_add(view, interval);
}

static void lock_resolve(void *state)
{
	struct lock_view *view = state;

	interval_gate_resolve(view);
	noted_locks_visit(view->question, &view->list, lock_take_noted, view);
	aim_sums_finish(&view->aims);
}

static const char *const sort_keys[] = {"slept", "total", "count", "max", NULL};

static uint64_t figures_key(const struct lock_figures *figures, size_t key)
{
	const uint64_t by_key[] = {figures->slept, figures->length.total, figures->length.count,
	                           figures->length.max};

	_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");
	return by_key[key];
}

static enum lock_row_rank lock_row_rank(const struct lock_row *row)
{
	if (!lock_kind_has_owner((enum lock_kind)row->lock.kind))
		return RANK_NOBODYS;
	return row->knows_owners ? RANK_LOCK : RANK_UNKNOWN;
}

/* Whether the row is of a lock; a futex counts only if it is known to be a lock. */
static bool lock_row_is_lock(const struct lock_row *row)
{
	return lock_row_rank(row) == RANK_LOCK;
}

static int lock_row_compare(const void *a, const void *b, void *key)
{
	const struct lock_row *x = a, *y = b;
	uint64_t left = figures_key(&x->figures, *(const size_t *)key);
	uint64_t right = figures_key(&y->figures, *(const size_t *)key);

	if (lock_row_rank(x) != lock_row_rank(y))
		return lock_row_rank(x) < lock_row_rank(y) ? -1 : 1;
	if (left != right)
		return left > right ? -1 : 1;
	return ORDER_BY(FALLING(x, y, figures.length.total), RISING(x, y, place));
}

/* The waiters or the owners of a lock, gathered from its shares that are asked for. */
struct lock_party {
	uint32_t track; /* TRACK_NONE: not known */
	uint64_t count;
	nsec_t total;
	nsec_t by_confidence[CONFIDENCE_HIGH + 1];
};

ORDER_FUNCTION(party_compare_tracks, struct lock_party, RISING(x, y, track))

ORDER_FUNCTION(party_compare, struct lock_party, FALLING(x, y, total), party_compare_tracks(x, y))

/* The waiters or the owners, most time first; unknown owners are left out. The caller frees the
   array. */
static struct lock_party *lock_parties(const struct lock_share *const *share, size_t share_count,
                                       bool is_owners, size_t *ret_count)
{
	struct lock_party *party = xcalloc(share_count, sizeof(*party));
	size_t count = 0;

	for (size_t i = 0; i < share_count; i++) {
		party[i].track = is_owners ? share[i]->owner : share[i]->waiter;
		party[i].count = share[i]->figures.length.count;
		party[i].total = is_owners ? share[i]->owned : share[i]->figures.length.total;
		party[i].by_confidence[share[i]->confidence] = share[i]->owned;
	}
	array_sort(party, share_count, sizeof(*party), party_compare_tracks);
	for (size_t i = 0; i < share_count; i++) {
		struct lock_party *same = count ? &party[count - 1] : NULL;

		if (!same || same->track != party[i].track) {
			party[count++] = party[i];
			continue;
		}
		same->count += party[i].count;
		same->total += party[i].total;
		for (size_t c = 0; c < ARRAY_SIZE(same->by_confidence); c++)
			same->by_confidence[c] += party[i].by_confidence[c];
	}
	/* an unknown owner is left out */
	if (is_owners && count && party[count - 1].track == TRACK_NONE)
		count--;
	array_sort(party, count, sizeof(*party), party_compare);
	*ret_count = count;
	return party;
}

/* The confidence that applies to most of the party's time. */
static enum confidence lock_party_confidence(const struct lock_party *party)
{
	enum confidence most = CONFIDENCE_LOW;

	for (enum confidence i = CONFIDENCE_LOW; i <= CONFIDENCE_HIGH; i++)
		if (party->by_confidence[i] >= party->by_confidence[most])
			most = i;
	return most;
}

#define PARTY_COLUMNS 5

static const struct column party_columns[2][PARTY_COLUMNS] = {
	{
		{"task", "TASK", CELL_TASK, 0},
		{"count", "COUNT", CELL_COUNT, COLUMN_DATA_ONLY},
		{"total_ns", "TOTAL", CELL_DURATION, 0},
		{NULL, "SHARE", CELL_RATIO, COLUMN_TEXT_ONLY},
		{NULL, "CONF", CELL_CONFIDENCE, COLUMN_TEXT_ONLY},
	},
	{
		{"task", "TASK", CELL_TASK, 0},
		{"count", "COUNT", CELL_COUNT, COLUMN_DATA_ONLY},
		{"total_ns", "TOTAL", CELL_DURATION, COLUMN_DATA_ONLY},
		{NULL, "SHARE", CELL_RATIO, COLUMN_TEXT_ONLY},
		{"confidence", "CONF", CELL_CONFIDENCE, 0},
	},
};

/* The caller frees the cells. */
static struct cell_rows parties_rows(const struct lock_view *view, const struct lock_row *row,
                                     bool is_owners)
{
	const struct timeline *timeline = view->question->timeline;
	bool is_known = !is_owners || lock_row_is_lock(row);
	size_t count;
	struct lock_party *party = lock_parties(row->share, is_known ? row->count : 0, is_owners,
	                                        &count);
	struct cell *cell = xcalloc(count * PARTY_COLUMNS, sizeof(*cell));

	for (size_t i = 0; i < count; i++) {
		struct cell *at = cell + i * PARTY_COLUMNS;

		at[0] = cell_of_task(timeline, party[i].track);
		at[1] = (struct cell){.type = CELL_COUNT, .count = party[i].count};
		at[2] = (struct cell){.type = CELL_DURATION, .time = party[i].total};
		if (!is_owners)
			continue;
		at[3] = (struct cell){
			.type = CELL_RATIO,
			.ratio = nsec_ratio(party[i].total, row->figures.length.total),
		};
		at[4] = (struct cell){.type = CELL_CONFIDENCE,
		                      .confidence = lock_party_confidence(&party[i])};
	}
	free(party);
	return (struct cell_rows){party_columns[is_owners], PARTY_COLUMNS, cell, count};
}

/*
 * A task that ended waits for an object without owners: the thread whose end was awaited, the task
 * that signalled a condition, or the task that reached a barrier last. It may end many waits at
 * once, so occasions are counted: how often it ended a wait of the same other task.
 */
struct lock_ending {
	uint32_t track;
	uint64_t count;
	nsec_t waited; /* time of the waits that it ended */
};

ORDER_FUNCTION(ending_share_compare, struct lock_share *const, RISING(*x, *y, owner),
               RISING(*x, *y, waiter))

ORDER_FUNCTION(ending_compare, struct lock_ending, FALLING(x, y, count), FALLING(x, y, waited),
               RISING(x, y, track))

/* The number of ended waits in the first shares that have the same waiter and waker; *ret_used is
   the number of these shares. */
static uint64_t waits_of_pair(const struct lock_share *const *share, size_t left, size_t *ret_used)
{
	uint64_t count = 0;
	size_t i = 0;

	for (; i < left && share[i]->owner == share[0]->owner &&
	       share[i]->waiter == share[0]->waiter; i++)
		count += share[i]->figures.length.count - share[i]->figures.open;
	*ret_used = i;
	return count;
}

/* The tasks that ended the waits, most often first; the caller frees the array. *ret_all is the sum
   of their counts and of the waits with an unknown waker. */
static struct lock_ending *lock_endings(const struct lock_share *const *share, size_t share_count,
                                        enum lock_kind kind, size_t *ret_count, uint64_t *ret_all)
{
	/* NOLINTNEXTLINE: pointers are meant */
	const struct lock_share **sorted = xcalloc(share_count, sizeof(*sorted));
	struct lock_ending *ending = xcalloc(share_count, sizeof(*ending));
	size_t count = 0, used;

	for (size_t i = 0; i < share_count; i++)
		sorted[i] = share[i];
	array_sort(sorted, share_count, sizeof(*sorted), ending_share_compare); /* NOLINT */
	for (size_t i = 0; i < share_count; i += used) {
		uint64_t times = waits_of_pair(sorted + i, share_count - i, &used);
		struct lock_ending *last = count ? &ending[count - 1] : NULL;

		if (!last || last->track != sorted[i]->owner) {
			last = &ending[count++];
			last->track = sorted[i]->owner;
		}
		if (kind != LOCK_BARRIER)
			last->count += times;
		else if (last->count < times)
			last->count = times;
		for (size_t j = i; j < i + used; j++)
			last->waited += sorted[j]->figures.length.total;
	}
	*ret_all = 0;
	for (size_t i = 0; i < count; i++)
		*ret_all += ending[i].count;
	if (count && ending[count - 1].track == TRACK_NONE)
		count--;
	array_sort(ending, count, sizeof(*ending), ending_compare);
	free(sorted); /* NOLINT */
	*ret_count = count;
	return ending;
}

static const struct column ending_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"count", "COUNT", CELL_COUNT, 0},
};

/* The caller frees the cells. */
static struct cell_rows endings_rows(const struct lock_view *view, const struct lock_row *row)
{
	size_t count;
	uint64_t all;
	struct lock_ending *ending = lock_endings(
		row->share, lock_row_rank(row) == RANK_NOBODYS ? row->count : 0,
		(enum lock_kind)row->lock.kind, &count, &all);
	struct cell *cell = xcalloc(count * ARRAY_SIZE(ending_columns), sizeof(*cell));

	for (size_t i = 0; i < count; i++) {
		struct cell *at = cell + i * ARRAY_SIZE(ending_columns);

		at[0] = cell_of_task(view->question->timeline, ending[i].track);
		at[1] = (struct cell){.type = CELL_COUNT, .count = ending[i].count};
	}
	free(ending);
	return (struct cell_rows){ending_columns, ARRAY_SIZE(ending_columns), cell, count};
}

#define AT(member) RELATION_AT(struct lock_row, member)

enum {
	COLUMN_KIND = 1,
	COLUMN_ADDRESS,
	COLUMN_NAME,
	COLUMN_SYMBOL,
	COLUMN_CALLER,
	COLUMN_PROCESS,
	COLUMN_FILE,
	COLUMN_DEV,
	COLUMN_INODE,
	COLUMN_SPUN = 14,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_WAITERS = 19,
	COLUMN_OWNERS,
	COLUMN_ENDED_BY,
	COLUMN_LONGEST,
	COLUMN_SPINNER,
};

static const struct field fields[] = {
	{MACHINE_COLUMN, AT(lock.machine)},
	[COLUMN_KIND] = {"kind", "KIND", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
	[COLUMN_ADDRESS] = {"address", "ADDRESS", CELL_TEXT, COLUMN_TAILED | COLUMN_USEFUL(2),
	                    FILLED},
	[COLUMN_NAME] = {"name", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_SYMBOL] = {NULL, "NAME", CELL_TEXT, 0, FILLED},
	[COLUMN_CALLER] = {"caller", "CALLER", CELL_TEXT, COLUMN_SPARE(6), FILLED},
	[COLUMN_PROCESS] = {"tgid", "PROCESS", CELL_INTEGER, COLUMN_DATA_ONLY, AT(lock.process)},
	[COLUMN_FILE] = {"file", "FILE", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_DEV] = {"dev", "DEVICE", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_INODE] = {"inode", "INODE", CELL_COUNT, COLUMN_DATA_ONLY, AT(lock.address)},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(3), AT(figures.length.count)},
	{"open", "OPEN", CELL_COUNT, COLUMN_DATA_ONLY, AT(figures.open)},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_DATA_ONLY, AT(figures.length.total)},
	{"slept_ns", "SLEPT", CELL_DURATION, 0, AT(figures.slept)},
	[COLUMN_SPUN] = {"spun_ns", "ONLY SPUN", CELL_DURATION, COLUMN_SPARE(5), FILLED},
	[COLUMN_P50] = {"p50_ns", "P50", CELL_DURATION, COLUMN_SPARE(1), FILLED},
	[COLUMN_P99] = {"p99_ns", "P99", CELL_DURATION, COLUMN_SPARE(1), FILLED},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(4), AT(figures.length.max)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(2), AT(figures.length.max_at)},
	[COLUMN_WAITERS] = {"waiters", "WHO WAITED", CELL_ROWS, 0, FILLED},
	[COLUMN_OWNERS] = {"owners", "WHO HAD IT", CELL_ROWS, 0, FILLED},
	[COLUMN_ENDED_BY] = {"ended_by", "WHO ENDED IT", CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_LONGEST] = {"longest", NULL, CELL_TASK, COLUMN_FOR_LINKS, FILLED},
	[COLUMN_SPINNER] = {"spinner", NULL, CELL_TASK, COLUMN_FOR_LINKS, FILLED},
};

/* What the lock is, and where. */
static void lock_fill_names(const struct lock_view *view, const struct lock_row *row,
                            struct cell *cell, struct buffer *text)
{
	const struct timeline *timeline = view->question->timeline;
	const struct lock *lock = &row->lock;
	uint32_t caller = lock_list_caller(&view->list, lock), path = lock_path(timeline, lock);
	char address[LOCK_ADDRESS_BYTES], dev[FORMAT_BYTES];

	(void)lock_address_format(timeline, lock, address);
	buffer_puts(&text[COLUMN_ADDRESS], address);
	cell[COLUMN_KIND].text = lock_kind_name((enum lock_kind)lock->kind);
	cell[COLUMN_NAME] = cell_of_name(timeline, CELL_TEXT, lock->name ? lock->name : caller);
	cell[COLUMN_SYMBOL] = cell_of_name(timeline, CELL_TEXT, path ? path : lock->name);
	cell[COLUMN_CALLER] = cell_of_name(timeline, CELL_TEXT, caller);
	cell[COLUMN_FILE] = cell_of_name(timeline, CELL_TEXT, path);
	buffer_puts(&text[COLUMN_DEV],
	            format_device(device_names_own(&timeline->devices, lock->dev), dev));
	if (lock->process <= 0)
		cell[COLUMN_PROCESS].type = CELL_EMPTY;
	if (!lock_is_of_file(lock))
		cell[COLUMN_DEV].type = cell[COLUMN_INODE].type = CELL_EMPTY;
}

/* The share with the longest contention. */
static const struct lock_share *lock_longest(const struct lock_row *row)
{
	const struct distribution *all = &row->figures.length;
	size_t i = 0;

	while (i + 1 < row->count && (row->share[i]->figures.length.max != all->max ||
	                              row->share[i]->figures.length.max_at != all->max_at))
		i++;
	return row->share[i];
}

static void lock_fill(const void *of_view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct lock_view *view = of_view;
	const struct lock_row *row = of;
	struct distribution_sum length;

	lock_fill_names(view, row, cell, text);
	distribution_sum(&row->figures.length, &length);
	cell[COLUMN_SPUN].time = length.total - row->figures.slept;
	cell[COLUMN_P50].time = length.p50;
	cell[COLUMN_P99].time = length.p99;
	cell[COLUMN_WAITERS].rows = parties_rows(view, row, /* is_owners= */ false);
	cell[COLUMN_OWNERS].rows = parties_rows(view, row, /* is_owners= */ true);
	cell[COLUMN_ENDED_BY].rows = endings_rows(view, row);
	/* who only spun ran all the time: a path has nothing of the lock */
	cell[row->figures.slept ? COLUMN_LONGEST : COLUMN_SPINNER] =
		cell_of_task(view->question->timeline, lock_longest(row)->waiter);
	cell[row->figures.slept ? COLUMN_SPINNER : COLUMN_LONGEST].type = CELL_EMPTY;
}

static void columns_adapt(const void *of_view, const struct relation_rows *rows,
                          struct column *shown)
{
	const struct lock_view *view = of_view;
	bool has_names = false;

	for (size_t i = 0; i < rows->count && !has_names; i++) {
		const struct lock_row *row = rows->row[i];

		has_names = row->lock.name || lock_path(view->question->timeline, &row->lock);
	}
	if (!has_names)
		shown[COLUMN_SYMBOL].flags |= COLUMN_DATA_ONLY;
	if (view->list.caller_by_place.count == 0) /* most traces have no stacks */
		shown[COLUMN_CALLER].flags |= COLUMN_DATA_ONLY;
}

/* The sleep in the longest contention; who only spun has none. */
static struct evidence_claim lock_claim(const void *of_view, const void *of)
{
	const struct lock_view *view = of_view;
	const struct lock_row *row = of;
	const struct distribution *all = &row->figures.length;

	return evidence_longest_wait(view->question->timeline, lock_longest(row)->waiter,
	                             all->max_at, all->max_at + all->max);
}

static const struct relation_form form = {
	"locks", "Locks, by the time that tasks slept for them", FIELDS(fields),
	.next = LINK_PATH("longest", "max_at_ns", "max_at_ns+max_ns")
		"|--events --tid {spinner} --from {from:max_at_ns} --to {to:max_at_ns+max_ns}",
	.sort_keys = sort_keys, .fill = lock_fill, .claim = lock_claim, .adapt = columns_adapt,
};

/* Shares of asked tasks by lock: each row refers to its part of one array, which *ret_shares
   owns. */
static struct lock_row *lock_rows_new(const struct lock_view *view,
                                      const struct lock_share ***ret_shares, size_t *ret_count)
{
	const struct lock_list *list = &view->list;
	struct lock_row *row = xcalloc(list->lock_count, sizeof(*row));
	/* NOLINTNEXTLINE: pointers are meant */
	const struct lock_share **shares = xcalloc(list->share_count, sizeof(*shares));
	size_t count = 0, at = 0;

	for (size_t i = 0; i < list->share_count; i++)
		if (view->question->resolved->is_asked[list->share[i].waiter])
			row[list->share[i].lock].count++;
	for (size_t i = 0; i < list->lock_count; i++) {
		row[i].place = i;
		row[i].lock = list->known[i].lock;
		row[i].lock.kind = (uint8_t)lock_list_kind(list, (uint32_t)i);
		row[i].knows_owners = lock_list_knows_owners(list, (uint32_t)i);
		row[i].share = shares + at;
		at += row[i].count;
		row[i].count = 0;
	}
	EACH_OF(list->share, list->share_count, const struct lock_share, share) {
		if (!view->question->resolved->is_asked[share->waiter])
			continue;
		row[share->lock].share[row[share->lock].count++] = share;
		lock_figures_add(&row[share->lock].figures, &share->figures);
	}
	for (size_t i = 0; i < list->lock_count; i++)
		if (row[i].count)
			row[count++] = row[i];
	*ret_shares = shares;
	*ret_count = count;
	return row;
}

static void lock_show_histogram(const struct lock_view *view, const struct lock_row *row,
                                const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title = {0}, lock = {0};

	lock_append(&lock, view->question->timeline, &row->lock);
	say(&title, NULL, "How long each wait for {text} took", TEXT(lock.text));
	histogram_show_of(&row->figures.length, title.text, to);
}

/* The sentences above the table. */

/* Compares by the time that tasks slept, whatever order is asked for. */
static bool row_is_worse(const struct lock_figures *a, const struct lock_figures *b)
{
	return a->slept != b->slept ? a->slept > b->slept : a->length.total > b->length.total;
}

/* The main owner of that lock, and for how long it had it; TRACK_NONE if it is not known. */
static struct lock_party lock_owner(const struct lock_row *row)
{
	size_t count;
	struct lock_party *party = lock_parties(row->share, row->count, /* is_owners= */ true,
	                                        &count);
	struct lock_party most = count ? *party : (struct lock_party){.track = TRACK_NONE};

	free(party);
	return most;
}

/* Whether the trace has the events that describe futexes. */
static bool question_sees_futexes(const struct question *question)
{
	return event_kinds_have_any(&question->resolved->seen,
	                            EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER));
}

/* If the recording cannot show futexes, which most programs use, says so. */
static void words_print_unseen(const struct question *question, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer hint = {0};

	/* a task without system calls waits for no futex */
	if (question_sees_futexes(question) ||
	    recorded_has(&question->resolved->recorded, "syscalls"))
		return;
	(void)record_hint_append(&hint, " (", &question->resolved->recorded, "syscalls",
	                         /* stacks= */ false, ")");
	say_to(to, NULL,
	       "Locks of programs (futexes, such as those of pthread mutexes) cannot be seen in "
	       "this recording, which has no system calls{text}.", TEXT(hint.text));
}

/* Prints the sentence on locks; their rows come first. */
static void words_print_locks(const struct question *question, const struct lock_row *row,
                              size_t count, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer name = {0};
	bool is_all = question_sees_futexes(question);
	const struct lock_row *most = row;
	struct lock_figures all = {0};
	struct lock_party owner;

	if (count == 0 || !lock_row_is_lock(row)) {
		say_to(to, NULL,
		       "No contention for a lock[{if}| of the kernel or of a file] was seen.",
		       IF(is_all));
		return;
	}
	for (size_t i = 0; i < count && lock_row_is_lock(&row[i]); i++) {
		lock_figures_add(&all, &row[i].figures);
		if (row_is_worse(&row[i].figures, &most->figures))
			most = &row[i];
	}
	lock_append(&name, question->timeline, &most->lock);
	owner = lock_owner(most);
	say_to(to, question->timeline,
	       "Tasks slept {time} for locks[{if}| of the kernel and of files] and only spun for "
	       "{time}; most for {text} ({time}[, held {ratio} of that by {task}]).[ {count} of "
	       "them had not acquired it when the trace ended.]",
	       TIME(all.slept), IF(is_all), TIME(all.length.total - all.slept), TEXT(name.text),
	       TIME(most->figures.length.total),
	       RATIO(nsec_ratio(owner.total, most->figures.length.total)), TASK(owner.track),
	       WHEN(all.open, COUNT(all.open)));
	distribution_release(&all.length);
}

/* Where only the place that tasks slept in, or what the recorder saw, shows that they waited for
   locks, there are no rows of these. */
static void words_print_rest(const struct lock_view *view, const struct lock_row *row,
                             size_t count, const struct output *to)
{
	nsec_t by_aim[AIM_KIND_COUNT], slept = 0;

	aim_sums_total(&view->aims, 1u << AIM_LOCK, by_aim);
	for (size_t i = 0; i < count; i++)
		slept += row[i].figures.slept;
	if (by_aim[AIM_LOCK] <= slept)
		return;
	say_to(to, NULL,
	       "Tasks slept {time} for locks of which no contention was recorded: --waits --kind "
	       "lock lists these waits.", TIME(by_aim[AIM_LOCK] - slept));
}

/* Which task ended most waits at the object, of *ret_all; TRACK_NONE if none is known. */
static struct lock_ending most_endings(const struct lock_row *row, uint64_t *ret_all)
{
	size_t count;
	struct lock_ending *ending = lock_endings(
		row->share, row->count, (enum lock_kind)row->lock.kind, &count, ret_all);
	struct lock_ending most = count ? *ending : (struct lock_ending){.track = TRACK_NONE};

	free(ending);
	return most;
}

/* Prints one sentence for all objects of a kind that has no owners, or no known owners. */
static void words_print_kind(const struct question *question, const struct lock_row *row,
                             size_t count, enum lock_kind kind, const struct output *to)
{
	static const struct {
		const char *words, *verb;
	} of_kind[] = {
		[LOCK_FUTEX] = {"on futexes that may not be locks", NULL},
		[LOCK_JOIN] = {"for the end of threads", "ended"},
		[LOCK_CONDITION] = {"for conditions", "signalled"},
		[LOCK_BARRIER] = {"at barriers", "arrived last"},
		[LOCK_POSTED] = {"for semaphores", "posted"},
		[LOCK_SIGNALLED] = {"for conditions or semaphores", "signalled"},
	};
	_cleanup_(buffer_release) struct buffer lock = {0};
	const struct lock_row *most = NULL;
	struct lock_ending ending;
	nsec_t total = 0;
	uint64_t all;

	for (size_t i = 0; i < count; i++) {
		if (row[i].lock.kind != kind || lock_row_is_lock(&row[i]))
			continue;
		total += row[i].figures.length.total;
		if (!most || row[i].figures.length.total > most->figures.length.total)
			most = &row[i];
	}
	if (!most)
		return;
	if (kind != LOCK_JOIN)
		lock_append(&lock, question->timeline, &most->lock);
	ending = most_endings(most, &all);
	say_to(to, question->timeline,
	       "Tasks slept {time} {text}[; most at {text} ({time})][{if}; most for that of {task}|"
	       ", where {task} {text} {number} of {number} time{|s}].",
	       TIME(total), TEXT(of_kind[kind].words), TEXT(lock.text),
	       TIME(most->figures.length.total), IF(kind == LOCK_JOIN), TASK(ending.track),
	       TASK(ending.track), TEXT(of_kind[kind].verb), NUMBER(ending.count), NUMBER(all));
}

/* Rows are sorted by rank, and within it as they are shown. */
static void lock_words_print(const struct lock_view *view, const struct lock_row *row,
                             size_t count, const struct output *to)
{
	const struct question *question = view->question;
	static const enum lock_kind others[] = {LOCK_FUTEX,     LOCK_BARRIER, LOCK_CONDITION,
	                                        LOCK_SIGNALLED, LOCK_POSTED,  LOCK_JOIN};

	words_print_locks(question, row, count, to);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		words_print_kind(question, row, count, others[i], to);
	words_print_unseen(question, to);
}

static void lock_report(const void *state, const struct output *to)
{
	const struct lock_view *view = state;
	size_t count, key = question_sort_key(view->question, sort_keys);
	const struct lock_share **shares;
	struct lock_row *row = lock_rows_new(view, &shares, &count);
	struct tally locks = relation_of(row, sizeof(*row), count);

	qsort_r(row, count, sizeof(*row), lock_row_compare, &key);
	if (view->list.left_out)
		health_doubt(view->question->health,
		             "more than %u pairs of tasks and locks: %" PRIu64
		             " contentions of others are left out",
		             LOCK_SHARES_MAX, view->list.left_out);
	output_section_begin(to, "lock", "Locks", /* is_list= */ false);
	aim_sums_report(&view->aims, LOCK_AIMS, to);
	if (count || !analysis_print_lack(&lock_analysis, view->question, to))
		lock_words_print(view, row, count, to);
	words_print_rest(view, row, count, to);
	if (view->question->asked->by_group)
		lock_groups_put(&view->list, view->question, to);
	relation_put(&locks, &form, view, view->question, to);
	if (count)
		lock_show_histogram(view, row, to);
	output_section_end(to);
	for (size_t i = 0; i < count; i++)
		distribution_release(&row[i].figures.length);
	free(shares);
	free(row);
}

const struct analysis lock_analysis = {
	.name = "lock",
	.about = "contended locks, futexes, file locks: waiters and owners",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN | HEEDS_BY_GROUP,
	.needs = EVENT_LIST(EVENT_LOCK_BEGIN, EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER, EVENT_FLOCK,
	                    EVENT_POSIX_LOCK),
	.groups = "lock,syscalls",
	.fold = lock_fold,
	.state_bytes = sizeof(struct lock_view),
	.begin = lock_begin,
	.on_span = lock_on_span,
	.span_kinds = 1u << SEGMENT_WAIT,
	.on_interval = lock_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_LOCK) | INTERVAL_MASK(INTERVAL_TENURE),
	.resolve = lock_resolve,
	.report = lock_report,
	.end = lock_end,
};
