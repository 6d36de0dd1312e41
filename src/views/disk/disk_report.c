/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of --disk: the sentences with the answer, devices, bars; disk_lists.c has the other
   tables. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/histogram.h"
#include "analysis/prose.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "disk_view.h"

extern const struct analysis disk_analysis;

/* A device with the asked tasks' share of it. */
struct device_row {
	uint32_t index;
	struct disk_sum all, way[DISK_DIRECTIONS];
};

static nsec_t disk_length(const struct disk_view *view)
{
	return question_length(view->question);
}

/* Devices. */

enum device_column {
	DEVICE_DEV,
	DEVICE_REQUESTS,
	DEVICE_BYTES,
	DEVICE_SIZE,
	DEVICE_RATE,
	DEVICE_QUEUE,
	DEVICE_DEVICE,
	DEVICE_BUSY,
	DEVICE_BUSY_SHARE,
	DEVICE_DEPTH,
	DEVICE_READS,
	DEVICE_WRITES,
	DEVICE_ERRORS,
	DEVICE_OPEN,
	DEVICE_COLUMNS,
};

static const struct column device_columns[DEVICE_COLUMNS] = {
	[DEVICE_DEV] = {"dev", "DEV", CELL_TEXT, 0},
	[DEVICE_REQUESTS] = {"requests", "REQUESTS", CELL_COUNT, COLUMN_SPARE(7)},
	[DEVICE_BYTES] = {"bytes", NULL, CELL_COUNT, 0},
	[DEVICE_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4)},
	[DEVICE_RATE] = {NULL, "RATE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(6)},
	[DEVICE_QUEUE] = {"queue", "QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2)},
	[DEVICE_DEVICE] = {"device", "DEVICE P50 / P99 / MAX", CELL_DISTRIBUTION, 0},
	[DEVICE_BUSY] = {"busy_ns", NULL, CELL_DURATION, 0},
	[DEVICE_BUSY_SHARE] = {NULL, "BUSY", CELL_RATIO, COLUMN_TEXT_ONLY},
	[DEVICE_DEPTH] = {"in_flight_max", "IN FLIGHT", CELL_COUNT, COLUMN_USEFUL(1)},
	[DEVICE_READS] = {"reads", "READS", CELL_COUNT, COLUMN_SPARE(2)},
	[DEVICE_WRITES] = {"writes", "WRITES", CELL_COUNT, COLUMN_SPARE(2)},
	[DEVICE_ERRORS] = {"errors", NULL, CELL_COUNT, 0},
	[DEVICE_OPEN] = {"open", NULL, CELL_COUNT, 0},
};

static struct cell disk_distribution_cell(const struct distribution_sum *sum)
{
	return (struct cell){
		.type = sum->count ? CELL_DISTRIBUTION : CELL_EMPTY,
		.distribution = sum,
	};
}

static const char *rate_text(uint64_t bytes, nsec_t length, char to[static FORMAT_BYTES + 2])
{
	double rate = length ? (double)bytes * 1e9 / (double)length : 0;

	/* of a request that claims to be larger than any disk */
	(void)format_size(rate < 0x1p63 ? (uint64_t)rate : UINT64_MAX, to);
	(void)strncat(to, "/s", 3);
	return to;
}

static void device_row_put(const struct disk_view *view, const struct device_row *row,
                           const struct output *to)
{
	const struct disk_device *device = &view->device[row->index];
	char dev[FORMAT_BYTES], size[FORMAT_BYTES], rate[FORMAT_BYTES + 2];
	struct distribution_sum queue, served;
	struct cell cell[DEVICE_COLUMNS];

	distribution_sum(&row->all.queue, &queue);
	distribution_sum(&row->all.device, &served);
	for (size_t i = 0; i < DEVICE_COLUMNS; i++)
		cell[i].type = device_columns[i].type;
	cell[DEVICE_DEV].text = disk_dev_text(view, row->index, dev);
	cell[DEVICE_REQUESTS].count = row->all.requests;
	cell[DEVICE_BYTES].count = row->all.bytes;
	cell[DEVICE_SIZE].text = format_size(row->all.bytes, size);
	cell[DEVICE_RATE].text = rate_text(row->all.bytes, disk_length(view), rate);
	cell[DEVICE_QUEUE] = disk_distribution_cell(&queue);
	cell[DEVICE_DEVICE] = disk_distribution_cell(&served);
	cell[DEVICE_BUSY].time = device->busy.total;
	cell[DEVICE_BUSY_SHARE].ratio = nsec_ratio(device->busy.total, disk_length(view));
	cell[DEVICE_DEPTH].count = device->depth_max;
	cell[DEVICE_READS].count = row->way[DISK_READ].requests;
	cell[DEVICE_WRITES].count = row->way[DISK_WRITE].requests;
	cell[DEVICE_ERRORS].count = row->all.errors;
	cell[DEVICE_OPEN].count = device->open;
	output_row(to, cell);
}

static const struct column direction_columns[] = {
	{"dev", "DEV", CELL_TEXT, 0},
	{"direction", "DIRECTION", CELL_TEXT, 0},
	{"requests", "REQUESTS", CELL_COUNT, COLUMN_SPARE(7)},
	{"bytes", NULL, CELL_COUNT, 0},
	{NULL, "SIZE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4)},
	{NULL, "RATE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(6)},
	{"queue", "QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2)},
	{"device", "DEVICE P50 / P99 / MAX", CELL_DISTRIBUTION, 0},
};

static void direction_row_put(const struct disk_view *view, const struct device_row *row,
                              enum disk_direction way, const struct output *to)
{
	static const char *const names[] = {"read", "write", "other"};
	const struct disk_sum *sum = &row->way[way];
	char dev[FORMAT_BYTES], size[FORMAT_BYTES], rate[FORMAT_BYTES + 2];
	struct distribution_sum queue, served;

	if (sum->requests == 0)
		return;
	distribution_sum(&sum->queue, &queue);
	distribution_sum(&sum->device, &served);
	(void)format_size(sum->bytes, size);
	output_row(to, (struct cell[]){
				{.type = CELL_TEXT,
				.text = disk_dev_text(view, row->index, dev)},
				{.type = CELL_TEXT, .text = names[way]},
				{.type = CELL_COUNT, .count = sum->requests},
				{.type = CELL_COUNT, .count = sum->bytes},
				{.type = CELL_TEXT, .text = size},
				{.type = CELL_TEXT,
				.text = rate_text(sum->bytes, disk_length(view), rate)},
				disk_distribution_cell(&queue),
				disk_distribution_cell(&served),
			});
}

/* The sentences with the answer. */

static uint64_t task_bytes(const struct disk_task *task)
{
	uint64_t bytes = 0;

	for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
		bytes += task->sum[way].bytes;
	return bytes;
}

/*
 * Two tasks overlap for the same time; the victim is the one that transferred less meanwhile: its
 * waiting is weighted with the other's share of the bytes of both.
 */
static double victim_weight(const struct disk_view *view, const struct victim *victim)
{
	const struct disk_task *task = &view->task[victim->task];
	double own = (double)task_bytes(task), other;

	if (victim->count == 0)
		return 0;
	other = (double)task_bytes(&view->task[victim->rival[0].task]);
	return own + other > 0 ? (double)victim->rival[0].overlap * other / (own + other) : 0;
}

/* ": 3.0 % in the queue, 97.0 % in the device", where both are known. */
static void phases_describe(const struct disk_task *task, struct buffer *line)
{
	nsec_t queue = 0, device = 0;
	uint64_t queued = 0;

	for (unsigned way = 0; way < DISK_DIRECTIONS; way++) {
		queued += task->sum[way].queue.count;
		queue += task->sum[way].queue.total;
		device += task->sum[way].device.total;
	}
	if (queued == 0)
		return;
	buffer_printf(line, ": %s in the queue",
	              RATIO_TEXT(nsec_ratio(queue, queue + device)));
	buffer_printf(line, ", %s in the device",
	              RATIO_TEXT(nsec_ratio(device, queue + device)));
}

static void victim_describe(const struct disk_view *view, const struct victim *victims,
                            struct buffer *line)
{
	const struct victim *worst = NULL;
	const struct disk_task *task;
	double weight = 0;
	char dev[FORMAT_BYTES];

	for (size_t i = 0; i < view->task_count; i++) {
		double own = victim_weight(view, &victims[i]);

		if (own > weight) {
			weight = own;
			worst = &victims[i];
		}
	}
	if (!worst)
		return;
	task = &view->task[worst->task];
	disk_task_append(line, view, task->task);
	buffer_printf(line, " waited %s", DURATION_TEXT(task->waiting.total));
	buffer_printf(line, " for %s", disk_dev_text(view, task->device, dev));
	phases_describe(task, line);
	buffer_puts(line, "; ahead of it: ");
	disk_behind_append(line, view, worst);
	buffer_puts(line, ".");
}

static void device_describe(const struct disk_view *view, const struct device_row *row,
                            struct buffer *line)
{
	const struct disk_device *device = &view->device[row->index];
	struct distribution_sum served;
	char dev[FORMAT_BYTES];

	distribution_sum(&row->all.device, &served);
	buffer_printf(line, "%s was busy %s of the time", disk_dev_text(view, row->index, dev),
	              RATIO_TEXT(nsec_ratio(device->busy.total, disk_length(view))));
	buffer_printf(line, ", with at most %s", COUNT_TEXT(device->depth_max));
	buffer_puts(line, " in flight");
	if (served.count) {
		buffer_printf(line, "; half of the requests took less than %s",
		              DURATION_TEXT(served.p50));
		buffer_printf(line, ", one in a hundred more than %s",
		              DURATION_TEXT(served.p99));
	}
	buffer_putc(line, '.');
	if (row->all.errors)
		buffer_printf(line, " Failed: %s.", COUNT_TEXT(row->all.errors));
	if (device->open)
		buffer_printf(line, " In flight when the trace ended: %s.",
		              COUNT_TEXT(device->open));
}

static void disk_print(const struct disk_view *view, const struct device_row *rows, size_t count,
                       const struct victim *victims, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	victim_describe(view, victims, &line);
	if (line.length)
		prose_put(to, line.text);
	buffer_clear(&line);
	if (count)
		device_describe(view, &rows[0], &line);
	else
		buffer_puts(&line, "No request completed.");
	prose_put(to, line.text);
}

static int device_compare(const void *a, const void *b, const struct disk_view *view)
{
	const struct device_row *x = a, *y = b;
	nsec_t busy[] = {view->device[x->index].busy.total, view->device[y->index].busy.total};

	if (busy[0] != busy[1])
		return busy[0] > busy[1] ? -1 : 1;
	return view->device[x->index].dev < view->device[y->index].dev ? -1 : 1;
}

/* Devices with requests of asked tasks, busiest first. */
static struct device_row *rows_new(const struct disk_view *view, size_t *ret_count)
{
	struct device_row *rows = xcalloc(view->device_count, sizeof(*rows));
	size_t count = 0;

	for (uint32_t i = 0; i < view->device_count; i++) {
		struct device_row row = {.index = i};
		size_t at = count;

		disk_sum_of(view, i, DISK_DIRECTIONS, &row.all);
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			disk_sum_of(view, i, way, &row.way[way]);
		if (row.all.requests == 0 && view->device[i].open == 0)
			continue;
		for (; at > 0 && device_compare(&row, &rows[at - 1], view) < 0; at--)
			rows[at] = rows[at - 1];
		rows[at] = row;
		count++;
	}
	*ret_count = count;
	return rows;
}

static void rows_free(struct device_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		disk_sum_release(&rows[i].all);
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			disk_sum_release(&rows[i].way[way]);
	}
	free(rows);
}

static void devices_put(const struct disk_view *view, const struct device_row *rows, size_t count,
                        const struct output *to)
{
	output_table_begin(to, "devices", "Devices, by the time they were busy",
	                   device_columns, DEVICE_COLUMNS, /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		device_row_put(view, &rows[i], to);
	output_table_end(to);
	output_table_begin(to, "directions", "By direction", direction_columns,
	                   ARRAY_SIZE(direction_columns), /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			direction_row_put(view, &rows[i], (enum disk_direction)way, to);
	output_table_end(to);
}

/* Bars of the busiest device. */
static void bars_put(const struct disk_view *view, const struct device_row *row,
                     const struct output *to)
{
	char dev[FORMAT_BYTES], title[64];

	(void)disk_dev_text(view, row->index, dev);
	(void)snprintf(title, sizeof(title), "Time in the queue of %s", dev);
	histogram_show_of(&row->all.queue, title, to);
	(void)snprintf(title, sizeof(title), "Time in the device %s", dev);
	histogram_show_of(&row->all.device, title, to);
}

static void limits_print(const struct disk_view *view)
{
	struct health *health = view->question->health;

	if (view->left_out)
		health_note(health,
		            "more devices or tasks than --disk has room for: %" PRIu64
		            " requests of others are left out",
		            view->left_out);
	if (view->pairs_left_out)
		health_note(health, "more tasks that shared a disk than --disk has room for: "
		                    "some are not named as being ahead of others");
	if (view->ahead_cut)
		health_note(health,
		            "of %" PRIu64 " slow requests not all is known that was ahead: so many "
		            "others ended before them",
		            view->ahead_cut);
}

void disk_report(const void *state, const struct output *to)
{
	const struct disk_view *view = state;
	size_t count;
	struct device_row *rows = rows_new(view, &count);
	struct victim *victims = disk_victims_new(view);

	limits_print(view);
	output_section_begin(to, "disk", "Disks", /* is_list= */ false);
	if (!analysis_print_lack(&disk_analysis, view->question, to))
		disk_print(view, rows, count, victims, to);
	devices_put(view, rows, count, to);
	disk_requests_put(view, to);
	disk_contention_put(view, victims, to);
	if (count)
		bars_put(view, &rows[0], to);
	output_section_end(to);
	disk_victims_free(view, victims);
	rows_free(rows, count);
}
