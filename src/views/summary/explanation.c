/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "explanation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/paths/path_task.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/row_link.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "graph/aims/awaited.h"
#include "graph/timeline/timeline_tasks.h"

/* Limit of the tree's nodes: enough to show the heaviest few chains, and small for any trace. */
#define NODES_MAX (1u << 15)

#define SLICE_LEAST 1000u /* ns: no slice is shorter */

void explanation_init(struct explanation *explanation, const struct question *question)
{
	*explanation = (struct explanation){.question = question, .path_track = TRACK_NONE};
	chain_tree_init(&explanation->waits, question->timeline, NODES_MAX);
	walk_sample_share(&explanation->waits.sample, question->walking_views);
	if (question->asked->summary.parts_free)
		explanation->waits.sample.parts_free = question->asked->summary.parts_free;
	chain_tree_init(&explanation->path, question->timeline, NODES_MAX);
	keyed_sums_init(&explanation->interrupt_sums, sizeof(struct interrupt_sum), SIZE_MAX);
	explanation->spare_cpus.hosts = &question->timeline->hosts;
	explanation->ahead = (struct walks_ahead){
		.timeline = question->timeline, .interrupts = &explanation->interrupts,
		.spare = &explanation->spare_cpus, .nodes_max = NODES_MAX};
	explanation->inversions.question = question;
	tally_init(&explanation->inversions.rows, sizeof(struct inversion),
	           sizeof(struct inversion_key), INVERSIONS_MAX);
	keyed_sums_init(&explanation->slices, sizeof(struct slice_sum), SIZE_MAX);
	explanation->may_have_path = question_may_be_of_one(question);
}

void explanation_release(struct explanation *explanation)
{
	chain_tree_release(&explanation->waits);
	chain_tree_release(&explanation->path);
	interrupt_log_release(&explanation->interrupts);
	keyed_sums_release(&explanation->interrupt_sums);
	spare_cpus_release(&explanation->spare_cpus);
	tally_release(&explanation->inversions.rows);
	keyed_sums_release(&explanation->slices);
	walks_ahead_release(&explanation->ahead);
	had_cpu_release(&explanation->path_sums.had_cpu);
	free(explanation->taken);
}

struct taken explanation_taken(const struct explanation *explanation, uint32_t track)
{
	return track < explanation->taken_count ? explanation->taken[track] : (struct taken){0};
}

void explanation_add_interval(struct explanation *explanation, const struct interval *interval)
{
	if (!explanation->may_have_path)
		return;
	if (interval->kind == INTERVAL_CPU && interval->task != TRACK_NONE &&
	    explanation->question->timeline->track[interval->task].is_idle)
		spare_cpus_add(&explanation->spare_cpus, interval->cpu, interval->begin,
		               interval->end);
	if (!interval_is_interrupt(interval))
		return;
	interrupt_log_add(&explanation->interrupts, interval->cpu, interval_started(interval),
	                  interval->end);
	if (question_may_touch(explanation->question, interval_started(interval), interval->end))
		interrupt_sums_add(&explanation->interrupt_sums, interval,
		                   interval_started(interval), interval->end);
}

/* Waiting is the purpose of kernel threads, so their sleeps are reported only if no programs are
   asked for. */
bool explanation_walks(const struct explanation *explanation, uint32_t index)
{
	const struct question *question = explanation->question;

	return question_asks_track(question, index) && !track_is_of_recorder(question, index) &&
	       !(explanation->has_programs && track_is_kernel(question->timeline, index));
}

static struct taken *taken_of(struct explanation *explanation, uint32_t index)
{
	ARRAY_REACH(explanation->taken, explanation->taken_count, explanation->taken_capacity,
	            index);
	return &explanation->taken[index];
}

/* Begins the time series with slices that are just long enough to cover the known time. */
static void explanation_series_begin(struct explanation *explanation, nsec_t begin, nsec_t end)
{
	nsec_t slice = (end - begin) / SERIES_SLICES + 1;

	if (explanation->runnable.slice)
		return;
	slice = nsec_max(slice, SLICE_LEAST);
	time_series_init(&explanation->runnable, begin, slice);
	time_series_init(&explanation->waiting, begin, slice);
}

/*
 * If the segment is part of a wait in slices, adds it: it is a slice, or the wait that ended them;
 * other waits may lie between slices. Waits for work are ignored. A wait that the window cuts does
 * not count as a whole one, which may be the longest.
 */
static void take_slice(struct explanation *explanation, uint32_t index, size_t at, nsec_t begin,
                       nsec_t end)
{
	const struct resolved *resolved = explanation->question->resolved;
	const struct timeline *timeline = explanation->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct sleep_series *wait =
		series_of(track->series, SERIES_OF_SLICES, track->segment[at].begin);
	bool is_first, is_last, is_whole;
	struct awaited awaited;
	struct slice_sum *sum;

	if (!wait || wait->is_for_work || wait->cause->kind == CAUSE_UNKNOWN ||
	    !(timeline_awaited(timeline, index, at, &awaited)
	              ? awaited.cause == wait->cause
	              : wait->is_answered && timeline_segment_end(track, at) == wait->end))
		return;
	sum = keyed_sums_of(&explanation->slices, wait->track);
	is_first = sum->of.count == 0;
	is_last = wait->is_answered && end == wait->end;
	is_whole = !resolved || !resolved->is_windowed ||
	           (wait->begin >= resolved->begin && wait->end <= resolved->end);
	sum->is_alike = is_first || (sum->is_alike && sum->cause.kind == wait->cause->kind &&
	                             sum->cause.waker == wait->cause->waker &&
	                             cause_note_is_alike(&sum->cause, wait->cause));
	if (is_first || (is_whole && wait->waiting > sum->longest)) {
		sum->cause = *wait->cause;
		sum->is_answered = wait->is_answered;
	}
	sum->of.total += end - begin;
	sum->of.extra += is_last ? 0 : end - begin;
	sum->of.count++;
	sum->most = nsec_max(sum->most, end - begin);
	if (!is_whole || wait->waiting <= sum->longest)
		return;
	sum->longest = wait->waiting;
	sum->longest_at = wait->begin;
	sum->longest_count = wait->count;
}

static void take_wait(struct explanation *explanation, uint32_t index, size_t at, nsec_t begin,
                      nsec_t end)
{
	const struct timeline *timeline = explanation->question->timeline;
	const struct track *track = &timeline->track[index];
	enum chosen_sleep chosen;

	inversions_take(&explanation->inversions, index, at, begin, end);
	chosen = timeline_chosen_sleep(timeline, index, at);
	/* the purpose of a wait that has not ended and has no cause is unknown */
	if (chosen == SLEEP_NOT_CHOSEN &&
	    (track->segment[at].cause != CAUSE_NONE || !timeline_is_open(track, at)))
		time_series_add(&explanation->waiting, begin, end);
	if (track->series)
		take_slice(explanation, index, at, begin, end);
	if (chosen == SLEEP_FOR_WORK)
		taken_of(explanation, index)->for_work += end - begin;
	if (chosen != SLEEP_NOT_CHOSEN)
		taken_of(explanation, index)->chosen += end - begin;
	/* if there is one task, its path reports what it waited for: the walks of all tasks are not
	   needed */
	if (chosen == SLEEP_FOR_WORK || explanation->path_track != TRACK_NONE)
		return;
	chain_tree_add_wait(&explanation->waits, index, begin, end,
	                    segment_cause(timeline, &track->segment[at]));
}

/* Takes all segments of the track that have ended; at the end of the trace, also the last one. */
static void explanation_take_track(struct explanation *explanation, uint32_t index)
{
	const struct timeline *timeline = explanation->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct segment_range range =
		track_take_known(timeline, index, &taken_of(explanation, index)->segments);

	for (size_t at = range.begin; at < range.end; at++) {
		bool is_wait = track->segment[at].kind == SEGMENT_WAIT;
		nsec_t begin, end;

		if (!is_wait && track->segment[at].kind != SEGMENT_RUNNABLE)
			continue;
		begin = track->segment[at].begin;
		end = timeline_segment_end(track, at);
		/* with a window nothing is forgotten before it is known */
		if (explanation->question->resolved)
			(void)question_clip(explanation->question, &begin, &end);
		if (begin >= end)
			continue;
		if (is_wait)
			take_wait(explanation, index, at, begin, end);
		else
			time_series_add(&explanation->runnable, begin, end);
	}
}

static void take_tracks(struct explanation *explanation)
{
	const struct timeline *timeline = explanation->question->timeline;

	explanation->has_programs |= question_asks_programs(explanation->question);
	for (uint32_t index = 0; index < timeline->track_count; index++)
		if (explanation_walks(explanation, index))
			explanation_take_track(explanation, index);
	chain_tree_add_rest(&explanation->waits);
}

static void take_stretch(void *state, uint32_t track, nsec_t begin, nsec_t end)
{
	struct explanation *explanation = state;

	chain_tree_add(&explanation->path, track, begin, end);
}

static void take_sleep(void *state, uint32_t track, enum chosen_sleep chosen, nsec_t begin,
                       nsec_t end)
{
	struct explanation *explanation = state;

	(void)track;
	if (chosen == SLEEP_FOR_WORK)
		explanation->path_for_work += end - begin;
	else
		explanation->path_asleep += end - begin;
}

/* Continues the path from the instant up to which it is taken until `end`. */
static void take_path(struct explanation *explanation, nsec_t end)
{
	const struct stretch_visitor visitor = {explanation, take_stretch, take_sleep};
	struct walk_on on;

	if (explanation->path_track == TRACK_NONE || end <= explanation->path_until)
		return;
	walk_on_begin(&on, &explanation->ahead, &explanation->path, &explanation->path_sums);
	path_stretches(explanation->question->timeline, explanation->path_track,
	               explanation->path_until, end, &visitor);
	walk_on_end(&on);
	explanation->path_until = end;
}

static void path_choose(struct explanation *explanation, uint32_t index, nsec_t begin)
{
	explanation->path_track = index;
	explanation->path_begin = explanation->path_until = begin;
}

/* The path taken so far goes on as that of a thread that has executed a program since, or goes on
   alone. */
static void path_follow_leader(struct explanation *explanation)
{
	if (explanation->path_track != TRACK_NONE)
		explanation->path_track = path_task_of_process(
			explanation->question->timeline, explanation->path_track, NSEC_NEVER);
}

void explanation_fold(struct explanation *explanation)
{
	const struct question *question = explanation->question;
	struct timeline *timeline = question->timeline;
	nsec_t begin = NSEC_NEVER, end = 0;
	uint32_t command = TRACK_NONE;

	for (size_t i = 0; i < timeline->track_count; i++) {
		begin = nsec_min(begin, timeline->track[i].begin);
		end = nsec_max(end, timeline->track[i].end);
	}
	if (begin == NSEC_NEVER)
		return;
	explanation_series_begin(explanation, begin, end);
	path_follow_leader(explanation);
	/* while the trace is read, only the recorded command is known to be the one task */
	if (explanation->path_track == TRACK_NONE && !question->asked->is_all &&
	    !question_has_filter(question))
		command = path_task_command(question);
	if (command != TRACK_NONE)
		path_choose(explanation, command, track_birth(&timeline->track[command]));
	take_tracks(explanation);
	if (explanation->path_track != TRACK_NONE)
		take_path(explanation,
		          nsec_min(track_end_of_path(timeline, explanation->path_track),
		                   timeline->track[explanation->path_track].end));
	chain_tree_settle(&explanation->waits);
	chain_tree_settle(&explanation->path);
	if (explanation->path_track != TRACK_NONE) {
		end = explanation->path_until;
		walks_ahead_go_on(&explanation->ahead, explanation->path_track, end);
	}
	interrupt_log_trim(&explanation->interrupts, end);
	interrupt_log_trim(&explanation->spare_cpus.idle, end);
}

void explanation_finish(struct explanation *explanation)
{
	const struct question *question = explanation->question;
	struct path_window window;
	uint32_t only;

	/* segments are kept if any view walks */
	if (!question->timeline->keep_segments ||
	    question->resolved->begin >= question->resolved->end)
		return;
	explanation_series_begin(explanation, question->resolved->begin, question->resolved->end);
	only = path_task_only(question);
	if (only != TRACK_NONE) {
		path_follow_leader(explanation);
		window = path_task_window(question, only);
		if (explanation->path_track != only)
			path_choose(explanation, only, window.begin);
		take_path(explanation, window.end);
	}
	take_tracks(explanation);
	inversions_sort(&explanation->inversions);
}

#define INSTANT_DIGITS 6 /* maximal number of digits that --from and --to are printed with */

void time_series_init(struct time_series *series, nsec_t begin, nsec_t slice)
{
	assert(slice > 0);
	*series = (struct time_series){.begin = begin, .slice = slice, .last = begin};
}

static void series_double(struct time_series *series)
{
	size_t half = SERIES_SLICES / 2;

	for (size_t i = 0; i < half; i++) {
		series->held[i] = series->held[2 * i] + series->held[2 * i + 1];
		series->longest[i] = nsec_max(series->longest[2 * i], series->longest[2 * i + 1]);
	}
	memset(&series->held[half], 0, half * sizeof(*series->held));
	memset(&series->longest[half], 0, half * sizeof(*series->longest));
	series->slice *= 2;
}

/* Sets `last` to the slice that contains the instant, which is not before the first slice. */
static void series_seek(struct time_series *series, nsec_t time)
{
	/* series_double() does not overflow: even if a trace has the clock's whole range, its
	   slices are a 128th of that */
	while ((time - series->begin) / series->slice >= SERIES_SLICES)
		series_double(series);
	series->last_at = (size_t)((time - series->begin) / series->slice);
	series->last = series->begin + series->last_at * series->slice;
}

void time_series_spread(struct time_series *series, nsec_t begin, nsec_t end)
{
	nsec_t length = end - begin;

	if (end <= series->begin)
		return;
	begin = nsec_max(begin, series->begin);
	if (end <= series->last || end - series->last > series->slice)
		series_seek(series, end - 1);
	series->longest[series->last_at] = nsec_max(series->longest[series->last_at], length);
	if (begin >= series->last) {
		series->held[series->last_at] += end - begin;
		return;
	}
	for (size_t at = (size_t)((begin - series->begin) / series->slice); begin < end; at++) {
		nsec_t left = series->slice - (begin - series->begin) % series->slice;
		nsec_t until = end - begin < left ? end : begin + left;

		series->held[at] += until - begin;
		begin = until;
	}
}

size_t time_series_count(const struct time_series *series, nsec_t end)
{
	nsec_t slices;

	if (series->slice == 0 || end <= series->begin)
		return 0;
	slices = (end - 1 - series->begin) / series->slice + 1;
	return slices < SERIES_SLICES ? (size_t)slices : SERIES_SLICES;
}

/* One row of the table: the values of its slices; the largest is the spike. */
struct strip {
	const char *key, *title;
	const char *next; /* views of what the spike is made of */
	const struct time_series *series;
	const nsec_t *value;
	bool is_length; /* the values are lengths of stretches; false: they are numbers of tasks,
	                   summed over time */
	size_t count, spike; /* of the values, 0: all are 0; index of the largest */
};

/* "--from 47.5 --to 49.0": the slices around the spike that hold more than half as much. Returns
   how long that is. */
static nsec_t spike_append(struct buffer *to, const struct strip *strip, nsec_t origin)
{
	const struct time_series *series = strip->series;
	nsec_t most = strip->value[strip->spike], begin, end, unit = 1000000000;
	int digits = 0; /* decimal places that distinguish slices */
	size_t from = strip->spike, until = strip->spike + 1;

	while (from > 0 && strip->value[from - 1] > most / 2)
		from--;
	while (until < strip->count && strip->value[until] > most / 2)
		until++;
	begin = series->begin + from * series->slice;
	end = series->begin + until * series->slice;
	/* the stretch ends in that slice, and may have begun long before */
	if (strip->is_length)
		begin = begin > most ? nsec_max(begin - most, origin) : 0;
	begin = begin > origin ? begin - origin : 0;
	end = end > origin ? end - origin : 0;
	for (; unit > series->slice && digits < INSTANT_DIGITS; unit /= 10)
		digits++;
	begin -= begin % unit;
	end += (unit - end % unit) % unit;
	buffer_printf(to, "--from %.*f --to %.*f", digits, (double)begin / 1e9, digits,
	              (double)end / 1e9);
	return end - begin;
}

static void strip_row(const struct question *question, const struct strip *strip,
                      const struct output *to)
{
	_cleanup_(buffer_release) struct buffer peak = {0}, look = {0}, next = {0};
	const struct time_series *series = strip->series;
	nsec_t most = strip->value[strip->spike], length;

	if (strip->is_length)
		buffer_puts(&peak, DURATION_TEXT(most));
	else
		buffer_printf(&peak, "%.1f at once", (double)most / (double)series->slice);
	length = spike_append(&look, strip, question->timeline->begin);
	/* a summary of nearly all of the time would be the one that has this row */
	if (strip->is_length || length <= strip->count * series->slice / 2) {
		buffer_printf(&next, "%s %s", strip->next, look.text);
		asked_filter_append(&next, question);
	}
	output_row(to, (struct cell[]){
		{.type = CELL_TEXT, .text = strip->key},
		{.type = CELL_TEXT, .text = strip->title},
		{.type = CELL_INSTANT, .time = series->begin},
		{.type = CELL_DURATION, .time = series->slice},
		{.type = CELL_SERIES, .series = {strip->value, strip->count}},
		{.type = CELL_TEXT, .text = peak.text},
		{.type = CELL_DURATION, .time = most},
		{.type = CELL_INSTANT, .time = series->begin + strip->spike * series->slice},
		{.type = CELL_TEXT, .text = look.text},
		{.type = next.length ? CELL_TEXT : CELL_EMPTY, .text = next.text},
	});
}

/* Strips of which all slices are empty are left out; a screen has no need of a table without
   rows. */
void over_time_print(const struct time_series *runnable, const struct time_series *waiting,
                     const struct question *question, const struct output *to)
{
	static const struct column columns[] = {
		{"what", NULL, CELL_TEXT, 0},
		{NULL, "OVER TIME", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"begin_ns", NULL, CELL_INSTANT, 0},
		{"slice_ns", NULL, CELL_DURATION, 0},
		{"values_ns", "", CELL_SERIES, 0},
		{NULL, "MOST", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"peak_ns", NULL, CELL_DURATION, 0},
		{"peak_at_ns", NULL, CELL_INSTANT, 0},
		{NULL, "LOOK CLOSER", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
		LINK_COLUMN,
	};
	struct strip strips[] = {
		{"runnable", "in run queues", "--summary", runnable, runnable->held,
		 .is_length = false},
		{"waiting", "waiting", "--summary", waiting, waiting->held, .is_length = false},
		{"longest_runnable", "longest queued", "--sched", runnable, runnable->longest,
		 .is_length = true},
		{"longest_wait", "longest wait", "--waits --sort wait", waiting, waiting->longest,
		 .is_length = true},
	};
	size_t shown = 0;

	for (size_t i = 0; i < ARRAY_SIZE(strips); i++) {
		struct strip *strip = &strips[i];
		size_t count = time_series_count(strip->series, question->resolved->end);
		const nsec_t *most = ORDER_MOST(it, strip->value, count, true, *it);

		strip->count = most ? count : 0;
		strip->spike = most ? (size_t)(most - strip->value) : 0;
		shown += strip->count > 0;
	}
	if (!shown && to->presenter->row_limit)
		return;
	output_table_begin(to, "over_time", NULL, columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < ARRAY_SIZE(strips); i++)
		if (strips[i].count)
			strip_row(question, &strips[i], to);
	output_table_end(to);
}
