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

#include "advice.h"
#include "analysis/tables/aim_sums.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/relation.h"
#include "analysis/task_groups.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "graph/aims/awaited.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "views/lock/lock_contention.h"
#include "views/tail/tail.h"
#include "words/cause/unknown_words.h"

struct turns *turns_keep(struct turns **turns)
{
	if (!*turns)
		*turns = xcalloc(1, sizeof(**turns));
	return *turns;
}

uint32_t turns_partner(const struct turns *turns, const struct timeline *timeline, uint32_t track,
                       nsec_t *ret_waited)
{
	uint32_t partner = turns ? voter_task(&turns->waits) : TRACK_NONE;

	if (partner == TRACK_NONE || voter_task(&turns->wakes) != partner ||
	    turns->wakes.own < TURNS_LEAST || !turns_count(&timeline->track[track]) ||
	    timeline_is_one_process(timeline, track, partner) ||
	    timeline_descends(timeline, partner, track))
		return TRACK_NONE;
	*ret_waited = turns->waits.own;
	return partner;
}

static void longest_set(struct longest_wait *longest, const struct span *span, nsec_t begin,
                        nsec_t length)
{
	longest->length = length;
	longest->begin = begin;
	longest->track = span->track;
	longest->is_open = span->is_open;
	longest->is_stop = span->kind == SEGMENT_STOPPED;
	longest->is_traced = longest->is_stop && span->detail == 't';
	longest->frames = span_frames(span);
	longest->has_cause = span->cause != NULL;
	if (!span->cause)
		return;
	if (!longest->cause)
		longest->cause = xmalloc(sizeof(*longest->cause));
	*longest->cause = *span->cause;
}

/* Notes the longest length; a length of 0 counts if there is no longer one. */
static void times_note_length(struct times *times, nsec_t begin, nsec_t length)
{
	if (times->has_longest && length <= times->longest)
		return;
	times->has_longest = true;
	times->longest = length;
	times->longest_at = begin;
}

static void times_add_wait(struct times *times, const struct timeline *timeline,
                           const struct span *span, nsec_t begin, nsec_t length)
{
	enum cause_kind kind = span->cause ? (enum cause_kind)span->cause->kind : CAUSE_UNKNOWN;

	times->waiting += length;
	times->by_kind[kind] += length;
	times->waits++;
	if (times->lengths)
		distribution_add(times->lengths, length, begin);
	times_note_length(times, begin, length);
	if (length > times->held_up.length &&
	    !wait_is_chosen(span->detail, span->is_open, span->cause) &&
	    !span_is_left(timeline, span))
		longest_set(&times->held_up, span, begin, length);
	if (span->detail & WAIT_FOR_WORK)
		times->for_work += length;
	if (span_is_ended_by_work_of_others(timeline, span))
		times->by_others_work += length;
	if (span->is_open)
		times->open += length;
	if (span->is_open && kind == CAUSE_UNKNOWN)
		times->open_unknown += length;
}

static void times_begin_lengths(struct times *times)
{
	if (!times->lengths)
		times->lengths = xcalloc(1, sizeof(*times->lengths));
}

/* Counts the part of the span that lies in [begin, end). Inline, as it runs for all spans. */
static inline __attribute__((always_inline)) void
times_add(struct times *times, const struct timeline *timeline, const struct span *span,
          nsec_t begin, nsec_t end)
{
	nsec_t length = end - begin;

	times->time += length;
	if (span->kind == SEGMENT_RUN) {
		times->running += length;
		times->switches++;
	} else if (span->kind == SEGMENT_RUNNABLE) {
		times->runnable += length;
		if (span->cause) { /* held back by a limit */
			times->throttled += length;
			times->limited[span->cause->as.throttled.limit] += length;
			return;
		}
		if (runnable_by_switch(span->detail))
			times->preempted += length;
		if (span->detail == RUNNABLE_GAVE_AWAY) {
			times->given_away += length;
			times->gave_away++;
		}
	} else if (span->kind == SEGMENT_WAIT) {
		times_add_wait(times, timeline, span, begin, length);
	} else if (span->kind == SEGMENT_STOPPED) {
		times->stopped += length;
		times_note_length(times, begin, length);
		if (length > times->held_up.length)
			longest_set(&times->held_up, span, begin, length);
	} else if (span->kind == SEGMENT_UNKNOWN) {
		times->unknown += length;
	}
}

static void times_sum(struct times *total, const struct times *times)
{
	if (times->has_longest)
		times_note_length(total, times->longest_at, times->longest);
	if (times->held_up.length > total->held_up.length)
		total->held_up = times->held_up;
	if (times->lengths) {
		times_begin_lengths(total);
		distribution_merge(total->lengths, times->lengths);
	}
	total->tasks++;
	for (size_t i = 0; i < TIMES_SUMS; i++)
		((nsec_t *)total)[i] += ((const nsec_t *)times)[i];
	memory_total_add(&total->memory, &times->memory);
}

bool summary_lacks_wakeups(const struct summary *summary)
{
	const struct resolved *resolved = summary->question->resolved;

	return summary->question->health->waits_without_waker > 0 &&
	       !event_kinds_have_any(&resolved->seen,
	                             EVENT_LIST(EVENT_SCHED_WAKING, EVENT_SCHED_WAKEUP,
	                                        EVENT_SCHED_WAKEUP_NEW)) &&
	       recorded_events(&resolved->recorded, "sched", "sched:sched_waking",
	                       resolved->described.has[EVENT_SCHED_WAKING]) != EVENTS_NONE;
}

struct cpu_use summary_cpu_use(const struct summary *summary, uint32_t machine)
{
	const struct question *question = summary->question;
	struct cpu_use use = {
		.cpus = machine_cpus(question, machine),
		.length = machine_time(question, machine),
	};

	for (size_t i = 0; i < summary->count; i++) {
		if (question->timeline->track[i].host != machine)
			continue;
		use.running += summary->by_track[i].running;
		use.runnable += summary->by_track[i].runnable;
	}
	return use;
}

void summary_demand_append(const struct summary *summary, uint32_t machine, struct buffer *to)
{
	const struct hosts *hosts = &summary->question->timeline->hosts;
	const struct cpu_use use = summary_cpu_use(summary, machine);

	/* in a window the times of tasks that are not asked for are not known */
	say(to, NULL,
	    "[on average [{if}at least ]{decimal} tasks for ]{number} CPU{|s}[ of {text}]",
	    IF(summary_lacks_wakeups(summary)),
	    WHEN(summary->is_streaming, DECIMAL(cpu_use_demand(&use))),
	    NUMBER(use.cpus), TEXT(hosts_name(hosts, machine)));
}

/* The state of the view. The summary comes first, as tests read it. */
struct summary_view {
	struct summary summary;
	struct advices advices;
	struct aim_sums aims;
};

static void summary_begin(void *state)
{
	struct summary_view *view = state;
	struct summary *summary = &view->summary;
	const struct question *question = summary->question;

	keyed_sums_init(&summary->pipe_partners, sizeof(struct keyed_sum), SIZE_MAX);
	summary->standstill.question = question;
	summary->explanation = xcalloc(1, sizeof(*summary->explanation));
	explanation_init(summary->explanation, question);
	advices_init(&view->advices, question);
	summary->advices = &view->advices;
	if (question->asked->shows_data)
		aim_sums_init(&view->aims, question, AIM_MASK_ALL, /* is_filtered= */ false);
	summary->requests = summary_requests_new(question);
	summary->is_streaming = !question_may_be_windowed(question);
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
	uint32_t wakee = span->track, waker;

	if (span->kind != SEGMENT_WAIT || !span->cause || span->cause->kind != CAUSE_TASK ||
	    span->cause->waker == TRACK_NONE || span->detail & WAIT_FOR_WORK ||
	    span->detail == 'D' || !summary->explanation->may_have_path)
		return;
	waker = span->cause->waker;
	if (turns_count(&tracks[wakee]) && question_asks_track(question, wakee))
		voter_vote(&turns_keep(&summary_times(summary, wakee)->turns)->waits, waker,
		           length);
	if (turns_count(&tracks[waker]) && question_asks_track(question, waker))
		voter_vote(&turns_keep(&summary_times(summary, waker)->turns)->wakes, wakee, 1);
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
	if (span->kind != SEGMENT_WAIT)
		return;
	summary_add_turn(summary, span, span->end - span->begin);
	pipe_partners_take(&summary->pipe_partners, span);
}

static void summary_on_interval(void *state, const struct interval *interval)
{
	struct summary_view *view = state;

	explanation_add_interval(view->summary.explanation, interval);
	advices_add_interval(&view->advices, interval);
	summary_requests_add(view->summary.requests, interval);
}

static void summary_take_polling(struct summary *summary)
{
	for (uint32_t track = 0; track < summary->count; track++)
		polling_take(&summary->by_track[track].polling, summary->question, track);
}

static void summary_fold(void *state)
{
	struct summary_view *view = state;

	summary_take_polling(&view->summary);
	explanation_fold(view->summary.explanation);
	summary_requests_fold(view->summary.requests);
	aim_sums_fold(&view->aims);
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
		}
	}
}

static void summary_resolve(void *state)
{
	struct summary_view *view = state;
	struct summary *summary = &view->summary;

	for (uint32_t track = 0;
	     !summary->is_streaming && track < summary->question->timeline->track_count; track++)
		summary_add_track(summary, track);
	summary_take_polling(summary);
	explanation_finish(summary->explanation);
	aim_sums_finish(&view->aims);
	interval_gate_resolve(&view->advices);
	summary_requests_resolve(summary->requests);
}

#define AT(member) RELATION_AT(struct times, member)

/* Columns that fill() or adapt() are about. */
enum times_column {
	TIMES_TASK,
	TIMES_GROUP,
	TIMES_TASKS = TIMES_GROUP + TASK_GROUP_CELLS,
	TIMES_STOPPED = TIMES_TASKS + 10,
	TIMES_LONGEST_AT = TIMES_STOPPED + 5,
	TIMES_LENGTHS = TIMES_LONGEST_AT + 4,
	TIMES_WAITING_FOR,
	TIMES_PIDS,
};

/* Of all tables; each leaves out which of the first columns it has no use for. */
/* NOLINTBEGIN(bugprone-sizeof-expression): the lengths are a pointer, and that size is meant */
static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, FILLED},
	[TIMES_GROUP] = {"group", "GROUP", CELL_TEXT, 0, FILLED},
	{"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[TIMES_TASKS] = {"tasks", "TASKS", CELL_COUNT, COLUMN_SPARE(5), AT(tasks)},
	{"time_ns", "TIME", CELL_DURATION, COLUMN_SPARE(4), AT(time)},
	{"running_ns", "RUNNING", CELL_DURATION, 0, AT(running)},
	{"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_USEFUL(2), AT(runnable)},
	{"preempted_ns", "PREEMPTED", CELL_DURATION, COLUMN_DATA_ONLY, AT(preempted)},
	{"throttled_ns", "THROTTLED", CELL_DURATION, COLUMN_DATA_ONLY, AT(throttled)},
	{"waiting_total_ns", "WAITING", CELL_DURATION, 0, AT(waiting)},
	{"waiting_ns", "WAITING", CELL_BY_KIND, COLUMN_DATA_ONLY, AT(by_kind)},
	{"for_work_ns", "FOR WORK", CELL_DURATION, COLUMN_DATA_ONLY, AT(for_work)},
	{"open_ns", "NOT ENDED", CELL_DURATION, COLUMN_DATA_ONLY, AT(open)},
	[TIMES_STOPPED] = {"stopped_ns", "STOPPED", CELL_DURATION,
	                   COLUMN_DATA_ONLY | COLUMN_USEFUL(1), AT(stopped)},
	{"unknown_ns", "NOT RECORDED", CELL_DURATION, COLUMN_SPARE(1), AT(unknown)},
	{"switches", "SWITCHES", CELL_COUNT, COLUMN_DATA_ONLY, AT(switches)},
	{"waits", "WAITS", CELL_COUNT, COLUMN_SPARE(3), AT(waits)},
	{"longest_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(7), AT(longest)},
	[TIMES_LONGEST_AT] = {"longest_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(2), AT(longest_at)},
	{"reclaims", "RECLAIMS", CELL_COUNT, COLUMN_DATA_ONLY, AT(memory.count)},
	{"reclaim_running_ns", "RECLAIM", CELL_DURATION, COLUMN_DATA_ONLY, AT(memory.running)},
	{"reclaim_waiting_ns", "RECLAIM", CELL_DURATION, COLUMN_DATA_ONLY, AT(memory.waiting)},
	[TIMES_LENGTHS] = {NULL, "WAIT P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_DATA_ONLY,
	                   AT(lengths)},
	[TIMES_WAITING_FOR] = {NULL, "ENDED BY", CELL_TEXT, 0, FILLED},
	[TIMES_PIDS] = {TASK_GROUP_PIDS},
};
/* NOLINTEND(bugprone-sizeof-expression) */

/* What a table is about. */
struct times_view {
	const struct question *question;
	const struct times *total;
	const struct task_groups *groups; /* NULL: its rows are no groups */
	bool is_of_tasks;
};

/* "disk 62 %, task 20 %": the causes of most of the waiting. */
static void times_describe(const struct times *times, struct buffer *to)
{
	nsec_t left[CAUSE_KIND_COUNT + 1]; /* the last element: waits that have not ended, of
	                                      unknown purpose */

	memcpy(left, times->by_kind, sizeof(times->by_kind));
	left[CAUSE_UNKNOWN] -= times->open_unknown;
	left[CAUSE_KIND_COUNT] = times->open_unknown;
	for (unsigned n = 0; n < SHOWN_CAUSES; n++) {
		size_t best = 0;

		for (size_t kind = 1; kind < ARRAY_SIZE(left); kind++)
			if (left[kind] > left[best])
				best = kind;
		if (left[best] == 0)
			break;
		say(to, NULL, "{,}{text} {share}",
		    TEXT(best == CAUSE_KIND_COUNT ? WORDS_STILL_WAITING
		                                  : cause_kind_words((enum cause_kind)best)),
		    SHARE((double)left[best] / (double)times->waiting));
		left[best] = 0;
	}
}

static void times_fill(const void *of, const void *row, struct cell *cell, struct buffer *text)
{
	const struct times_view *view = of;
	const struct timeline *timeline = view->question->timeline;
	const struct times *times = row;

	assert(times->running + times->runnable + times->waiting + times->stopped +
	               times->unknown == times->time);
	if (view->is_of_tasks)
		cell[TIMES_TASK] = cell_of_task(timeline, times->track);
	if (view->groups) {
		task_group_cells(view->groups, timeline, times->track, &cell[TIMES_GROUP]);
		cell[TIMES_PIDS] = task_group_pids(view->groups, times->track);
	}
	times_describe(times, &text[TIMES_WAITING_FOR]);
	cell[TIMES_LENGTHS].type = CELL_DISTRIBUTION;
	if (!times->has_longest)
		cell[TIMES_LONGEST_AT].type = CELL_EMPTY;
}

/* Shows the column for stops only if a task was stopped, as that is rare: its row must sum to its
   time. */
static void times_adapt(const void *of, const struct relation_rows *rows, struct column *shown)
{
	const struct times_view *view = of;

	(void)rows;
	for (size_t i = TIMES_TASK; i <= TIMES_TASKS; i++)
		if (i == TIMES_TASK ? !view->is_of_tasks : !view->groups)
			relation_drop(&shown[i]);
	if (view->total->stopped)
		shown[TIMES_STOPPED].flags &= ~(unsigned)COLUMN_DATA_ONLY;
	if (!view->total->lengths)
		return;
	shown[TIMES_LENGTHS].key = "lengths";
	shown[TIMES_LENGTHS].flags = COLUMN_USEFUL(1);
}

static bool times_are_shown(const void *of, const void *row)
{
	const struct times_view *view = of;
	const struct times *times = row;

	return view->groups ? times->tasks > 0
	                    : view->question->resolved->is_asked[times->track] &&
	                              (times->time || times->waits);
}

static const char *const sort_keys[] = {
	"waiting", "running", "runnable", "preempted", "throttled", "stopped", "unknown", "time",
	"longest", "waits", NULL,
};

static const struct measure by_key[] = {
	{AT(waiting)},   {AT(running)}, {AT(runnable)}, {AT(preempted)}, {AT(throttled)},
	{AT(stopped)}, {AT(unknown)},  {AT(time)}, {AT(longest)}, {AT(waits)},
};

static struct relation_form times_form(const char *key, const char *title)
{
	return (struct relation_form){
		key, title, FIELDS(fields),
		.sort_keys = sort_keys, .by_key = by_key, .order = {{AT(waiting)}, {AT(time)}},
		.is_shown = times_are_shown, .fill = times_fill, .adapt = times_adapt,
		.next = "{?longest_at_ns}--waits --sort wait --tid {task}|--critical-path={task}|"
		        LINK_GROUP("--summary --waits --sort wait"),
	};
}

static void lengths_release(struct times *times)
{
	if (times->lengths)
		distribution_release(times->lengths);
	free(times->lengths);
}

/* The rows of the groups of the asked tasks. In these `track` is the group's index. */
static void summary_groups(const struct question *question, const struct times *total,
                           const struct relation_rows *tasks, const struct output *to)
{
	struct task_groups groups;
	const struct times_view view = {question, total, &groups, false};
	struct relation_form form;
	struct tally rows;
	struct times *times;

	task_groups_init(&groups, question, /* only_cgroups= */ false);
	times = xcalloc(groups.count, sizeof(*times));
	for (uint32_t i = 0; i < groups.count; i++)
		times[i].track = i;
	for (size_t i = 0; i < tasks->count; i++) {
		const struct times *task = tasks->row[i];

		if (groups.of_track[task->track] != TASK_GROUP_NONE)
			times_sum(&times[groups.of_track[task->track]], task);
	}
	form = times_form("groups", groups.are_trees ? "Process trees" : "Control groups");
	rows = relation_of(times, sizeof(*times), groups.count);
	relation_put(&rows, &form, &view, question, to);
	for (size_t i = 0; i < groups.count; i++)
		lengths_release(&times[i]);
	free(times);
	task_groups_release(&groups);
}

/* The rows of all asked tasks together, and of each: of a whole machine, those that were held up
   longest come first. */
static void summary_tables(const struct summary *summary, const struct times *total,
                           const struct output *to)
{
	static const struct measure by_held_up[] = {
		{AT(held_up_time)}, {AT(running)}, {AT(waiting)}, {AT(time)}};
	const struct question *question = summary->question;
	const struct times_view of_total = {question, total, NULL, false};
	const struct times_view of_tasks = {question, total, NULL, true};
	struct relation_form form = times_form("total", "Together");
	struct tally tasks = relation_of(summary->by_track, sizeof(*total), summary->count);
	struct relation_rows rows;
	const void *one = total;

	form.is_single = true;
	relation_show(&form, &(struct relation_rows){&one, 1}, &of_total, question, to);
	form = times_form("tasks", "Tasks");
	if (summary_is_of_machine(summary) && !question->asked->sort) {
		form.by_key = NULL;
		memcpy(form.order, by_held_up, sizeof(by_held_up));
	}
	rows = relation_choose(&tasks, &form, &of_tasks, question);
	if (question->asked->by_group)
		summary_groups(question, total, &rows, to);
	relation_show(&form, &rows, &of_tasks, question, to);
	if (summary_is_of_machine(summary))
		machine_idle_print(summary, &rows, to);
	relation_rows_release(&rows);
}

static void summary_report(const void *state, const struct output *to)
{
	const struct summary_view *view = state;
	const struct summary *summary = &view->summary;
	const struct question *question = summary->question;
	const struct resolved *resolved = question->resolved;
	struct times total = {.track = 0};
	const struct times_view of_tasks = {question, &total, NULL, true};
	struct hangs hangs;

	chain_tree_note(summary->explanation->path_track == TRACK_NONE
	                        ? &summary->explanation->waits
	                        : &summary->explanation->path,
	                question->health);
	if (summary_lacks_target(summary))
		health_doubt(question->health,
		             "no process of record -p is seen, as it ended before: every task is "
		             "shown");
	SUMMARY_EACH(summary, times) {
		struct track *track = &question->timeline->track[times->track];

		if (resolved->is_windowed)
			track_memory_within(track, resolved->begin, resolved->end, &times->memory);
		else if (track->memory)
			times->memory = track->memory->outer;
		if (summary_is_of_machine(summary))
			times->held_up_time = times_held_up(summary, times);
		if (times_are_shown(&of_tasks, times))
			times_sum(&total, times);
	}
	output_section_begin(to, "summary", "Summary", /* is_list= */ false);
	hangs_find(&hangs, question, summary->is_streaming ? &summary->pipe_partners : NULL);
	aim_sums_report(&view->aims, AIM_MASK_ALL, to);
	summary_print(summary, &hangs, to, &total);
	summary_requests_put(summary->requests, to);
	if (!question->asked->summary.is_short && !summary_shows_nothing(to, &total))
		summary_tables(summary, &total, to);
	inversions_report(&summary->explanation->inversions, to);
	hangs_report(&hangs, to);
	hangs_release(&hangs);
	if (!question->asked->summary.is_short && total.lengths)
		histogram_show_of(total.lengths, "Lengths of waits", to);
	output_section_end(to);
	lengths_release(&total);
}

static void summary_end(void *state)
{
	struct summary_view *view = state;

	standstill_release(&view->summary.standstill);
	for (size_t i = 0; i < view->summary.count; i++) {
		free(view->summary.by_track[i].held_up.cause);
		free(view->summary.by_track[i].polling);
		free(view->summary.by_track[i].turns);
		lengths_release(&view->summary.by_track[i]);
	}
	free(view->summary.by_track);
	keyed_sums_release(&view->summary.pipe_partners);
	explanation_release(view->summary.explanation);
	free(view->summary.explanation);
	aim_sums_release(&view->aims);
	advices_release(&view->advices);
	summary_requests_free(view->summary.requests);
}

const struct analysis summary_analysis = {
	.name = "summary",
	.about = "where the time of each task went",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_WALKS | HEEDS_HISTOGRAM | HEEDS_BY_GROUP,
	.walks_waits = true,
	.fold = summary_fold,
	.state_bytes = sizeof(struct summary_view),
	.begin = summary_begin,
	.on_span = summary_on_span,
	.on_interval = summary_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_CPU) | ADVICE_INTERVALS | TAIL_REQUEST_INTERVALS,
	.resolve = summary_resolve,
	.report = summary_report,
	.end = summary_end,
};
