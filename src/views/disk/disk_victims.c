/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_victims.h"

#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"

#define AHEAD_SHOWN 3 /* number of tasks that text names for one victim */

static void victim_add(struct victim *victims, uint32_t of, uint32_t behind, nsec_t overlap)
{
	struct victim *victim = &victims[of];

	ARRAY_GROW_FROM(victim->rival, victim->count, victim->capacity, 2);
	victim->rival[victim->count++] = (struct rival){behind, overlap};
}

static int rival_compare(const void *a, const void *b)
{
	const struct rival *x = a, *y = b;

	if (x->overlap != y->overlap)
		return x->overlap > y->overlap ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

struct victim *victims_new(const struct disk_view *view)
{
	struct victim *victims = xcalloc(view->task_count, sizeof(*victims));

	for (uint32_t i = 0; i < view->task_count; i++)
		victims[i].task = i;
	for (size_t i = 0; i < view->pair_count; i++) {
		const struct disk_pair *pair = &view->pair[i];

		for (unsigned side = 0; side < 2; side++) {
			uint32_t track = view->task[pair->task[side]].task;

			if (track != TRACK_NONE && disk_is_asked(view->question, track))
				victim_add(victims, pair->task[side], pair->task[!side],
				           pair->overlap);
		}
	}
	for (size_t i = 0; i < view->task_count; i++)
		if (victims[i].count)
			array_sort(victims[i].rival, victims[i].count, sizeof(struct rival),
			           rival_compare);
	return victims;
}

void victims_free(const struct disk_view *view, struct victim *victims)
{
	for (size_t i = 0; i < view->task_count; i++)
		free(victims[i].rival);
	free(victims);
}

static const struct column contention_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"dev", NULL, CELL_TEXT, 0},
	{"disk", NULL, CELL_TEXT, 0},
	{"dev", "DEV", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(2)},
	{"waiting_ns", "WAITING", CELL_DURATION, 0},
	{"behind", NULL, CELL_ROWS, 0},
	{NULL, "OF IT WITH REQUESTS OF", CELL_TEXT, COLUMN_TEXT_ONLY},
};

static const struct column behind_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"overlap_ns", "OVERLAP", CELL_DURATION, 0},
};

void victim_rivals_append(struct buffer *to, const struct disk_view *view,
                          const struct victim *victim)
{
	nsec_t all = view->task[victim->task].waiting.total;

	for (size_t i = 0; i < victim->count && i < AHEAD_SHOWN; i++) {
		buffer_puts(to, i ? ", " : "");
		disk_task_append(to, view->question->timeline,
		                 view->task[victim->rival[i].task].task);
		buffer_printf(to, " %s",
		              RATIO_TEXT(nsec_ratio(victim->rival[i].overlap, all)));
	}
	if (victim->count > AHEAD_SHOWN)
		buffer_printf(to, ", %zu more", victim->count - AHEAD_SHOWN);
}

static void victim_row_put(const struct disk_view *view, const struct victim *victim,
                           const struct output *to)
{
	const struct timeline *timeline = view->question->timeline;
	const struct disk_task *task = &view->task[victim->task];
	_cleanup_(buffer_release) struct buffer words;
	char dev[FORMAT_BYTES];
	struct cell device[DISK_DEV_CELLS];
	struct cell *behind =
		xcalloc(victim->count, ARRAY_SIZE(behind_columns) * sizeof(*behind));

	disk_dev_cells(view, task->device, dev, device);
	buffer_init(&words, BUFFER_LIMIT_DEFAULT);
	victim_rivals_append(&words, view, victim);
	for (size_t i = 0; i < victim->count; i++) {
		struct cell *row = behind + i * ARRAY_SIZE(behind_columns);

		row[0] = cell_of_task(timeline, view->task[victim->rival[i].task].task);
		row[1] = (struct cell){.type = CELL_DURATION, .time = victim->rival[i].overlap};
	}
	output_row(to, (struct cell[]){
				cell_of_task(timeline, task->task),
				device[0], device[1], device[2],
				{.type = CELL_DURATION, .time = task->waiting.total},
				{.type = CELL_ROWS,
				.rows = {behind_columns, ARRAY_SIZE(behind_columns), behind,
				         victim->count}},
				{.type = CELL_TEXT, .text = words.text},
			});
	free(behind);
}

/* Most waiting first. */
struct victim_order {
	nsec_t waiting;
	uint32_t task;
};

static int order_compare(const void *a, const void *b)
{
	const struct victim_order *x = a, *y = b;

	if (x->waiting != y->waiting)
		return x->waiting > y->waiting ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

void victims_show(const struct disk_view *view, const struct victim *victims,
                  const struct output *to)
{
	struct victim_order *order = xcalloc(view->task_count, sizeof(*order));
	size_t count = 0;

	for (uint32_t i = 0; i < view->task_count; i++)
		if (victims[i].count)
			order[count++] = (struct victim_order){view->task[i].waiting.total, i};
	array_sort(order, count, sizeof(*order), order_compare);
	output_table_begin(to, "contention", "Who waited while others' requests were there",
	                   contention_columns, ARRAY_SIZE(contention_columns),
	                   /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		victim_row_put(view, &victims[order[i].task], to);
	output_table_end(to);
	free(order);
}
