/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the time of each control group, or process tree, went to others: their tasks had the
 * CPU while its tasks stood in the run queue, their requests were ahead of its requests in the
 * queue of a disk, they held locks that it waited for.
 *
 * The time of a group is that in which its tasks ran, were able to run, or waited for something
 * that they did not choose. Times of several tasks are added up.
 */
#include <stdlib.h>

#include "analysis/tables/relation.h"
#include "analysis/task_groups.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "disk_ahead.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "views/disk/disk_request.h"
#include "views/lock/lock_contention.h"
#include "views/lock/lock_list.h"
#include "views/sched/run_queue.h"

#define PAIRS_MAX     (1u << 16)
#define LOCKS_MAX     (1u << 19)

/* What the tasks of one group lost to those of another. */
struct blame_row {
	struct blame_key { uint32_t of, by; } key; /* indices of groups */
	nsec_t run_queue, disk_queue, lock, total;
	nsec_t time;      /* all time of the group `of` */
	double disk_part; /* disk_queue before it is rounded */
};

struct blame {
	const struct question *question;
	struct run_queue queue;
	struct lock_list locks;
	struct interval *lock; /* contentions and tenures, as they came: they need the history */
	size_t lock_count, lock_capacity;
	uint64_t locks_left_out;
	struct disk_ahead disk;
	/* from resolve() on */
	struct task_groups groups;
	nsec_t *time; /* by group */
	struct tally pairs;
};

/*
 * A contention lasts until the task has run again; its time in the run queue counts as that. So it
 * ends with its last sleep; one that only spun ends where it ends.
 */
static nsec_t contention_end(const struct blame *blame, const struct interval *interval)
{
	struct track *track = &blame->question->timeline->track[interval->task];
	size_t at = timeline_find(track, interval->end);

	for (; at != SIZE_MAX; at--) {
		nsec_t end = timeline_segment_end(track, at);

		if (end <= interval->begin)
			break;
		if (track->segment[at].kind == SEGMENT_WAIT)
			return nsec_min(end, interval->end);
	}
	return interval->end;
}

static void blame_take_lock(struct blame *blame, struct interval *interval)
{
	struct contention contention;

	if (interval->kind == INTERVAL_TENURE) {
		const struct lock lock =
			lock_of_interval(blame->question->timeline, interval);
		const struct lock_tenure tenure = lock_tenure_of(interval);

		lock_list_add_tenure(&blame->locks, &lock, &tenure);
		return;
	}
	if (interval->task == TRACK_NONE)
		return;
	interval->end = contention_end(blame, interval);
	if (!question_clip(blame->question, &interval->begin, &interval->end))
		return;
	contention = lock_contention_of(blame->question->timeline, interval);
	lock_list_add(&blame->locks, &contention);
}

static void blame_begin(void *state)
{
	struct blame *blame = state;

	blame->queue.question = blame->question;
	run_queue_init(&blame->queue);
	lock_list_init(&blame->locks);
	tally_init(&blame->pairs, sizeof(struct blame_row), sizeof(struct blame_key), PAIRS_MAX);
}

static void blame_end(void *state)
{
	struct blame *blame = state;

	run_queue_release(&blame->queue);
	lock_list_release(&blame->locks);
	free(blame->lock);
	disk_ahead_release(&blame->disk);
	task_groups_release(&blame->groups);
	free(blame->time);
	tally_release(&blame->pairs);
}

/* A contention that has not ended is no part of the time of a group either. */
static void blame_keep_lock(struct blame *blame, const struct interval *interval)
{
	if (interval->is_open)
		return;
	if (blame->lock_count == LOCKS_MAX) {
		blame->locks_left_out++;
		return;
	}
	ARRAY_ADD(blame->lock, blame->lock_count, blame->lock_capacity) = *interval;
}

static void blame_on_span(void *state, const struct span *span)
{
	struct blame *blame = state;
	struct interval interval[LOCK_SPAN_INTERVALS];
	size_t count;

	run_queue_add_span(&blame->queue, span);
	count = span_has_lock_intervals(span) ? lock_intervals_of_span(span, interval) : 0;
	for (size_t i = 0; i < count; i++)
		blame_keep_lock(blame, &interval[i]);
}

static void blame_add_request(struct blame *blame, const struct interval *interval)
{
	struct ahead_request request = {
		.begin = interval->begin,
		.end = interval->is_open ? NSEC_NEVER : interval->end,
		.sector = interval->disk.sector,
		.dev = interval->disk.dev,
		.task = disk_request_task(blame->question->timeline, interval),
	};

	disk_ahead_add_request(&blame->disk, &request);
}

static void blame_on_interval(void *state, const struct interval *interval)
{
	struct blame *blame = state;

	if (INTERVAL_MASK(interval->kind) & RUN_QUEUE_INTERVALS)
		run_queue_add_interval(&blame->queue, interval);
	if (interval->kind == INTERVAL_DISK)
		blame_add_request(blame, interval);
	if (interval->kind == INTERVAL_LOCK || interval->kind == INTERVAL_TENURE)
		blame_keep_lock(blame, interval);
}

/* The row of what the task lost to the other one; NULL: one of them is in no group. */
static struct blame_row *blame_row(struct blame *blame, uint32_t task, uint32_t by)
{
	const struct task_groups *groups = &blame->groups;
	struct blame_key key;

	if (task >= groups->track_count || by >= groups->track_count ||
	    !blame->question->resolved->is_asked[task])
		return NULL;
	key = (struct blame_key){groups->of_track[task], groups->of_track[by]};
	if (key.of == TASK_GROUP_NONE || key.by == TASK_GROUP_NONE)
		return NULL;
	return tally_row(&blame->pairs, &key);
}

/* Adds up the time of a track within the window, and notes its waits for disks. */
static void blame_take_track(struct blame *blame, uint32_t index)
{
	const struct timeline *timeline = blame->question->timeline;
	const struct track *track = &timeline->track[index];
	uint32_t group = blame->groups.of_track[index];

	for (size_t at = 0; group != TASK_GROUP_NONE && at < track->segment_count; at++) {
		struct span span = timeline_span(timeline, index, at);
		const struct cause_note *cause = span.cause;

		if (!question_clip(blame->question, &span.begin, &span.end))
			continue;
		if (span.kind == SEGMENT_RUN || span.kind == SEGMENT_RUNNABLE ||
		    (span.kind == SEGMENT_WAIT && !span.is_open &&
		     !wait_is_chosen(span.detail, span.is_open, cause)))
			blame->time[group] += span.end - span.begin;
		if (span.kind != SEGMENT_WAIT || !cause || cause->kind != CAUSE_DISK ||
		    cause->origin == NSEC_NEVER)
			continue;
		disk_ahead_add_wait(&blame->disk,
		                    &(struct ahead_wait){
					    .queued = cause->origin,
					    .begin = span.begin,
					    .end = span.end,
					    .sector = cause->as.disk.sector,
					    .dev = cause->as.disk.dev,
					    .task = index,
				    });
	}
}

static void blame_take_queue(struct blame *blame)
{
	for (size_t i = 0; i < blame->queue.row_count; i++) {
		uint32_t track = blame->queue.row[i].track;
		size_t count;
		const struct queue_loss *loss =
			loss_list_find(&blame->queue.losses, track, &count);

		for (size_t k = 0; k < count; k++) {
			struct blame_row *row = blame_row(blame, track, loss[k].user);

			if (row)
				row->run_queue += loss[k].total;
		}
	}
}

static void blame_take_locks(struct blame *blame)
{
	EACH_OF(blame->locks.share, blame->locks.share_count, const struct lock_share, share) {
		struct blame_row *row;

		if (share->owned == 0 || !lock_list_knows_owners(&blame->locks, share->lock) ||
		    !lock_kind_has_owner(lock_list_kind(&blame->locks, share->lock)))
			continue;
		row = blame_row(blame, share->waiter, share->owner);
		if (row)
			row->lock += share->owned;
	}
}

static void on_disk_share(void *state, uint32_t waiter, uint32_t task, double part)
{
	struct blame_row *row = blame_row(state, waiter, task);

	if (row)
		row->disk_part += part;
}

static void blame_resolve(void *state)
{
	struct blame *blame = state;
	const struct question *question = blame->question;

	run_queue_resolve(&blame->queue);
	for (size_t i = 0; i < blame->lock_count; i++)
		blame_take_lock(blame, &blame->lock[i]);
	task_groups_init(&blame->groups, question, /* only_cgroups= */ false);
	blame->time = xcalloc(blame->groups.count, sizeof(*blame->time));
	ASKED_EACH(question, track)
		blame_take_track(blame, track);
	blame_take_queue(blame);
	blame_take_locks(blame);
	disk_ahead_share(&blame->disk, on_disk_share, blame);
	TALLY_ROWS(&blame->pairs, struct blame_row, row) {
		row->disk_queue = (nsec_t)(row->disk_part + 0.5);
		row->total = row->run_queue + row->disk_queue + row->lock;
		row->time = blame->time[row->key.of];
	}
}

#define AT(member) RELATION_AT(struct blame_row, member)

enum {
	COLUMN_GROUP,
	COLUMN_BY_TEXT = COLUMN_GROUP + TASK_GROUP_CELLS,
	COLUMN_BY,
	COLUMN_BY_CGROUP,
	COLUMN_SHARE = 6,
	COLUMN_PIDS = 11,
};

static const struct field fields[] = {
	TASK_GROUP_FIELDS(COLUMN_GROUP),
	[COLUMN_BY_TEXT] = {NULL, "CAUSED BY", CELL_TEXT, 0, FILLED},
	[COLUMN_BY] = {"by", "BY", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_BY_CGROUP] = {"by_cgroup", "BY CGROUP", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	{"total_ns", "TOTAL", CELL_DURATION, 0, AT(total)},
	[COLUMN_SHARE] = {"share", "SHARE", CELL_RATIO, 0, FILLED},
	{"run_queue_ns", "RUN QUEUE", CELL_DURATION, COLUMN_USEFUL(3), AT(run_queue)},
	{"disk_queue_ns", "DISK QUEUE", CELL_DURATION, COLUMN_USEFUL(2), AT(disk_queue)},
	{"lock_ns", "LOCKS", CELL_DURATION, COLUMN_USEFUL(1), AT(lock)},
	{"time_ns", "OF", CELL_DURATION, COLUMN_SPARE(1), AT(time)},
	[COLUMN_PIDS] = {TASK_GROUP_PIDS},
};

static double row_share(const struct blame_row *row, nsec_t part)
{
	return nsec_ratio(part, row->time);
}

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct blame *blame = view;
	const struct blame_row *row = of;
	const struct timeline *timeline = blame->question->timeline;

	(void)text;
	task_group_cells(&blame->groups, timeline, row->key.of, &cell[COLUMN_GROUP]);
	task_group_cells(&blame->groups, timeline, row->key.by, &cell[COLUMN_BY]);
	cell[COLUMN_PIDS] = task_group_pids(&blame->groups, row->key.of);
	cell[COLUMN_BY_TEXT].text =
		row->key.of == row->key.by ? "itself" : blame->groups.group[row->key.by].name;
	cell[COLUMN_SHARE].ratio = row_share(row, row->total);
}

/* What a group lost to itself comes last. */
static uint64_t lost_to_others(const void *of)
{
	const struct blame_row *row = of;

	return row->key.of == row->key.by ? 0 : row->total;
}

static const char *const sort_keys[] = {"total", "share", "run_queue", "disk_queue", "lock", NULL};

/* In billionths. */
static uint64_t share_measure(const void *of)
{
	const struct blame_row *row = of;

	return (uint64_t)(row_share(row, lost_to_others(row)) * 1e9);
}

static const struct measure by_key[] = {
	{.of = lost_to_others}, {.of = share_measure}, {AT(run_queue)}, {AT(disk_queue)},
	{AT(lock)},
};

static const struct relation_form form = {
	"groups",
	"What groups lost to each other",
	FIELDS(fields),
	.next = LINK_GROUP("--sched --waits --sort wait"),
	.sort_keys = sort_keys,
	.by_key = by_key,
	.order = {{AT(total)}},
	.unless_zero = {AT(total)},
	.fill = row_fill,
	.rows_named = "pairs of groups",
};

/* "disk queue 22.0 %, run queue 7.0 %": most first. */
static void parts_append(struct buffer *to, const struct blame_row *row)
{
	struct {
		const char *name;
		nsec_t time;
	} part[] = {
		{"run queue", row->run_queue},
		{"disk queue", row->disk_queue},
		{"locks", row->lock},
	};

	for (size_t i = 0; i < ARRAY_SIZE(part); i++) {
		size_t most = 0;

		for (size_t k = 1; k < ARRAY_SIZE(part); k++)
			if (part[k].time > part[most].time)
				most = k;
		if (part[most].time == 0)
			return;
		say(to, NULL, "{,}{text} {ratio}", TEXT(part[most].name),
		    RATIO(row_share(row, part[most].time)));
		part[most].time = 0;
	}
}

/* "backup.service cost web.service 31.0 % of its 4.1 s: disk queue 22.0 %, ..." */
static void blame_print(const struct blame *blame, const struct relation_rows *rows,
                        const struct output *to)
{
	_cleanup_(buffer_release) struct buffer parts = {0};
	size_t named = 0;

	for (size_t i = 0; i < rows->count && named < SHOWN_PAIRS; i++) {
		const struct blame_row *row = rows->row[i];

		if (row_share(row, lost_to_others(row)) < PART_NEGLIGIBLE)
			continue;
		buffer_clear(&parts);
		parts_append(&parts, row);
		say_to(to, NULL, "{text} cost {text} {ratio} of its {time}[: {text}].",
		       TEXT(blame->groups.group[row->key.by].name),
		       TEXT(blame->groups.group[row->key.of].name),
		       RATIO(row_share(row, row->total)), TIME(row->time), TEXT(parts.text));
		named++;
	}
	if (named == 0)
		prose_put(to, "No group cost another one as much as 0.5 % of its time.");
	if (blame->groups.are_trees)
		prose_put(to, "Groups are process trees, as the trace names no control groups.");
}

static void blame_note_left_out(const struct blame *blame)
{
	if (blame->disk.left_out)
		health_doubt(blame->question->health,
		             "too many requests to disks: %s of them, or of waits for them, are "
		             "left out of --blame", COUNT_TEXT(blame->disk.left_out));
	if (blame->locks.left_out + blame->locks_left_out)
		health_doubt(blame->question->health,
		             "too many contentions for locks: %s are left out of --blame",
		             COUNT_TEXT(blame->locks.left_out + blame->locks_left_out));
}

static void blame_report(const void *state, const struct output *to)
{
	const struct blame *blame = state;
	struct relation_rows rows =
		relation_choose(&blame->pairs, &form, blame, blame->question);

	blame_note_left_out(blame);
	output_section_begin(to, "blame", "Blame", /* is_list= */ false);
	if (!analysis_print_lack(&blame_analysis, blame->question, to))
		blame_print(blame, &rows, to);
	relation_show(&form, &rows, blame, blame->question, to);
	output_section_end(to);
	relation_rows_release(&rows);
}

const struct analysis blame_analysis = {
	.name = "blame",
	.about = "what control groups, or process trees, cost each other: CPU, disk, locks",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_BY_GROUP,
	.needs = EVENT_LIST(EVENT_SCHED_SWITCH),
	.groups = "sched",
	.needs_history = true,
	.state_bytes = sizeof(struct blame),
	.begin = blame_begin,
	.on_span = blame_on_span,
	.on_interval = blame_on_interval,
	.interval_kinds = RUN_QUEUE_INTERVALS | INTERVAL_MASK(INTERVAL_DISK) |
	                  INTERVAL_MASK(INTERVAL_LOCK) | INTERVAL_MASK(INTERVAL_TENURE),
	.resolve = blame_resolve,
	.report = blame_report,
	.end = blame_end,
};
