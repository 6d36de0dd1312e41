/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "explanation.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/interrupt_time.h"
#include "analysis/path_stretches.h"
#include "analysis/paths/path_task.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "graph/awaited.h"
#include "graph/end_of_known.h"
#include "graph/timeline_succession.h"

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
	interrupt_log_init(&explanation->interrupts);
	interrupt_sums_init(&explanation->interrupt_sums);
	spare_cpus_init(&explanation->spare_cpus, &question->timeline->hosts);
	walks_ahead_init(&explanation->ahead, question->timeline, &explanation->interrupts,
	                 &explanation->spare_cpus, NODES_MAX);
	inversions_init(&explanation->inversions, question);
	slice_sums_init(&explanation->slices);
	explanation->may_have_path = question_may_be_of_one(question);
}

void explanation_release(struct explanation *explanation)
{
	chain_tree_release(&explanation->waits);
	chain_tree_release(&explanation->path);
	interrupt_log_release(&explanation->interrupts);
	interrupt_sums_release(&explanation->interrupt_sums);
	spare_cpus_release(&explanation->spare_cpus);
	inversions_release(&explanation->inversions);
	slice_sums_release(&explanation->slices);
	walks_ahead_release(&explanation->ahead);
	path_sums_release(&explanation->path_sums);
	free(explanation->taken);
}

nsec_t explanation_for_work(const struct explanation *explanation, uint32_t track)
{
	return track < explanation->taken_count ? explanation->taken[track].for_work : 0;
}

nsec_t explanation_chosen(const struct explanation *explanation, uint32_t track)
{
	return track < explanation->taken_count ? explanation->taken[track].for_work +
	                                                  explanation->taken[track].asleep
	                                        : 0;
}

static bool interval_is_idle(const struct timeline *timeline, const struct interval *interval)
{
	return interval->kind == INTERVAL_CPU && interval->task != TRACK_NONE &&
	       timeline->track[interval->task].is_idle;
}

void explanation_add_interval(struct explanation *explanation, const struct interval *interval)
{
	if (!explanation->may_have_path)
		return;
	if (interval_is_idle(explanation->question->timeline, interval))
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
	while (index >= explanation->taken_count) {
		ARRAY_GROW(explanation->taken, explanation->taken_count,
		           explanation->taken_capacity);
		explanation->taken[explanation->taken_count++] = (struct taken){0};
	}
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

/* Cuts [*begin, *end) to the window, once that is known, at the end of the trace; with a window
   nothing is forgotten before. Returns false if nothing is left. */
static bool cut_to_window(const struct explanation *explanation, nsec_t *begin, nsec_t *end)
{
	if (explanation->question->resolved)
		(void)question_clip(explanation->question, begin, end);
	return *begin < *end;
}

/* Whether the wait held the task up. A wait that has not ended and has no cause does not count: its
   purpose is unknown. */
static bool wait_is_held_up(const struct track *track, size_t at, enum chosen_sleep chosen)
{
	return chosen == SLEEP_NOT_CHOSEN &&
	       (track->segment[at].cause != CAUSE_NONE || !timeline_is_open(track, at));
}

/*
 * If the segment is part of a wait in slices, adds it: it is a slice, or the wait that ended them;
 * other waits may lie between slices. Waits for work are ignored. A wait that the window cuts does
 * not count as a whole one.
 */
static void take_slice(struct explanation *explanation, uint32_t index, size_t at, nsec_t begin,
                       nsec_t end)
{
	const struct resolved *resolved = explanation->question->resolved;
	const struct timeline *timeline = explanation->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct sliced_wait *wait =
		timeline_sliced_wait(timeline, index, track->segment[at].begin);
	struct awaited awaited;
	bool is_part;

	if (!wait || wait->is_for_work)
		return;
	is_part = timeline_awaited(timeline, index, at, &awaited)
	                  ? awaited.cause == wait->cause
	                  : wait->is_answered && timeline_segment_end(track, at) == wait->end;
	if (is_part)
		slice_sums_add(&explanation->slices, wait, begin, end,
		               !resolved || !resolved->is_windowed ||
		                       (wait->begin >= resolved->begin &&
		                        wait->end <= resolved->end));
}

static void take_wait(struct explanation *explanation, const struct track *track, uint32_t index,
                      size_t at)
{
	const struct timeline *timeline = explanation->question->timeline;
	nsec_t begin = track->segment[at].begin, end = timeline_segment_end(track, at);
	enum chosen_sleep chosen;
	uint32_t cause;

	if (!cut_to_window(explanation, &begin, &end))
		return;
	inversions_take(&explanation->inversions, index, at, begin, end);
	chosen = timeline_chosen_sleep(timeline, index, at);
	if (wait_is_held_up(track, at, chosen))
		time_series_add(&explanation->waiting, begin, end);
	if (track->sliced_waits.count)
		take_slice(explanation, index, at, begin, end);
	if (chosen == SLEEP_FOR_WORK)
		taken_of(explanation, index)->for_work += end - begin;
	else if (chosen == SLEEP_FOR_TIME)
		taken_of(explanation, index)->asleep += end - begin;
	/* if there is one task, its path reports what it waited for: the walks of all tasks are not
	   needed */
	if (chosen == SLEEP_FOR_WORK || explanation->path_track != TRACK_NONE)
		return;
	cause = track->segment[at].cause;
	chain_tree_add_wait(&explanation->waits, index, begin, end,
	                    cause == CAUSE_NONE ? NULL : timeline_cause_at(timeline, cause));
}

static void take_runnable(struct explanation *explanation, const struct track *track, size_t at)
{
	nsec_t begin = track->segment[at].begin, end = timeline_segment_end(track, at);

	if (cut_to_window(explanation, &begin, &end))
		time_series_add(&explanation->runnable, begin, end);
}

/* Takes all segments of the track that have ended; at the end of the trace, also the last one. */
static void explanation_take_track(struct explanation *explanation, uint32_t index)
{
	const struct timeline *timeline = explanation->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct segment *segment = track->segment;
	size_t count = track->segment_count, taken = taken_of(explanation, index)->segments;
	size_t at = taken > track->segments_gone ? taken - track->segments_gone : 0;
	nsec_t end = track_end_of_known(timeline, index);

	while (count > at && segment[count - 1].begin >= end)
		count--;
	for (; at < count; at++) {
		if (segment[at].kind == SEGMENT_WAIT)
			take_wait(explanation, track, index, at);
		else if (segment[at].kind == SEGMENT_RUNNABLE)
			take_runnable(explanation, track, at);
	}
	taken_of(explanation, index)->segments = track->segments_gone + at;
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
	explanation->path_begin = begin;
	explanation->path_until = begin;
}

/* The path taken so far goes on as that of a thread that has executed a program since. */
static void path_follow_leader(struct explanation *explanation)
{
	if (explanation->path_track != TRACK_NONE)
		explanation->path_track = timeline_leader_at(explanation->question->timeline,
		                                             explanation->path_track, NSEC_NEVER);
}

/* Finds the one task while the trace is still read: only the recorded command is known that
   early. */
static void path_find_early(struct explanation *explanation)
{
	const struct question *question = explanation->question;
	uint32_t command;

	path_follow_leader(explanation);
	if (explanation->path_track != TRACK_NONE || question->asked->is_all ||
	    question_has_filter(question))
		return;
	command = path_task_command(question);
	if (command != TRACK_NONE)
		path_choose(explanation, command,
		            track_birth(&question->timeline->track[command]));
}

/* Finds the one task when the trace has ended. */
static void path_find(struct explanation *explanation)
{
	uint32_t only = path_task_only(explanation->question);
	struct path_window window;

	if (only == TRACK_NONE)
		return;
	path_follow_leader(explanation);
	window = path_task_window(explanation->question, only);
	if (explanation->path_track != only)
		path_choose(explanation, only, window.begin);
	take_path(explanation, window.end);
}

void explanation_fold(struct explanation *explanation)
{
	struct timeline *timeline = explanation->question->timeline;
	nsec_t begin = NSEC_NEVER, end = 0;

	for (size_t i = 0; i < timeline->track_count; i++) {
		begin = nsec_min(begin, timeline->track[i].begin);
		end = nsec_max(end, timeline->track[i].end);
	}
	if (begin == NSEC_NEVER)
		return;
	explanation_series_begin(explanation, begin, end);
	path_find_early(explanation);
	take_tracks(explanation);
	if (explanation->path_track != TRACK_NONE)
		take_path(explanation,
		          nsec_min(track_end_of_known(timeline, explanation->path_track),
		                   timeline->track[explanation->path_track].end));
	chain_tree_settle(&explanation->waits);
	chain_tree_settle(&explanation->path);
	if (explanation->path_track != TRACK_NONE) {
		end = explanation->path_until;
		walks_ahead_go_on(&explanation->ahead, explanation->path_track, end);
	}
	interrupt_log_trim(&explanation->interrupts, end);
	spare_cpus_trim(&explanation->spare_cpus, end);
}

void explanation_finish(struct explanation *explanation)
{
	const struct question *question = explanation->question;

	/* segments are kept if any view walks */
	if (!question->timeline->keep_segments ||
	    question->resolved->begin >= question->resolved->end)
		return;
	explanation_series_begin(explanation, question->resolved->begin, question->resolved->end);
	path_find(explanation);
	take_tracks(explanation);
	inversions_sort(&explanation->inversions);
}
