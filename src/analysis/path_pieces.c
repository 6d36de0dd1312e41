/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "path_pieces.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/xalloc.h"
#include "path_task.h"

static void path_pieces_on_part(void *state, const struct part *part)
{
	struct path_pieces *pieces = state;
	struct path_piece *last = pieces->count ? &pieces->piece[pieces->count - 1] : NULL;

	part_log_add(&pieces->log, part);
	/* the walk reports the latest first */
	if (last && last->line == part->line && last->begin == part->end) {
		last->begin = part->begin;
		return;
	}
	ARRAY_GROW(pieces->piece, pieces->count, pieces->capacity);
	pieces->piece[pieces->count++] = (struct path_piece){part->begin, part->end, part->line};
}

static int piece_compare(const void *a, const void *b)
{
	const struct path_piece *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void pieces_index(struct path_pieces *pieces, size_t lines)
{
	size_t at = 0;

	array_sort(pieces->piece, pieces->count, sizeof(*pieces->piece), piece_compare);
	pieces->first = xcalloc(lines + 1, sizeof(*pieces->first));
	for (size_t index = 0; index <= lines; index++) {
		while (at < pieces->count && pieces->piece[at].line < index)
			at++;
		pieces->first[index] = at;
	}
}

void path_pieces_make(struct path_pieces *pieces, const struct question *question)
{
	const struct walk_visitor visitor = {.state = pieces, .on_part = path_pieces_on_part};
	struct walk_result result = {0};
	struct path_window window = {
		.begin = question->resolved->begin, .end = question->resolved->end};

	*pieces = (struct path_pieces){0};
	pieces->line = path_task_find(question, &pieces->why);
	if (pieces->line != LINE_NONE)
		window = path_task_window(question, pieces->line);
	pieces->begin = window.begin;
	pieces->end = window.end;
	part_log_init(&pieces->log, question->timeline);
	if (pieces->line != LINE_NONE && pieces->begin < pieces->end)
		walk(question->timeline, pieces->line, pieces->begin, pieces->end, &visitor,
		     &result);
	pieces_index(pieces, question->timeline->line_count);
}

void path_pieces_release(struct path_pieces *pieces)
{
	part_log_release(&pieces->log);
	free(pieces->piece);
	free(pieces->first);
}

size_t path_pieces_find(const struct path_pieces *pieces, uint32_t line, nsec_t t)
{
	size_t low = pieces->first[line], high = pieces->first[line + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pieces->piece[middle].end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static nsec_t line_active(const struct picture_frame *frame, struct line *line)
{
	size_t at = timeline_find(line, frame->begin);
	nsec_t active = 0;

	for (at = at == SIZE_MAX ? 0 : at; at < line->segment_count; at++) {
		nsec_t begin = nsec_max(line->segment[at].begin, frame->begin);
		nsec_t end = nsec_min(timeline_segment_end(line, at), frame->end);

		if (line->segment[at].begin >= frame->end)
			break;
		if (begin < end && (line->segment[at].kind == SEGMENT_RUN ||
		                    line->segment[at].kind == SEGMENT_RUNNABLE))
			active += end - begin;
	}
	return active;
}

/* Sorts lines by weight, to select those with a row. */
static int line_compare_weight(const void *a, const void *b)
{
	const struct picture_line *x = a, *y = b;

	if (x->is_of_path != y->is_of_path)
		return x->is_of_path ? -1 : 1;
	if (x->on_path != y->on_path)
		return x->on_path > y->on_path ? -1 : 1;
	if (x->is_asked != y->is_asked)
		return x->is_asked ? -1 : 1;
	if (x->active != y->active)
		return x->active > y->active ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static int line_compare_place(const void *a, const void *b)
{
	const struct picture_line *x = a, *y = b;

	if (x->is_of_path == y->is_of_path && x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return line_compare_weight(a, b);
}

void picture_lines_order(struct picture_line *lines, size_t count)
{
	array_sort(lines, count, sizeof(*lines), line_compare_place);
}

static struct picture_line line_look(const struct path_pieces *pieces,
                                     const struct question *question, uint32_t index)
{
	struct picture_line row = {
		.line = index, .first = NSEC_NEVER, .is_of_path = index == pieces->line,
	};

	row.is_asked = question->resolved->is_asked[index] && !line_is_of_recorder(question, index);
	for (size_t at = pieces->first[index]; at < pieces->first[index + 1]; at++) {
		row.first = nsec_min(row.first, pieces->piece[at].begin);
		row.on_path += pieces->piece[at].end - pieces->piece[at].begin;
	}
	return row;
}

struct picture_line *picture_lines_choose(const struct path_pieces *pieces,
                                          const struct question *question,
                                          const struct picture_frame *frame,
                                          size_t *ret_count)
{
	const struct timeline *timeline = question->timeline;
	struct picture_line *lines = xcalloc(timeline->line_count, sizeof(*lines));
	size_t count = 0;

	for (uint32_t index = 0; index < timeline->line_count; index++) {
		struct line *line = &timeline->line[index];
		struct picture_line row = line_look(pieces, question, index);
		bool is_there = line->begin < frame->end && line->end > frame->begin;

		if (row.on_path == 0 &&
		    (!is_there || line->is_idle || !(frame->is_all || row.is_asked)))
			continue;
		row.active = line_active(frame, line);
		lines[count++] = row;
	}
	array_sort(lines, count, sizeof(*lines), line_compare_weight);
	*ret_count = count;
	return lines;
}
