/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of each task went. The times are gathered from the spans as they end, so the
 * history is needed only for a window. The times of a task sum to its time in the trace, which is
 * asserted.
 */
#include "summary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/aim_sums.h"
#include "analysis/histogram.h"
#include "analysis/interrupt_time.h"
#include "analysis/task_groups.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "machine_lead.h"
#include "views/lock/lock_contention.h"

/* The state of the view. The summary comes first, as tests read it. */
struct summary_view {
	struct summary summary;
	struct advices advices;
	struct aim_sums aims;
};

static void *summary_begin(const struct question *question)
{
	struct summary_view *view = xcalloc(1, sizeof(*view));
	struct summary *summary = &view->summary;

	summary->question = question;
	hung_tasks_init(&summary->hung);
	standstill_init(&summary->standstill, question);
	summary->explanation = xcalloc(1, sizeof(*summary->explanation));
	explanation_init(summary->explanation, question);
	advices_init(&view->advices, question);
	aim_sums_init(&view->aims, question, /* is_filtered= */ false);
	summary->requests = summary_requests_new(question);
	summary->answers = summary_answers_new(question);
	summary->networks = network_use_new(question);
	summary->is_streaming = !question_may_be_windowed(question);
	return view;
}

static __attribute__((noinline)) void summary_add_times(struct summary *summary, uint32_t track)
{
	while (track >= summary->count) {
		ARRAY_GROW(summary->by_track, summary->count, summary->capacity);
		summary->by_track[summary->count] =
			(struct times){.track = (uint32_t)summary->count};
		summary->count++;
	}
}

/* The times of the track, which are made on its first span. Inline, as hardly any span is the first
   one of its task. */
static inline struct times *summary_times(struct summary *summary, uint32_t track)
{
	if (track >= summary->count)
		summary_add_times(summary, track);
	return &summary->by_track[track];
}

/* Adds the wait to the turns of the tasks that may be the one asked task. No server waits for its
   client in state D: so does a program for the journal of its file system. */
static void summary_add_turn(struct summary *summary, const struct span *span, nsec_t length)
{
	const struct question *question = summary->question;
	const struct track *tracks = question->timeline->track;
	struct times *times;

	if (span->kind != SEGMENT_WAIT || !span->cause || span->cause->kind != CAUSE_TASK ||
	    span->cause->waker == TRACK_NONE || span->detail & WAIT_FOR_WORK ||
	    span->detail == 'D' ||
	    !summary->explanation->may_have_path)
		return;
	if (turns_count(&tracks[span->track]) && question_asks_track(question, span->track)) {
		times = summary_times(summary, span->track);
		turns_add_wait(&times->turns, span->cause, length);
	}
	if (turns_count(&tracks[span->cause->waker]) &&
	    question_asks_track(question, span->cause->waker)) {
		times = summary_times(summary, span->cause->waker);
		turns_add_wake(&times->turns, span->track);
	}
}

static void summary_on_span(void *state, const struct span *span)
{
	struct summary_view *view = state;
	struct summary *summary = &view->summary;
	struct times *times;

	if (span_has_lock_intervals(span))
		advices_add_wait(&view->advices, span);
	if (!summary->is_streaming)
		return;
	times = summary_times(summary, span->track);
	if (summary->question->asked->lengths.are_shown)
		times_begin_lengths(times);
	times_add(times, summary->question->timeline, span, span->begin, span->end);
	standstill_add(&summary->standstill, span);
	polling_add(&times->polling, summary->question->timeline, span);
	if (span->kind != SEGMENT_WAIT)
		return;
	summary_add_turn(summary, span, span->end - span->begin);
	hung_tasks_add(&summary->hung, span);
}

static void summary_on_interval(void *state, const struct interval *interval)
{
	struct summary_view *view = state;

	explanation_add_interval(view->summary.explanation, interval);
	advices_add_interval(&view->advices, interval);
	summary_requests_add(view->summary.requests, interval);
	summary_answers_add(view->summary.answers, interval);
	network_use_add(view->summary.networks, interval);
}

static void summary_fold(void *state)
{
	struct summary_view *view = state;

	explanation_fold(view->summary.explanation);
	summary_requests_fold(view->summary.requests);
	aim_sums_fold(&view->aims);
}

static void summary_resolve(void *state)
{
	struct summary_view *view = state;

	explanation_finish(view->summary.explanation);
	aim_sums_finish(&view->aims);
	advices_resolve(&view->advices);
	summary_requests_resolve(view->summary.requests);
	summary_answers_resolve(view->summary.answers);
	network_use_resolve(view->summary.networks);
}

/* Adds the track's history; used only for a window. */
static void summary_add_track(struct summary *summary, uint32_t index)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;
	const struct track *track = &timeline->track[index];
	struct times *times = summary_times(summary, index);

	if (question->asked->lengths.are_shown)
		times_begin_lengths(times);
	for (size_t at = 0; at < track->segment_count; at++) {
		struct span span = timeline_span(timeline, index, at);
		nsec_t begin = span.begin, end = span.end;

		if (!question_clip(question, &begin, &end))
			continue;
		summary_add_turn(summary, &span, end - begin);
		if (question->resolved->is_asked[index]) {
			times = summary_times(summary, index); /* the array may have moved */
			times_add(times, timeline, &span, begin, end);
			/* only the part in the window counts, for sleeps, too */
			span.begin = begin;
			span.end = end;
			polling_add(&times->polling, timeline, &span);
		}
	}
}

/* The columns; the row of the total has the same columns, except the first. */
enum summary_column {
	COLUMN_TASK,
	COLUMN_TIME,
	COLUMN_RUNNING,
	COLUMN_RUNNABLE,
	COLUMN_PREEMPTED,
	COLUMN_THROTTLED,
	COLUMN_WAITING,
	COLUMN_BY_KIND,
	COLUMN_FOR_WORK,
	COLUMN_NOT_ENDED,
	COLUMN_STOPPED,
	COLUMN_UNKNOWN,
	COLUMN_SWITCHES,
	COLUMN_WAITS,
	COLUMN_LONGEST,
	COLUMN_LONGEST_AT,
	COLUMN_RECLAIMS,
	COLUMN_RECLAIM_RUNNING,
	COLUMN_RECLAIM_WAITING,
	COLUMN_LENGTHS,
	COLUMN_WAITING_FOR,
	COLUMN_COUNT,
};

static const struct column columns[] = {
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_TIME] = {"time_ns", "TIME", CELL_DURATION, COLUMN_SPARE(4)},
	[COLUMN_RUNNING] = {"running_ns", "RUNNING", CELL_DURATION, 0},
	[COLUMN_RUNNABLE] = {"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_USEFUL(2)},
	[COLUMN_PREEMPTED] = {"preempted_ns", "PREEMPTED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_THROTTLED] = {"throttled_ns", "THROTTLED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_WAITING] = {"waiting_total_ns", "WAITING", CELL_DURATION, 0},
	[COLUMN_BY_KIND] = {"waiting_ns", "WAITING", CELL_BY_KIND, COLUMN_DATA_ONLY},
	[COLUMN_FOR_WORK] = {"for_work_ns", "FOR WORK", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_NOT_ENDED] = {"open_ns", "NOT ENDED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_STOPPED] = {"stopped_ns", "STOPPED", CELL_DURATION,
	                    COLUMN_DATA_ONLY | COLUMN_USEFUL(1)},
	[COLUMN_UNKNOWN] = {"unknown_ns", "NOT RECORDED", CELL_DURATION, COLUMN_SPARE(1)},
	[COLUMN_SWITCHES] = {"switches", "SWITCHES", CELL_COUNT, COLUMN_DATA_ONLY},
	[COLUMN_WAITS] = {"waits", "WAITS", CELL_COUNT, COLUMN_SPARE(3)},
	[COLUMN_LONGEST] = {"longest_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(7)},
	[COLUMN_LONGEST_AT] = {"longest_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(2)},
	[COLUMN_RECLAIMS] = {"reclaims", "RECLAIMS", CELL_COUNT, COLUMN_DATA_ONLY},
	[COLUMN_RECLAIM_RUNNING] = {"reclaim_running_ns", "RECLAIM", CELL_DURATION,
	                            COLUMN_DATA_ONLY},
	[COLUMN_RECLAIM_WAITING] = {"reclaim_waiting_ns", "RECLAIM", CELL_DURATION,
	                            COLUMN_DATA_ONLY},
	[COLUMN_LENGTHS] = {NULL, "WAIT P50 / P99 / MAX", CELL_DISTRIBUTION,
	                    COLUMN_DATA_ONLY | COLUMN_TEXT_ONLY},
	[COLUMN_WAITING_FOR] = {NULL, "WAITING FOR", CELL_TEXT, COLUMN_TEXT_ONLY},
};

/* Fills in the cells of a row, except that of the task. `why` and `lengths`: for what cells point
   to. */
static void summary_fill(const struct times *times, struct cell cell[COLUMN_COUNT],
                         struct buffer *why, struct distribution_sum *lengths)
{
	times_describe(times, 3, why);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		cell[i].type = columns[i].type;
	assert(times->running + times->runnable + times->waiting + times->stopped +
	               times->unknown == times->time);
	cell[COLUMN_TIME].time = times->time;
	cell[COLUMN_RUNNING].time = times->running;
	cell[COLUMN_RUNNABLE].time = times->runnable;
	cell[COLUMN_PREEMPTED].time = times->preempted;
	cell[COLUMN_THROTTLED].time = times->throttled;
	cell[COLUMN_WAITING].time = times->waiting;
	cell[COLUMN_BY_KIND].by_kind = times->by_kind;
	cell[COLUMN_FOR_WORK].time = times->for_work;
	cell[COLUMN_NOT_ENDED].time = times->open;
	cell[COLUMN_STOPPED].time = times->stopped;
	cell[COLUMN_UNKNOWN].time = times->unknown;
	cell[COLUMN_SWITCHES].count = times->switches;
	cell[COLUMN_WAITS].count = times->waits;
	cell[COLUMN_LONGEST].time = times->longest;
	cell[COLUMN_LONGEST_AT].time = times->longest_at;
	cell[COLUMN_RECLAIMS].count = times->memory.count;
	cell[COLUMN_RECLAIM_RUNNING].time = times->memory.running;
	cell[COLUMN_RECLAIM_WAITING].time = times->memory.waiting;
	if (times->lengths)
		distribution_sum(times->lengths, lengths);
	cell[COLUMN_LENGTHS].distribution = lengths;
	cell[COLUMN_WAITING_FOR].text = why->text;
	if (!times->has_longest)
		cell[COLUMN_LONGEST_AT].type = CELL_EMPTY;
}

/* Puts the row of one task; `is_total`: the row of all tasks together, without the column of the
   task. */
static void summary_row(const struct summary *summary, const struct output *to,
                        const struct times *times, bool is_total)
{
	struct distribution_sum lengths = {0};
	struct cell cell[COLUMN_COUNT];
	struct buffer why;

	buffer_init(&why, 256);
	summary_fill(times, cell, &why, &lengths);
	if (!is_total)
		cell[COLUMN_TASK].task =
			timeline_task(summary->question->timeline, times->track, NSEC_NEVER);
	output_row(to, is_total ? cell + COLUMN_TIME : cell);
	buffer_release(&why);
}

static const char *const sort_keys[] = {
	"waiting", "running", "runnable", "preempted", "throttled", "stopped", "unknown", "time",
	"longest",
	"waits",   NULL,
};

/* The value that tasks are sorted by, in the order of sort_keys. */
static uint64_t times_key(const struct times *times, size_t key)
{
	const uint64_t by_key[] = {
		times->waiting,   times->running, times->runnable, times->preempted,
		times->throttled, times->stopped, times->unknown,  times->time,
		times->longest,
		times->waits,
	};

	_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");
	return by_key[key];
}

struct times_order {
	size_t key;
	bool is_of_machine; /* the tasks that were held up longest come first, and then the order is
	                       by the key */
};

static int times_compare(const void *a, const void *b, void *state)
{
	const struct times *x = *(const struct times *const *)a;
	const struct times *y = *(const struct times *const *)b;
	const struct times_order *order = state;
	size_t key = order->key;

	if (order->is_of_machine) {
		if (x->held_up_time != y->held_up_time)
			return x->held_up_time > y->held_up_time ? -1 : 1;
		if (x->running != y->running)
			return x->running > y->running ? -1 : 1;
	}
	if (times_key(x, key) != times_key(y, key))
		return times_key(x, key) > times_key(y, key) ? -1 : 1;
	if (x->waiting != y->waiting)
		return x->waiting > y->waiting ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

/* Shows the column for stops only if a task was stopped, as that is rare: its row must sum to its
   time. */
static void summary_choose_columns(const struct question *question, const struct times *total,
                                   struct column *ret)
{
	question_choose_columns(question, columns, COLUMN_COUNT, ret);
	if (total->stopped)
		ret[COLUMN_STOPPED].flags &= ~(unsigned)COLUMN_DATA_ONLY;
	if (!total->lengths)
		return;
	ret[COLUMN_LENGTHS].key = "lengths";
	ret[COLUMN_LENGTHS].flags = COLUMN_USEFUL(1);
}

static void lengths_release(struct times *times)
{
	if (times->lengths)
		distribution_release(times->lengths);
	free(times->lengths);
}

static void summary_show_bars(const struct times *total, const struct output *to)
{

	if (!total->lengths)
		return;
	histogram_show_of(total->lengths, "Lengths of waits", to);
}

static void idle_print(const struct summary *summary, const struct times *const *sorted,
                       size_t count, const struct output *to)
{
	size_t idle = 0, kernel = 0;

	for (size_t i = 0; i < count; i++) {
		if (!times_are_idle(summary, sorted[i]))
			continue;
		idle++;
		kernel += track_is_kernel(summary->question->timeline, sorted[i]->track);
	}
	machine_idle_print(count, idle, kernel, to);
}

/* What the first columns of a row of a group are; the others are those of tasks. */
enum group_column {
	GROUP_COLUMN_NAME,
	GROUP_COLUMN_PATH,
	GROUP_COLUMN_TASKS,
	GROUP_COLUMNS,
};

static void group_row(const struct task_groups *groups, const struct summary *summary,
                      const struct times *times, uint64_t tasks, const struct output *to)
{
	struct cell cell[GROUP_COLUMNS + COLUMN_COUNT];
	struct distribution_sum lengths = {0};
	struct buffer why;
	uint32_t group = times->track;

	buffer_init(&why, 256);
	/* the cell of the task is overwritten */
	summary_fill(times, cell + GROUP_COLUMNS - 1, &why, &lengths);
	task_group_cells(groups, summary->question->timeline, group, &cell[GROUP_COLUMN_NAME]);
	cell[GROUP_COLUMN_TASKS] = (struct cell){.type = CELL_COUNT, .count = tasks};
	output_row(to, cell);
	buffer_release(&why);
}

/* Sums the times of the asked tasks by group. `times.track` is then the group's index. */
static void groups_sum(const struct task_groups *groups, const struct times **task, size_t count,
                       struct times *ret, uint64_t *ret_tasks)
{
	for (uint32_t i = 0; i < groups->count; i++)
		ret[i].track = i;
	for (size_t i = 0; i < count; i++) {
		uint32_t group = groups->of_track[task[i]->track];

		if (group == TASK_GROUP_NONE)
			continue;
		times_sum(&ret[group], task[i]);
		ret_tasks[group]++;
	}
}

/* The rows of the groups of the asked tasks. */
static void summary_groups(const struct summary *summary, const struct output *to,
                           const struct column shown[COLUMN_COUNT], const struct times **task,
                           size_t count)
{
	static const struct column first[GROUP_COLUMNS] = {
		[GROUP_COLUMN_NAME] = {"group", "GROUP", CELL_TEXT, 0},
		[GROUP_COLUMN_PATH] = {"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY},
		[GROUP_COLUMN_TASKS] = {"tasks", "TASKS", CELL_COUNT, COLUMN_SPARE(5)},
	};
	struct column all[GROUP_COLUMNS + COLUMN_COUNT - 1];
	struct times_order order = {.key = question_sort_key(summary->question, sort_keys)};
	size_t used = 0, rows;
	struct task_groups groups;
	const struct times **sorted; /* NOLINT: pointers are meant */
	struct times *times;
	uint64_t *tasks;

	task_groups_init(&groups, summary->question);
	times = xcalloc(groups.count, sizeof(*times));
	tasks = xcalloc(groups.count, sizeof(*tasks));
	sorted = xcalloc(groups.count, sizeof(*sorted)); /* NOLINT: pointers are meant */
	groups_sum(&groups, task, count, times, tasks);
	for (size_t i = 0; i < groups.count; i++)
		if (tasks[i])
			sorted[used++] = &times[i];
	if (used)
		qsort_r(sorted, used, sizeof(*sorted), times_compare, &order); /* NOLINT */
	memcpy(all, first, sizeof(first));
	memcpy(all + GROUP_COLUMNS, shown + COLUMN_TIME, (COLUMN_COUNT - 1) * sizeof(*all));
	output_table_begin(to, "groups", groups.are_trees ? "Process trees" : "Control groups", all,
	                   ARRAY_SIZE(all), false);
	rows = output_row_count(to, used);
	for (size_t i = 0; i < rows; i++)
		group_row(&groups, summary, sorted[i], tasks[sorted[i]->track], to);
	output_leave_rows(to, used - rows);
	output_table_end(to);
	for (size_t i = 0; i < groups.count; i++)
		lengths_release(&times[i]);
	free(times);
	free(tasks);
	free(sorted);
	task_groups_release(&groups);
}

/* The rows of all asked tasks together, and of each. */
static void summary_tables(const struct summary *summary, const struct output *to,
                           const struct times *total, const struct times **sorted, size_t count)
{
	struct column shown[COLUMN_COUNT];
	size_t rows;

	summary_choose_columns(summary->question, total, shown);
	output_table_begin(to, "total", "Together", shown + COLUMN_TIME,
	                   COLUMN_COUNT - COLUMN_TIME, /* is_single= */ true);
	summary_row(summary, to, total, /* is_total= */ true);
	output_table_end(to);
	if (summary->question->asked->by_group)
		summary_groups(summary, to, shown, sorted, count);
	output_table_begin(to, "tasks", "Tasks", shown, COLUMN_COUNT, false);
	rows = output_row_count(to, count);
	for (size_t i = 0; i < rows; i++)
		summary_row(summary, to, sorted[i], /* is_total= */ false);
	output_leave_rows(to, count - rows);
	output_table_end(to);
	if (summary_is_of_machine(summary))
		idle_print(summary, sorted, count, to);
}

/* Shows all that was gathered, in the order of the section. */
static void summary_show(const struct summary *summary, const struct summary_view *view,
                         const struct output *to)
{
	const struct question *question = summary->question;
	struct times total = {.track = 0};
	struct hangs hangs;
	/* NOLINTNEXTLINE: pointers are meant */
	const struct times **sorted = xcalloc(summary->count, sizeof(*sorted));
	struct times_order order = {.key = question_sort_key(question, sort_keys)};
	bool is_of_machine = summary_is_of_machine(summary);
	size_t count = 0;

	order.is_of_machine = is_of_machine && !question->asked->sort;
	chain_tree_note(summary->explanation->path_track == TRACK_NONE
	                        ? &summary->explanation->waits
	                        : &summary->explanation->path,
	                question->health);
	if (summary_lacks_target(summary))
		health_doubt(question->health,
		             "no process of record -p is seen, as it ended before: every task is "
		             "shown");
	for (size_t track = 0; track < summary->count; track++) {
		if (!question->resolved->is_asked[track])
			continue;
		times_set_memory(&summary->by_track[track], question);
		if (is_of_machine)
			summary->by_track[track].held_up_time =
				times_held_up(summary, &summary->by_track[track]);
		sorted[count] = &summary->by_track[track];
		if (sorted[count]->time || sorted[count]->waits)
			times_sum(&total, sorted[count++]);
	}
	/* NOLINTNEXTLINE: pointers are meant */
	qsort_r(sorted, count, sizeof(*sorted), times_compare, &order);
	output_section_begin(to, "summary", "Summary", /* is_list= */ false);
	hangs_find(&hangs, question);
	aim_sums_report(&view->aims, AIM_MASK_ALL, to);
	summary_print(summary, &hangs, &view->advices, to, &total, count);
	summary_requests_put(summary->requests, to);
	if (!question->asked->summary.is_short && !summary_shows_nothing(to, &total))
		summary_tables(summary, to, &total, sorted, count);
	inversions_report(&summary->explanation->inversions, to);
	hangs_report(&hangs, to);
	hangs_release(&hangs);
	if (!question->asked->summary.is_short)
		summary_show_bars(&total, to);
	output_section_end(to);
	lengths_release(&total);
	free(sorted);
}

static void summary_release(struct summary *summary)
{
	for (size_t i = 0; i < summary->count; i++) {
		free(summary->by_track[i].held_up.cause);
		free(summary->by_track[i].polling);
		free(summary->by_track[i].turns);
		lengths_release(&summary->by_track[i]);
	}
	free(summary->by_track);
	hung_tasks_release(&summary->hung);
}

static void summary_report(const void *state, const struct output *to)
{
	const struct summary_view *view = state;
	const struct summary *gathered = &view->summary;
	struct summary windowed = {
		.question = gathered->question,
		.explanation = gathered->explanation,
		.requests = gathered->requests,
		.answers = gathered->answers,
		.networks = gathered->networks,
	};

	if (gathered->is_streaming) {
		summary_show(gathered, view, to);
		return;
	}
	hung_tasks_init(&windowed.hung);
	for (uint32_t track = 0; track < windowed.question->timeline->track_count; track++)
		summary_add_track(&windowed, track);
	if (windowed.question->resolved->end >= windowed.question->timeline->end)
		hung_tasks_add_history(&windowed.hung, windowed.question->timeline);
	summary_show(&windowed, view, to);
	summary_release(&windowed);
}

static void summary_end(void *state)
{
	struct summary_view *view = state;

	standstill_release(&view->summary.standstill);
	summary_release(&view->summary);
	explanation_release(view->summary.explanation);
	free(view->summary.explanation);
	aim_sums_release(&view->aims);
	advices_release(&view->advices);
	summary_requests_free(view->summary.requests);
	summary_answers_free(view->summary.answers);
	network_use_free(view->summary.networks);
	free(view);
}

const struct analysis summary_analysis = {
	.name = "summary",
	.about = "where the time of each task went",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_WALKS | HEEDS_HISTOGRAM | HEEDS_BY_GROUP,
	.walks_waits = true,
	.fold = summary_fold,
	.begin = summary_begin,
	.on_span = summary_on_span,
	.on_interval = summary_on_interval,
	.interval_kinds = INTERRUPT_INTERVALS | INTERVAL_MASK(INTERVAL_CPU) | ADVICE_INTERVALS |
	                  INTERVAL_MASK(INTERVAL_EXCHANGE) | INTERVAL_MASK(INTERVAL_TRAFFIC),
	.resolve = summary_resolve,
	.report = summary_report,
	.end = summary_end,
};
