/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stop_list.h"

#include <stdlib.h>

#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/format.h"

void stop_list_init(struct stop_list *list, const struct question *question)
{
	*list = (struct stop_list){.question = question};
	map_init(&list->by_hash);
}

void stop_list_release(struct stop_list *list)
{
	free(list->stop);
	map_release(&list->by_hash);
	*list = (struct stop_list){0};
}

static uint32_t stop_track_name(const struct timeline *timeline, uint32_t track)
{
	return track == TRACK_NONE ? 0 : timeline_name_at(&timeline->track[track], NSEC_NEVER);
}

/* The names and the state of the stop, without figures. While a stop has not ended, its cause is
   the signal that began it. */
static struct stop stop_of(const struct timeline *timeline, const struct wait *wait)
{
	struct stop stop = {
		.name = stop_track_name(timeline, wait->track),
		.letter = wait->letter,
		.is_open = wait->is_open,
	};

	if (!wait->cause)
		return stop;
	if (wait->is_open) {
		stop.stopper = stop_track_name(timeline, wait->cause->waker);
	} else {
		stop.stopper = stop_track_name(timeline, wait->cause->originator);
		stop.waker = stop_track_name(timeline, wait->cause->waker);
	}
	return stop;
}

static bool stop_is_alike(const struct stop *a, const struct stop *b)
{
	return a->name == b->name && a->stopper == b->stopper && a->waker == b->waker &&
	       a->letter == b->letter && a->is_open == b->is_open;
}

static struct stop *stop_list_find(struct stop_list *list, const struct stop *wanted)
{
	uint64_t hash = hash_mix(hash_mix((uint64_t)wanted->name << 8 | wanted->letter,
	                                  (uint64_t)wanted->stopper << 1 | wanted->is_open),
	                         wanted->waker);
	uint32_t index;

	MAP_HASH_EACH(&list->by_hash, hash, index)
		if (stop_is_alike(&list->stop[index], wanted))
			return &list->stop[index];
	ARRAY_GROW(list->stop, list->count, list->capacity);
	map_put(&list->by_hash, hash, (uint32_t)list->count);
	list->stop[list->count] = *wanted;
	return &list->stop[list->count++];
}

bool stop_list_add(struct stop_list *list, const struct wait *wait)
{
	unsigned kind = wait->cause ? wait->cause->kind : CAUSE_UNKNOWN;
	nsec_t begin = wait->begin, end = wait->end;
	struct figures figures = {.count = 1};
	struct stop wanted;

	if (!wait_is_stop(wait))
		return false;
	if (!(list->question->asked->kinds & 1u << kind) ||
	    !question_clip(list->question, &begin, &end) || begin == end)
		return true;
	wanted = stop_of(list->question->timeline, wait);
	figures.total = end - begin;
	figures.longest = end - begin;
	figures.longest_at = begin;
	figures_add(&stop_list_find(list, &wanted)->figures, &figures);
	figures_add(&list->all, &figures);
	return true;
}

static int stop_compare(const void *a, const void *b)
{
	const struct stop *x = a, *y = b;

	if (x->figures.total != y->figures.total)
		return x->figures.total > y->figures.total ? -1 : 1;
	if (x->figures.longest_at != y->figures.longest_at)
		return x->figures.longest_at < y->figures.longest_at ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

enum stop_column {
	COLUMN_TASK,
	COLUMN_STATE,
	COLUMN_STOPPER,
	COLUMN_STOPPED_BY,
	COLUMN_WAKER,
	COLUMN_CONTINUED_BY,
	COLUMN_OPEN,
	COLUMN_STOPS,
	COLUMN_TOTAL,
	COLUMN_MAX,
	COLUMN_MAX_AT,
	COLUMN_COUNT,
};

static const struct column columns[COLUMN_COUNT] = {
	[COLUMN_TASK] = {"comm", "TASK", CELL_TEXT, COLUMN_TAILED},
	[COLUMN_STATE] = {"state", "ST", CELL_TEXT, COLUMN_SPARE(3)},
	[COLUMN_STOPPER] = {"stopped_by", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	[COLUMN_STOPPED_BY] = {NULL, "STOPPED BY", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_POINT},
	[COLUMN_WAKER] = {"continued_by", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	[COLUMN_CONTINUED_BY] = {NULL, "CONTINUED BY", CELL_TEXT,
	                         COLUMN_TEXT_ONLY | COLUMN_USEFUL(1)},
	[COLUMN_OPEN] = {"open", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
	[COLUMN_STOPS] = {"count", "COUNT", CELL_COUNT, COLUMN_SPARE(4)},
	[COLUMN_TOTAL] = {"total_ns", "TOTAL", CELL_DURATION, 0},
	[COLUMN_MAX] = {"max_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(2)},
	[COLUMN_MAX_AT] = {"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(1)},
};

static void stop_row(const struct timeline *timeline, const struct stop *stop,
                     const struct output *to)
{
	const char *stopper = stop->stopper ? intern_text(&timeline->names, stop->stopper) : NULL;
	const char *waker = stop->waker ? intern_text(&timeline->names, stop->waker) : NULL;
	char letter[2] = {(char)stop->letter, '\0'};
	struct cell cell[COLUMN_COUNT];

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		cell[i].type = columns[i].type;
	cell[COLUMN_TASK].text = intern_text(&timeline->names, stop->name);
	cell[COLUMN_STATE].text = letter;
	cell[COLUMN_STOPPER].text = cell[COLUMN_STOPPED_BY].text = stopper;
	cell[COLUMN_WAKER].text = cell[COLUMN_CONTINUED_BY].text = waker;
	if (!stopper)
		cell[COLUMN_STOPPER].type = cell[COLUMN_STOPPED_BY].type = CELL_EMPTY;
	if (!stopper && stop->letter == 't')
		cell[COLUMN_STOPPED_BY] = (struct cell){.type = CELL_TEXT, .text = "(tracing)"};
	if (!waker)
		cell[COLUMN_WAKER].type = cell[COLUMN_CONTINUED_BY].type = CELL_EMPTY;
	if (stop->is_open)
		cell[COLUMN_CONTINUED_BY] =
			(struct cell){.type = CELL_TEXT, .text = "(not continued)"};
	cell[COLUMN_OPEN].boolean = stop->is_open;
	cell[COLUMN_STOPS].count = stop->figures.count;
	cell[COLUMN_TOTAL].time = stop->figures.total;
	cell[COLUMN_MAX].time = stop->figures.longest;
	cell[COLUMN_MAX_AT].time = stop->figures.longest_at;
	output_row(to, cell);
}

void stop_list_report(struct stop_list *list, const struct output *to)
{
	struct buffer line;

	if (list->all.count == 0)
		return;
	qsort(list->stop, list->count, sizeof(*list->stop), stop_compare);
	buffer_init(&line, 512);
	buffer_printf(&line, "%s in %s stop%s%s, in addition to the waiting.",
	              DURATION_TEXT(list->all.total), COUNT_TEXT(list->all.count),
	              format_plural(list->all.count), question_scope(list->question));
	output_section_begin(to, "stops", "Stopped", /* is_list= */ true);
	prose_put(to, line.text);
	output_table_begin(to, "stops", NULL, columns, COLUMN_COUNT, /* is_single= */ false);
	for (size_t i = 0; i < list->count; i++)
		stop_row(list->question->timeline, &list->stop[i], to);
	output_table_end(to);
	output_section_end(to);
	buffer_release(&line);
}
