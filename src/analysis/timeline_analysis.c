/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A picture of what tasks did over time: those on one task's critical path and the others that are
 * asked for, or the CPUs and who had them, with what of it is on the path. It is told in full: how
 * coarse it is drawn is for the presenter to say.
 */
#include <stdlib.h>

#include "analysis.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/xalloc.h"
#include "graph/part_log.h"
#include "path_task.h"
#include "prose.h"

/* A stretch of a line that is on the path. */
struct piece {
	nsec_t begin, end;
	uint32_t line;
};

/* A line that has a row. */
struct picture_line {
	uint32_t line;
	nsec_t on_path, first; /* first: when the path first runs along it; NSEC_NEVER */
	nsec_t active; /* ran, or could have */
	bool is_of_path; /* the path is its own */
};

struct picture {
	const struct question *question;
	uint32_t path_line; /* LINE_NONE: there is no path */
	nsec_t begin, end;
	struct piece *piece; /* of the walk: latest first; then by line and time */
	size_t piece_count, piece_capacity;
	size_t *first;       /* by line: its first piece; where the last one's end */
	struct part_log log; /* of all parts, of the row of the path */
	const struct presenter *presenter;
	void *to;
};

static void on_part(void *state, const struct part *part)
{
	struct picture *picture = state;
	struct piece *last =
		picture->piece_count ? &picture->piece[picture->piece_count - 1] : NULL;

	part_log_add(&picture->log, part);
	if (last && last->line == part->line && last->begin == part->end) {
		last->begin = part->begin;
		return;
	}
	ARRAY_GROW(picture->piece, picture->piece_count, picture->piece_capacity);
	picture->piece[picture->piece_count++] =
		(struct piece){part->begin, part->end, part->line};
}

static int piece_compare(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void picture_walk(struct picture *picture)
{
	uint32_t line = picture->path_line;
	struct timeline *timeline = picture->question->timeline;
	const struct walk_visitor visitor = {.state = picture, .on_part = on_part};
	struct walk_result result = {0};
	size_t at = 0;

	if (line != LINE_NONE && picture->begin < picture->end)
		walk(timeline, line, picture->begin, picture->end, &visitor, &result);
	array_sort(picture->piece, picture->piece_count, sizeof(*picture->piece), piece_compare);
	picture->first = xcalloc(timeline->line_count + 1, sizeof(*picture->first));
	for (size_t index = 0; index <= timeline->line_count; index++) {
		while (at < picture->piece_count && picture->piece[at].line < index)
			at++;
		picture->first[index] = at;
	}
}

/* The first piece of the line that ends after t. */
static size_t piece_find(const struct picture *picture, uint32_t line, nsec_t t)
{
	size_t low = picture->first[line], high = picture->first[line + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (picture->piece[middle].end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The line's stretch, divided into what is on the path and what is not. */
static void stretch_put(const struct picture *picture, uint32_t line,
                        const struct state_segment *segment)
{
	struct state_segment part = *segment;
	size_t at = piece_find(picture, line, segment->begin);

	while (part.begin < segment->end) {
		const struct piece *piece =
			at < picture->first[line + 1] ? &picture->piece[at] : NULL;

		part.is_on_path = piece && piece->begin <= part.begin;
		if (part.is_on_path)
			part.end = nsec_min(segment->end, piece->end);
		else
			part.end = piece ? nsec_min(segment->end, piece->begin) : segment->end;
		picture->presenter->timeline_segment(picture->to, &part);
		at += part.is_on_path;
		part.begin = part.end;
	}
}

static const char *const state_names[] = {
	[SEGMENT_RUN] = "running",     [SEGMENT_RUNNABLE] = "runnable", [SEGMENT_WAIT] = "waiting",
	[SEGMENT_STOPPED] = "stopped", [SEGMENT_UNKNOWN] = "unknown",   [SEGMENT_DEAD] = NULL,
	[SEGMENT_NEW] = NULL,
};

/* Of the path the line may have parts where nothing is known of it: before its first segment. */
static void gap_put(const struct picture *picture, uint32_t line, nsec_t begin, nsec_t end)
{
	size_t at = piece_find(picture, line, begin);

	for (; begin < end && at < picture->first[line + 1] && picture->piece[at].begin < end; at++)
		picture->presenter->timeline_segment(
			picture->to, &(struct state_segment){
					     .begin = nsec_max(picture->piece[at].begin, begin),
					     .end = nsec_min(picture->piece[at].end, end),
					     .state = state_names[SEGMENT_UNKNOWN],
					     .kind = -1,
					     .is_on_path = true,
				     });
}

/* *until: where the one before it ended, and this one does. */
static void line_segment_put(const struct picture *picture, uint32_t line, size_t at,
                             nsec_t *until)
{
	struct span span = timeline_span(picture->question->timeline, line, at);
	struct state_segment segment = {
		.begin = nsec_max(span.begin, picture->begin),
		.end = nsec_min(span.end, picture->end),
		.state = state_names[span.kind],
		.kind = -1,
		.is_for_work = span.kind == SEGMENT_WAIT && (span.detail & WAIT_FOR_WORK),
	};

	if (!segment.state || segment.begin >= segment.end)
		return;
	if (span.kind == SEGMENT_WAIT && span.cause)
		segment.kind = span.cause->kind;
	gap_put(picture, line, *until, segment.begin);
	stretch_put(picture, line, &segment);
	*until = segment.end;
}

static void line_put(const struct picture *picture, uint32_t index)
{
	const struct timeline *timeline = picture->question->timeline;
	struct line *line = &timeline->line[index];
	struct task task = timeline_task(timeline, index, NSEC_NEVER);
	struct picture_row row = {.task = &task};
	size_t at = timeline_find(line, picture->begin);
	nsec_t until = picture->begin;

	picture->presenter->timeline_row(picture->to, &row);
	for (at = at == SIZE_MAX ? 0 : at; at < line->segment_count; at++) {
		if (line->segment[at].begin >= picture->end)
			break;
		line_segment_put(picture, index, at, &until);
	}
	gap_put(picture, index, until, picture->end);
}

static nsec_t line_active(const struct picture *picture, uint32_t index)
{
	struct line *line = &picture->question->timeline->line[index];
	size_t at = timeline_find(line, picture->begin);
	nsec_t active = 0;

	for (at = at == SIZE_MAX ? 0 : at; at < line->segment_count; at++) {
		nsec_t begin = nsec_max(line->segment[at].begin, picture->begin);
		nsec_t end = nsec_min(timeline_segment_end(line, at), picture->end);

		if (line->segment[at].begin >= picture->end)
			break;
		if (begin < end && (line->segment[at].kind == SEGMENT_RUN ||
		                    line->segment[at].kind == SEGMENT_RUNNABLE))
			active += end - begin;
	}
	return active;
}

/* Which rows there is room for. */
static int line_compare_weight(const void *a, const void *b)
{
	const struct picture_line *x = a, *y = b;

	if (x->is_of_path != y->is_of_path)
		return x->is_of_path ? -1 : 1;
	if (x->on_path != y->on_path)
		return x->on_path > y->on_path ? -1 : 1;
	if (x->active != y->active)
		return x->active > y->active ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* In which order they stand: whose path it is, others as it comes to them, those off it. */
static int line_compare_place(const void *a, const void *b)
{
	const struct picture_line *x = a, *y = b;

	if (x->is_of_path == y->is_of_path && x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return line_compare_weight(a, b);
}

/* All lines that may have a row; the caller frees. */
static struct picture_line *picture_lines(const struct picture *picture, size_t *ret_count)
{
	const struct question *question = picture->question;
	const struct timeline *timeline = question->timeline;
	struct picture_line *lines = xcalloc(timeline->line_count, sizeof(*lines));
	size_t count = 0;

	for (uint32_t index = 0; index < timeline->line_count; index++) {
		const struct line *line = &timeline->line[index];
		struct picture_line row = {.line = index, .first = NSEC_NEVER};

		for (size_t at = picture->first[index]; at < picture->first[index + 1]; at++) {
			row.first = nsec_min(row.first, picture->piece[at].begin);
			row.on_path += picture->piece[at].end - picture->piece[at].begin;
		}
		if (row.on_path == 0 &&
		    (!question->is_asked[index] || line_is_of_recorder(question, index) ||
		     line->begin >= picture->end || line->end <= picture->begin))
			continue;
		row.active = line_active(picture, index);
		row.is_of_path = index == picture->path_line;
		lines[count++] = row;
	}
	*ret_count = count;
	return lines;
}

static void path_part_put(void *state, const struct part *part)
{
	const struct picture *picture = state;
	const struct state_segment segment = {
		.begin = part->begin,
		.end = part->end,
		.state = part_state_name(part->state),
		.kind = part->state == PART_WAITING && part->cause ? part->cause->kind : -1,
		.is_on_path = true,
	};

	picture->presenter->timeline_segment(picture->to, &segment);
}

static void lines_show(struct picture *picture)
{
	size_t count, shown;
	struct picture_line *lines = picture_lines(picture, &count);

	if (picture->log.part_count) {
		picture->presenter->timeline_row(picture->to,
		                                 &(struct picture_row){.is_path = true});
		part_log_tell(&picture->log, path_part_put, picture);
	}
	array_sort(lines, count, sizeof(*lines), line_compare_weight);
	shown = presenter_row_count(picture->presenter, picture->to, count);
	array_sort(lines, shown, sizeof(*lines), line_compare_place);
	for (size_t i = 0; i < shown; i++)
		line_put(picture, lines[i].line);
	presenter_leave_rows(picture->presenter, picture->to, count - shown);
	free(lines);
}

/* A stretch in which a line had a CPU. */
struct cpu_run {
	nsec_t begin, end;
	uint32_t line;
	uint16_t cpu;
};

static int cpu_run_compare(const void *a, const void *b)
{
	const struct cpu_run *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* All in the window, by CPU and time; the caller frees. */
static struct cpu_run *picture_runs(const struct picture *picture, size_t *ret_count)
{
	const struct timeline *timeline = picture->question->timeline;
	struct cpu_run *run = NULL;
	size_t count = 0, capacity = 0;

	for (uint32_t index = 0; index < timeline->line_count; index++) {
		const struct line *line = &timeline->line[index];

		for (size_t at = 0; at < line->segment_count && !line->is_idle; at++) {
			nsec_t begin = nsec_max(line->segment[at].begin, picture->begin);
			nsec_t end = nsec_min(timeline_segment_end(line, at), picture->end);

			if (line->segment[at].kind != SEGMENT_RUN || begin >= end)
				continue;
			ARRAY_GROW(run, count, capacity);
			run[count++] =
				(struct cpu_run){begin, end, index, line->segment[at].cpu};
		}
	}
	array_sort(run, count, sizeof(*run), cpu_run_compare);
	*ret_count = count;
	return run;
}

/* Nobody had it from then to then. */
static void idle_put(const struct picture *picture, nsec_t begin, nsec_t end)
{
	const struct state_segment idle = {
		.begin = begin, .end = end, .state = "idle", .kind = -1,
	};

	if (begin < end)
		picture->presenter->timeline_segment(picture->to, &idle);
}

static void run_put(const struct picture *picture, const struct cpu_run *run, nsec_t begin)
{
	struct task task = timeline_task(picture->question->timeline, run->line, begin);
	const struct state_segment segment = {
		.begin = begin, .end = run->end, .state = "running", .kind = -1, .task = &task,
	};

	if (begin < run->end)
		stretch_put(picture, run->line, &segment);
}

static void cpus_show(const struct picture *picture)
{
	size_t count, at = 0;
	struct cpu_run *run = picture_runs(picture, &count);
	unsigned cpus = picture->question->trace_cpus;

	if (count && run[count - 1].cpu >= cpus)
		cpus = run[count - 1].cpu + 1u;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		nsec_t until = picture->begin;

		if (!question_asks_cpu(picture->question, cpu)) {
			while (at < count && run[at].cpu == cpu)
				at++;
			continue;
		}
		picture->presenter->timeline_row(picture->to, &(struct picture_row){.cpu = cpu});
		for (; at < count && run[at].cpu == cpu; at++) {
			idle_put(picture, until, run[at].begin);
			/* where events were lost two tasks may seem to have had it */
			run_put(picture, &run[at], nsec_max(run[at].begin, until));
			until = nsec_max(until, run[at].end);
		}
		idle_put(picture, until, picture->end);
	}
	free(run);
}

static bool view_has_answer(const void *state, struct buffer *why)
{
	return path_task_is_there(state, why);
}

static void picture_tell(const struct picture *picture, const char *why)
{
	uint32_t line = picture->path_line;
	nsec_t origin = picture->question->timeline->begin;
	char begin[FORMAT_BYTES], end[FORMAT_BYTES];
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, 512);
	buffer_printf(&text, "From %s to %s s", format_instant(picture->begin - origin, begin),
	              format_instant(picture->end - origin, end));
	if (line != LINE_NONE) {
		buffer_puts(&text, ", with the critical path of ");
		prose_task_append(&text, picture->question->timeline, line);
		if (why)
			buffer_printf(&text, " (%s)", why);
	}
	buffer_putc(&text, '.');
	prose_put(picture->presenter, picture->to, text.text);
}

static void view_report(const void *state, const struct presenter *presenter, void *to)
{
	const struct question *question = state;
	struct picture picture = {
		.question = question, .begin = question->begin, .end = question->end,
		.presenter = presenter, .to = to,
	};
	const char *why = NULL;
	struct path_window window;

	if (!presenter->timeline_begin)
		return;
	picture.path_line = path_task_find(question, &why);
	if (picture.path_line != LINE_NONE) {
		window = path_task_window(question, picture.path_line);
		picture.begin = window.begin;
		picture.end = window.end;
	}
	part_log_init(&picture.log, question->timeline);
	presenter->section_begin(to, "timeline", "Timeline", /* is_list= */ false);
	picture_walk(&picture);
	picture_tell(&picture, why);
	presenter->timeline_begin(to, picture.begin, picture.end);
	if (question->by_cpu)
		cpus_show(&picture);
	else
		lines_show(&picture);
	presenter->timeline_end(to);
	presenter->section_end(to);
	part_log_release(&picture.log);
	free(picture.piece);
	free(picture.first);
}

const struct analysis timeline_analysis = {
	.name = "timeline",
	.about = "a picture of what tasks, or CPUs (--by cpu), did over time",
	.argument = "TID|COMM",
	.take_argument = path_task_take_argument,
	.heeds = HEEDS_TASKS | HEEDS_CPUS | HEEDS_WALKS | HEEDS_BY_CPU,
	.needs_history = true,
	.is_of_path = true,
	.has_answer = view_has_answer,
	.report = view_report,
};
