/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of --disk: the slowest requests, and tasks that waited while requests of others were
   there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/cells.h"
#include "analysis/prose.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "disk_view.h"

#define AHEAD_SHOWN 3 /* tasks that text names for one request or victim */

const char *disk_dev_text(const struct disk_view *view, uint32_t device,
                            char to[static FORMAT_BYTES])
{
	return format_device(view->device[device].dev, to);
}

void disk_task_append(struct buffer *to, const struct disk_view *view, uint32_t line)
{
	if (line == LINE_NONE)
		buffer_puts(to, "unknown");
	else
		prose_task_append(to, view->question->timeline, line);
}

enum disk_request_column {
	REQUEST_DEV,
	REQUEST_SECTOR,
	REQUEST_BYTES,
	REQUEST_SIZE,
	REQUEST_RWBS,
	REQUEST_TASK,
	REQUEST_SUBMIT,
	REQUEST_ISSUE,
	REQUEST_COMPLETE,
	REQUEST_QUEUE,
	REQUEST_DEVICE,
	REQUEST_ERROR,
	REQUEST_AHEAD,
	REQUEST_AHEAD_WORDS,
	REQUEST_COLUMNS,
};

static const struct column request_columns[REQUEST_COLUMNS] = {
	[REQUEST_DEV] = {"dev", "DEV", CELL_TEXT, COLUMN_USEFUL(2)},
	[REQUEST_SECTOR] = {"sector", "SECTOR", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(1)},
	[REQUEST_BYTES] = {"bytes", NULL, CELL_COUNT, 0},
	[REQUEST_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(2)},
	[REQUEST_RWBS] = {"rwbs", "RWBS", CELL_TEXT, COLUMN_USEFUL(1)},
	[REQUEST_TASK] = {"task", "TASK", CELL_TASK, 0},
	[REQUEST_SUBMIT] = {"submit_ns", NULL, CELL_INSTANT, 0},
	[REQUEST_ISSUE] = {"issue_ns", "ISSUED", CELL_INSTANT, COLUMN_SPARE(3)},
	[REQUEST_COMPLETE] = {"complete_ns", NULL, CELL_INSTANT, 0},
	[REQUEST_QUEUE] = {"queue_ns", "QUEUE", CELL_DURATION, 0},
	[REQUEST_DEVICE] = {"device_ns", "DEVICE", CELL_DURATION, 0},
	[REQUEST_ERROR] = {"error", NULL, CELL_INTEGER, 0},
	[REQUEST_AHEAD] = {"ahead", NULL, CELL_ROWS, 0},
	[REQUEST_AHEAD_WORDS] = {NULL, "AHEAD OF IT", CELL_TEXT, COLUMN_TEXT_ONLY},
};

static const struct column ahead_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"requests", "REQUESTS", CELL_COUNT, 0},
	{"bytes", "BYTES", CELL_COUNT, 0},
};

static int ahead_compare(const void *a, const void *b)
{
	const struct disk_ahead *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->requests != y->requests)
		return x->requests > y->requests ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* "bulk[7] 31 of 31.0 MiB, reader[8] 1 of 4.0 KiB, 2 more". */
static void ahead_append(struct buffer *to, const struct disk_view *view,
                         const struct slow_request *slow)
{
	for (uint32_t i = 0; i < slow->ahead_count && i < AHEAD_SHOWN; i++) {
		buffer_puts(to, i ? ", " : "");
		disk_task_append(to, view, slow->ahead[i].task);
		buffer_printf(to, " %s", COUNT_TEXT(slow->ahead[i].requests));
		buffer_printf(to, " of %s", SIZE_TEXT(slow->ahead[i].bytes));
	}
	if (slow->ahead_count > AHEAD_SHOWN)
		buffer_printf(to, ", %" PRIu32 " more", slow->ahead_count - AHEAD_SHOWN);
	if (slow->ahead_count == 0)
		buffer_putc(to, '-');
}

static void request_fill_cells(const struct disk_view *view, const struct slow_request *slow,
                               struct cell *cell)
{
	const struct timeline *timeline = view->question->timeline;
	const struct disk_request *request = &slow->request;
	bool is_queued = slow->queued != NSEC_NEVER;

	for (size_t i = 0; i < REQUEST_COLUMNS; i++)
		cell[i].type = request_columns[i].type;
	cell[REQUEST_SECTOR].count = slow->sector;
	cell[REQUEST_BYTES].count = request->bytes;
	cell[REQUEST_RWBS] = cell_of_name(timeline, CELL_TEXT, slow->rwbs);
	cell[REQUEST_TASK] = cell_of_task_at(timeline, request->task, request->begin);
	cell[REQUEST_SUBMIT].time = slow->queued;
	cell[REQUEST_ISSUE].time = request->issued;
	cell[REQUEST_COMPLETE].time = request->end;
	cell[REQUEST_QUEUE].time = is_queued ? request->issued - slow->queued : NSEC_NEVER;
	cell[REQUEST_ERROR].integer = slow->error;
	cell[REQUEST_DEVICE].time = request->end - request->issued;
}

static void request_row_put(const struct disk_view *view, struct slow_request *slow,
                            const struct output *to)
{
	_cleanup_(buffer_release) struct buffer words;
	char dev[FORMAT_BYTES], size[FORMAT_BYTES];
	struct cell cell[REQUEST_COLUMNS];
	struct cell *ahead = xcalloc(slow->ahead_count, ARRAY_SIZE(ahead_columns) * sizeof(*ahead));

	buffer_init(&words, BUFFER_LIMIT_DEFAULT);
	array_sort(slow->ahead, slow->ahead_count, sizeof(*slow->ahead), ahead_compare);
	ahead_append(&words, view, slow);
	for (uint32_t i = 0; i < slow->ahead_count; i++) {
		struct cell *row = ahead + i * ARRAY_SIZE(ahead_columns);

		row[0] = cell_of_task_at(view->question->timeline, slow->ahead[i].task,
		                         slow->request.begin);
		row[1] = (struct cell){.type = CELL_COUNT, .count = slow->ahead[i].requests};
		row[2] = (struct cell){.type = CELL_COUNT, .count = slow->ahead[i].bytes};
	}
	request_fill_cells(view, slow, cell);
	cell[REQUEST_DEV].text = disk_dev_text(view, slow->request.device, dev);
	cell[REQUEST_SIZE].text = format_size(slow->request.bytes, size);
	cell[REQUEST_AHEAD].rows = (struct cell_rows){
		.columns = ahead_columns,
		.column_count = ARRAY_SIZE(ahead_columns),
		.cells = ahead,
		.count = slow->ahead_count,
	};
	cell[REQUEST_AHEAD_WORDS].text = words.text;
	output_row(to, cell);
	free(ahead);
}

void disk_requests_put(const struct disk_view *view, const struct output *to)
{
	size_t count;
	struct slow_request **sorted = disk_slowest_sorted(view, &count);

	output_table_begin(to, "requests", "Slowest requests", request_columns,
	                   REQUEST_COLUMNS, /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		request_row_put(view, sorted[i], to);
	output_table_end(to);
	free(sorted);
}

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

struct victim *disk_victims_new(const struct disk_view *view)
{
	struct victim *victims = xcalloc(view->task_count, sizeof(*victims));

	for (uint32_t i = 0; i < view->task_count; i++)
		victims[i].task = i;
	for (size_t i = 0; i < view->pair_count; i++) {
		const struct disk_pair *pair = &view->pair[i];

		for (unsigned side = 0; side < 2; side++) {
			uint32_t line = view->task[pair->task[side]].task;

			if (line != LINE_NONE && disk_is_asked(view, line))
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

void disk_victims_free(const struct disk_view *view, struct victim *victims)
{
	for (size_t i = 0; i < view->task_count; i++)
		free(victims[i].rival);
	free(victims);
}

static const struct column contention_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"dev", "DEV", CELL_TEXT, COLUMN_USEFUL(2)},
	{"waiting_ns", "WAITING", CELL_DURATION, 0},
	{"behind", NULL, CELL_ROWS, 0},
	{NULL, "OF IT WITH REQUESTS OF", CELL_TEXT, COLUMN_TEXT_ONLY},
};

static const struct column behind_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"overlap_ns", "OVERLAP", CELL_DURATION, 0},
};

void disk_behind_append(struct buffer *to, const struct disk_view *view,
                          const struct victim *victim)
{
	nsec_t all = view->task[victim->task].waiting.total;

	for (size_t i = 0; i < victim->count && i < AHEAD_SHOWN; i++) {
		buffer_puts(to, i ? ", " : "");
		disk_task_append(to, view, view->task[victim->rival[i].task].task);
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
	struct cell *behind =
		xcalloc(victim->count, ARRAY_SIZE(behind_columns) * sizeof(*behind));

	buffer_init(&words, BUFFER_LIMIT_DEFAULT);
	disk_behind_append(&words, view, victim);
	for (size_t i = 0; i < victim->count; i++) {
		struct cell *row = behind + i * ARRAY_SIZE(behind_columns);

		row[0] = cell_of_task(timeline, view->task[victim->rival[i].task].task);
		row[1] = (struct cell){.type = CELL_DURATION, .time = victim->rival[i].overlap};
	}
	output_row(to, (struct cell[]){
				cell_of_task(timeline, task->task),
				{.type = CELL_TEXT,
				.text = disk_dev_text(view, task->device, dev)},
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

void disk_contention_put(const struct disk_view *view, const struct victim *victims,
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
