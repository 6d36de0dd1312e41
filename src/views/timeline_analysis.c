/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A picture of what tasks did over time: the tasks on one task's critical path and the other asked
 * tasks, or the CPUs and their tasks. The parts on the path are marked. The picture is emitted in
 * full; the presenter decides how coarsely it is drawn.
 */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/paths/path_pieces.h"
#include "analysis/paths/path_task.h"
#include "analysis/tables/machine_time.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "graph/aims/aim.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "tally/tally.h"
#include "words/time_scale.h"


struct picture {
	const struct question *question;
	struct path_pieces path;
	const struct output *to;
};

/* Divides the track's stretch into parts on the path and off it. */
static void picture_stretch_put(const struct picture *picture, uint32_t track,
                                const struct state_segment *segment)
{
	struct state_segment part = *segment;
	size_t at = path_pieces_find(&picture->path, track, segment->begin);

	while (part.begin < segment->end) {
		const struct path_piece *piece =
			at < picture->path.first[track + 1] ? &picture->path.piece[at] : NULL;

		part.is_on_path = piece && piece->begin <= part.begin;
		if (part.is_on_path)
			part.end = nsec_min(segment->end, piece->end);
		else
			part.end = piece ? nsec_min(segment->end, piece->begin) : segment->end;
		output_timeline_segment(picture->to, &part);
		at += part.is_on_path;
		part.begin = part.end;
	}
}

static const char *const state_names[] = {
	[SEGMENT_RUN] = "running",     [SEGMENT_RUNNABLE] = "runnable", [SEGMENT_WAIT] = "waiting",
	[SEGMENT_STOPPED] = "stopped", [SEGMENT_UNKNOWN] = "unknown",   [SEGMENT_DEAD] = NULL,
	[SEGMENT_NEW] = NULL,
};

/* Puts the path's times of the track that have no segment: the path may contain times before the
   track's first segment. */
static void gap_put(const struct picture *picture, uint32_t track, nsec_t begin, nsec_t end)
{
	const struct path_pieces *path = &picture->path;
	size_t at = path_pieces_find(path, track, begin);

	for (; begin < end && at < path->first[track + 1] && path->piece[at].begin < end; at++)
		output_timeline_segment(picture->to, &(struct state_segment){
					.begin = nsec_max(path->piece[at].begin, begin),
					.end = nsec_min(path->piece[at].end, end),
					.state = state_names[SEGMENT_UNKNOWN],
					.kind = -1,
					.is_on_path = true,
				});
}

/* *until is the end of the previous segment, and is set to the end of this one. */
static void track_segment_put(const struct picture *picture, uint32_t track, size_t at,
                              nsec_t *until)
{
	struct span span = timeline_span(picture->question->timeline, track, at);
	struct state_segment segment = {
		.begin = nsec_max(span.begin, picture->path.begin),
		.end = nsec_min(span.end, picture->path.end),
		.state = state_names[span.kind],
		.kind = -1,
		.is_for_work = span.kind == SEGMENT_WAIT && (span.detail & WAIT_FOR_WORK),
	};

	if (!segment.state || segment.begin >= segment.end)
		return;
	if (span.kind == SEGMENT_WAIT)
		segment.aim = brief_aim_of_segment(picture->question->timeline, track, at);
	if (span.kind == SEGMENT_WAIT && span.cause)
		segment.kind = span.cause->kind;
	gap_put(picture, track, *until, segment.begin);
	picture_stretch_put(picture, track, &segment);
	*until = segment.end;
}

static void picture_track_put(const struct picture *picture, uint32_t index)
{
	const struct timeline *timeline = picture->question->timeline;
	struct track *track = &timeline->track[index];
	struct task task = timeline_task(timeline, index, NSEC_NEVER);
	struct picture_row row = {.task = &task};
	size_t at = timeline_find(track, picture->path.begin);
	nsec_t until = picture->path.begin;

	output_timeline_row(picture->to, &row);
	for (at = at == SIZE_MAX ? 0 : at; at < track->segment_count; at++) {
		if (track->segment[at].begin >= picture->path.end)
			break;
		track_segment_put(picture, index, at, &until);
	}
	gap_put(picture, index, until, picture->path.end);
}

static void path_part_put(void *state, const struct part *part)
{
	const struct picture *picture = state;
	const struct cause_note *waited = part->state == PART_WAITING ? part->cause : NULL;
	const struct state_segment segment = {
		.begin = part->begin,
		.end = part->end,
		.state = part_state_name(part->state),
		.kind = waited ? waited->kind : -1,
		.aim = brief_aim_of_cause(picture->question->timeline, part->track, waited),
		.is_on_path = true,
	};

	output_timeline_segment(picture->to, &segment);
}

static void tracks_show(struct picture *picture)
{
	size_t count, shown;
	const struct picture_frame frame = {picture->path.begin, picture->path.end,
	                                    .is_all = false};
	struct picture_track *tracks = picture_tracks_choose(&picture->path, picture->question,
	                                                     &frame, &count);

	if (picture->path.log.part_count) {
		output_timeline_row(picture->to,
		                    &(struct picture_row){.is_path = true});
		part_log_visit(&picture->path.log, path_part_put, picture);
	}
	shown = output_row_count(picture->to, count);
	picture_tracks_order(tracks, shown);
	for (size_t i = 0; i < shown; i++)
		picture_track_put(picture, tracks[i].track);
	output_leave_rows(picture->to, count - shown);
	free(tracks);
}

/* A stretch in which a task had a CPU. */
struct cpu_run {
	nsec_t begin, end;
	uint32_t track;
	uint16_t cpu;
};

ORDER_FUNCTION(cpu_run_compare, struct cpu_run, RISING(x, y, cpu), RISING(x, y, begin),
               RISING(x, y, track))

/* All runs in the window, sorted by CPU and time; the caller frees the array. */
static struct cpu_run *picture_runs(const struct picture *picture, size_t *ret_count)
{
	const struct timeline *timeline = picture->question->timeline;
	struct cpu_run *run = NULL;
	size_t count = 0, capacity = 0;

	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		for (size_t at = 0; at < track->segment_count && !track->is_idle; at++) {
			nsec_t begin = nsec_max(track->segment[at].begin, picture->path.begin);
			nsec_t end = nsec_min(timeline_segment_end(track, at), picture->path.end);

			if (track->segment[at].kind != SEGMENT_RUN || begin >= end)
				continue;
			ARRAY_ADD(run, count, capacity) =
				(struct cpu_run){begin, end, index, track->segment[at].cpu};
		}
	}
	array_sort(run, count, sizeof(*run), cpu_run_compare);
	*ret_count = count;
	return run;
}

static bool picture_has_cpu(const struct picture *picture, unsigned cpu)
{
	return question_asks_cpu(picture->question, cpu) &&
	       !cpu_is_unrecorded(picture->question, cpu);
}

static unsigned picture_cpu_count(const struct picture *picture, const struct cpu_run *run,
                                  size_t count)
{
	unsigned cpus = picture->question->recording.cpu_count;

	return count && run[count - 1].cpu >= cpus ? run[count - 1].cpu + 1u : cpus;
}

/* Puts the time between two runs, in which the CPU was idle. */
static void idle_put(const struct picture *picture, nsec_t begin, nsec_t end)
{
	const struct state_segment idle = {
		.begin = begin, .end = end, .state = "idle", .kind = -1,
	};

	if (begin < end)
		output_timeline_segment(picture->to, &idle);
}

static void run_put(const struct picture *picture, const struct cpu_run *run, nsec_t begin)
{
	struct task task = timeline_task(picture->question->timeline, run->track, begin);
	const struct state_segment segment = {
		.begin = begin, .end = run->end, .state = "running", .kind = -1, .task = &task,
	};

	if (begin < run->end)
		picture_stretch_put(picture, run->track, &segment);
}

/* "CPU 0: cc1 61 %, gcc 12 %, 3 more, idle 20 %.": the runs are those of one CPU. */
static void cpu_print(const struct picture *picture, unsigned cpu, const struct cpu_run *run,
                      size_t count)
{
	const struct timeline *timeline = picture->question->timeline;
	nsec_t length = picture->path.end - picture->path.begin, until = picture->path.begin;
	_cleanup_(buffer_release) struct buffer names = {0};
	struct keyed_sums sums;

	keyed_sums_init(&sums, sizeof(struct keyed_sum), SIZE_MAX);
	for (size_t i = 0; i < count; i++) {
		nsec_t begin = nsec_max(run[i].begin, until);

		if (begin < run[i].end)
			keyed_sums_add_time(&sums, track_name(&timeline->track[run[i].track]),
			                    run[i].end - begin);
		until = nsec_max(until, run[i].end);
	}
	keyed_sums_sort(&sums);
	for (size_t i = 0; i < sums.count && i < SHOWN_NAMES; i++) {
		const struct keyed_sum *sum = keyed_sums_at(&sums, i);

		say(&names, timeline, "{,}{name} {share}", NAME((uint32_t)sum->key),
		    SHARE(nsec_ratio(sum->total, length)));
	}
	say_to(picture->to, timeline, "CPU {cpu}: [{text}, ][{number} more, ]idle {share}.",
	       CPU(cpu), TEXT(names.text),
	       WHEN(sums.count > SHOWN_NAMES, NUMBER(sums.count - SHOWN_NAMES)),
	       SHARE(nsec_ratio(length - sums.total, length)));
	keyed_sums_release(&sums);
}

static void cpus_print(const struct picture *picture)
{
	size_t count, at = 0;
	struct cpu_run *run = picture_runs(picture, &count);
	unsigned cpus = picture_cpu_count(picture, run, count);

	for (unsigned cpu = 0; cpu < cpus && picture->path.begin < picture->path.end; cpu++) {
		size_t begin = at;

		while (at < count && run[at].cpu == cpu)
			at++;
		if (picture_has_cpu(picture, cpu))
			cpu_print(picture, cpu, run + begin, at - begin);
	}
	free(run);
}

static void picture_show_cpus(const struct picture *picture)
{
	size_t count, at = 0;
	struct cpu_run *run = picture_runs(picture, &count);
	unsigned cpus = picture_cpu_count(picture, run, count);
	const struct hosts *hosts = &picture->question->timeline->hosts;

	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		nsec_t until = picture->path.begin;

		if (!picture_has_cpu(picture, cpu)) {
			while (at < count && run[at].cpu == cpu)
				at++;
			continue;
		}
		output_timeline_row(picture->to,
		                    &(struct picture_row){.cpu = hosts_cpu(hosts, cpu)});
		for (; at < count && run[at].cpu == cpu; at++) {
			idle_put(picture, until, run[at].begin);
			/* where events were lost, two tasks may seem to have the CPU at once */
			run_put(picture, &run[at], nsec_max(run[at].begin, until));
			until = nsec_max(until, run[at].end);
		}
		idle_put(picture, until, picture->path.end);
	}
	free(run);
}

static bool picture_has_answer(const void *state, struct buffer *why)
{
	return path_task_is_there(state, why);
}

static void picture_print(const struct picture *picture)
{
	uint32_t track = picture->path.track;
	const struct instant_form *instants = &picture->question->instants;

	say_to(picture->to, picture->question->timeline,
	       "From {instant} to {instant}{text}[, with the critical path of {task}[ ({text})]].",
	       INSTANT(instants, picture->path.begin), INSTANT(instants, picture->path.end),
	       TEXT(instant_unit(instants)), TASK(track),
	       TEXT(picture->path.why));
}

static void picture_report(const void *state, const struct output *to)
{
	const struct question *question = state;
	struct picture picture = {.question = question, .to = to};

	if (!to->presenter->timeline)
		return;
	path_pieces_make(&picture.path, question);
	output_section_begin(to, "timeline", "Timeline", /* is_list= */ false);
	picture_print(&picture);
	if (question->asked->timeline.by_cpu)
		cpus_print(&picture);
	output_timeline_begin(to, picture.path.begin, picture.path.end);
	if (question->asked->timeline.by_cpu)
		picture_show_cpus(&picture);
	else
		tracks_show(&picture);
	output_timeline_end(to);
	output_section_end(to);
	path_pieces_release(&picture.path);
}

const struct analysis timeline_analysis = {
	.name = "timeline",
	.about = "a picture of what tasks, or CPUs (--by cpu), did over time",
	.argument = "TID|COMM",
	.take_argument = path_task_take_argument,
	.heeds = HEEDS_TASKS | HEEDS_WALKS | HEEDS_BY_CPU,
	.needs_history = true,
	.is_of_path = true,
	.is_timeline = true,
	.has_answer = picture_has_answer,
	.report = picture_report,
};
