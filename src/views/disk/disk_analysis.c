/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block requests by device: how long they were in the queue and in the device, which requests were
 * the slowest and what was ahead of them, and which tasks waited while requests of other tasks were
 * there. A window contains the requests that were issued in it, as a whole. A request that the end
 * of the trace cuts counts only as one that others waited for.
 *
 * Requests are reported in order of their ends (graph/interval.h). Some figures also depend on
 * requests that are still in flight at that time: which requests were ahead (disk_slowest.h), and
 * by how much the waiting of two tasks overlaps. They are completed when these requests end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/histogram.h"
#include "analysis/machine_time.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/data/map.h"
#include "disk_groups.h"
#include "disk_request.h"
#include "disk_tasks.h"
#include "disk_victims.h"
#include "disk_view.h"
#include "graph/timeline_hosts.h"

/* With this many the view takes some hundred MB. */
#define DEVICES_MAX (1u << 12)
#define TASKS_MAX   (1u << 16)
#define PAIRS_MAX   (1u << 17)
#define TITLE_BYTES 400

extern const struct analysis disk_analysis;

static void disk_add(void *state, const struct interval *interval);

static void *disk_begin(const struct question *question)
{
	struct disk_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	interval_gate_init(&view->gate, question, disk_add);
	view->gate.wide_kinds = INTERVAL_MASK_ALL;
	disk_files_init(&view->files);
	disk_slowest_init(&view->slowest, question);
	held_requests_init(&view->held, question);
	map_init(&view->device_by_dev);
	map_init(&view->task_by_hash);
	map_init(&view->pair_by_hash);
	return view;
}

static void disk_sum_release(struct disk_sum *sum)
{
	distribution_release(&sum->queue);
	distribution_release(&sum->device);
}

static void disk_end(void *state)
{
	struct disk_view *view = state;

	for (size_t i = 0; i < view->device_count; i++) {
		coverage_release(&view->device[i].busy);
		free(view->device[i].ended.request);
	}
	for (size_t i = 0; i < view->task_count; i++) {
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			disk_sum_release(&view->task[i].sum[way]);
		coverage_release(&view->task[i].waiting);
		free(view->task[i].slowest.request);
	}
	disk_files_release(&view->files);
	disk_slowest_release(&view->slowest);
	held_requests_release(&view->held);
	free(view->slowest_of_all.request);
	free(view->device);
	free(view->task);
	free(view->pair);
	interval_gate_release(&view->gate);
	map_release(&view->device_by_dev);
	map_release(&view->task_by_hash);
	map_release(&view->pair_by_hash);
	free(view);
}

/* The device's index; MAP_NONE if it is beyond the limit. */
static uint32_t device_find(struct disk_view *view, uint32_t dev)
{
	uint32_t index = map_get(&view->device_by_dev, dev);

	if (index != MAP_NONE || view->device_count == DEVICES_MAX)
		return index;
	ARRAY_GROW(view->device, view->device_count, view->device_capacity);
	map_put(&view->device_by_dev, dev, (uint32_t)view->device_count);
	view->device[view->device_count] = (struct disk_device){.dev = dev, .newest = MAP_NONE};
	return (uint32_t)view->device_count++;
}

static uint32_t disk_task_find(struct disk_view *view, uint32_t device, uint32_t task)
{
	uint64_t key = (uint64_t)device << 32 | task;
	uint32_t index = map_get(&view->task_by_hash, key);

	if (index != MAP_NONE || view->task_count == TASKS_MAX)
		return index;
	ARRAY_GROW(view->task, view->task_count, view->task_capacity);
	map_put(&view->task_by_hash, key, (uint32_t)view->task_count);
	view->task[view->task_count] = (struct disk_task){
		.device = device,
		.task = task,
		.older = MAP_NONE,
		.newer = MAP_NONE,
	};
	return (uint32_t)view->task_count++;
}

/*
 * A task waits for a device while any of its requests is queued or in flight there. The overlap of
 * two tasks' waiting is found when the later of two overlapping requests ends, so that each instant
 * is counted once for a pair.
 */
struct newcomer {
	struct disk_view *view;
	uint32_t task;
};

static struct disk_pair *pair_find(struct disk_view *view, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a;
	uint64_t key = (uint64_t)high << 32 | low;
	uint32_t index = map_get(&view->pair_by_hash, key);

	if (index != MAP_NONE)
		return &view->pair[index];
	if (view->pair_count == PAIRS_MAX)
		return NULL;
	ARRAY_GROW(view->pair, view->pair_count, view->pair_capacity);
	map_put(&view->pair_by_hash, key, (uint32_t)view->pair_count);
	view->pair[view->pair_count] = (struct disk_pair){.task = {low, high}};
	return &view->pair[view->pair_count++];
}

/* The task is newly known to wait in [begin, end): adds the overlap with the waiting of each other
   task, latest first. */
static void on_waiting(void *state, nsec_t begin, nsec_t end)
{
	const struct newcomer *newcomer = state;
	struct disk_view *view = newcomer->view;
	uint32_t device = view->task[newcomer->task].device;

	for (uint32_t i = view->device[device].newest; i != MAP_NONE; i = view->task[i].older) {
		const struct disk_task *other = &view->task[i];
		nsec_t overlap;
		struct disk_pair *pair;

		/* its own list is being changed */
		if (i == newcomer->task)
			continue;
		if (coverage_end(&other->waiting) <= begin)
			break;
		overlap = coverage_within(&other->waiting, begin, end);
		if (overlap == 0)
			continue;
		pair = pair_find(view, i, newcomer->task);
		if (pair)
			pair->overlap += overlap;
		else
			view->pairs_left_out++;
	}
}

static void task_unlink(struct disk_view *view, uint32_t index)
{
	struct disk_task *task = &view->task[index];
	struct disk_device *device = &view->device[task->device];

	if (task->newer != MAP_NONE)
		view->task[task->newer].older = task->older;
	else if (device->newest == index)
		device->newest = task->older;
	if (task->older != MAP_NONE)
		view->task[task->older].newer = task->newer;
}

static void task_link(struct disk_view *view, uint32_t index)
{
	struct disk_task *task = &view->task[index];
	struct disk_device *device = &view->device[task->device];

	task->older = device->newest;
	task->newer = MAP_NONE;
	if (device->newest != MAP_NONE)
		view->task[device->newest].newer = index;
	device->newest = index;
}

static void contention_add(struct disk_view *view, uint32_t task, nsec_t begin, nsec_t end)
{
	struct newcomer newcomer = {view, task};

	if (begin >= end)
		return;
	coverage_add(&view->task[task].waiting, begin, end, on_waiting, &newcomer);
	if (view->device[view->task[task].device].newest == task)
		return;
	task_unlink(view, task);
	task_link(view, task);
}

/* Counts it in the figures of its task and device. */
static void request_count(struct disk_view *view, struct disk_task *task,
                          const struct disk_request *request, const struct interval *interval)
{
	enum disk_direction way = disk_request_direction(view->question->timeline, interval);
	struct disk_sum *sum = &task->sum[way];
	nsec_t queued = interval->phase[PHASE_QUEUED];
	struct disk_device *device = &view->device[task->device];

	sum->requests++;
	sum->bytes += request->bytes;
	sum->errors += interval->disk.error != 0;
	if (interval->disk.depth > device->depth_max)
		device->depth_max = interval->disk.depth;
	if (request->issued == NSEC_NEVER)
		return;
	distribution_add(&sum->device, request->end - request->issued, request->issued);
	if (queued != NSEC_NEVER)
		distribution_add(&sum->queue, request->issued - queued, queued);
	disk_files_add(&view->files, request, interval);
	disk_slowest_add(&view->slowest,
	                 question_has_filter(view->question) ? &task->slowest
	                                                     : &view->slowest_of_all,
	                 &device->ended, request, interval);
}

static bool request_counts(const struct disk_view *view, const struct interval *interval)
{
	const struct question *question = view->question;

	return !interval->is_open && interval->end - interval->begin >= question->asked->min &&
	       question_asks_cpu(question, interval->cpu) &&
	       (!question_may_be_windowed(question) ||
	        question_contains(question, question_instant_of(question, interval)));
}

/* Adds the time in which the request existed and its time in the device, cut to the window. */
static void request_cover(struct disk_view *view, uint32_t task,
                          const struct disk_request *request)
{
	const struct question *question = view->question;
	nsec_t begin = request->begin, issued = request->issued, end = request->end;

	if (question_may_be_windowed(question)) {
		begin = nsec_max(begin, question->resolved->begin);
		issued = nsec_max(issued, question->resolved->begin);
		end = nsec_min(end, question->resolved->end);
	}
	if (issued < end)
		coverage_add(&view->device[view->task[task].device].busy, issued, end, NULL, NULL);
	contention_add(view, task, begin, end);
}

static void disk_add(void *state, const struct interval *interval)
{
	struct disk_view *view = state;
	struct disk_request request = {
		.dev = interval->disk.dev,
		.task = disk_request_task(view->question->timeline, interval),
		.begin = interval->begin,
		.issued = interval->phase[PHASE_STARTED],
		.end = interval->end,
		.bytes = interval->disk.bytes,
	};
	uint32_t device = device_find(view, request.dev);
	uint32_t task = device == MAP_NONE ? MAP_NONE
	                                   : disk_task_find(view, device, request.task);

	if (task == MAP_NONE) {
		view->left_out++;
		return;
	}
	request_cover(view, task, &request);
	if (interval->is_open)
		view->device[device].open++;
	if (request_counts(view, interval))
		request_count(view, &view->task[task], &request, interval);
	disk_slowest_pass(&view->slowest, &view->device[device].ended, &request);
}

static void disk_on_interval(void *state, const struct interval *interval)
{
	struct disk_view *view = state;

	interval_gate_pass(&view->gate, view, interval);
}

static void disk_on_span(void *state, const struct span *span)
{
	struct disk_view *view = state;

	held_requests_add(&view->held, span);
}

static void disk_resolve(void *state)
{
	struct disk_view *view = state;

	held_requests_resolve(&view->held);
	interval_gate_resolve(&view->gate, view);
}

static void sum_merge(struct disk_sum *sum, const struct disk_sum *more)
{
	sum->requests += more->requests;
	sum->bytes += more->bytes;
	sum->errors += more->errors;
	distribution_merge(&sum->queue, &more->queue);
	distribution_merge(&sum->device, &more->device);
}

/* Sums requests, bytes and times of the asked tasks; direction DISK_DIRECTIONS: all. */
static void disk_sum_of(const struct disk_view *view, uint32_t device, unsigned direction,
                        struct disk_sum *ret)
{
	*ret = (struct disk_sum){0};
	for (size_t i = 0; i < view->task_count; i++) {
		const struct disk_task *task = &view->task[i];

		if (task->device != device || !disk_is_asked(view->question, task->task))
			continue;
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			if (direction == DISK_DIRECTIONS || direction == way)
				sum_merge(ret, &task->sum[way]);
	}
}

/* The device's name; without one its numbers, in `to`. */
static const char *disk_name_text(const struct disk_view *view, uint32_t device,
                                  char to[static DEVICE_NAME_BYTES])
{
	return timeline_device_text(view->question->timeline, view->device[device].dev, to);
}

static uint32_t disk_machine(const struct disk_view *view, uint32_t device)
{
	return device_names_host(&view->question->timeline->devices, view->device[device].dev);
}

/* How long its machine was recorded. */
static nsec_t disk_time(const struct disk_view *view, uint32_t device)
{
	return machine_time(view->question, disk_machine(view, device));
}

/* A device with the asked tasks' share of it. */
struct device_row {
	uint32_t index;
	struct disk_sum all, way[DISK_DIRECTIONS];
};

enum device_column {
	DEVICE_MACHINE,
	DEVICE_DEV,
	DEVICE_DISK,
	DEVICE_NAME,
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
	[DEVICE_MACHINE] = {MACHINE_COLUMN},
	[DEVICE_DEV] = {"dev", NULL, CELL_TEXT, 0},
	[DEVICE_DISK] = {"disk", NULL, CELL_TEXT, 0},
	[DEVICE_NAME] = {"dev", "DEV", CELL_TEXT, COLUMN_TEXT_ONLY},
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

static void device_row_put(const struct disk_view *view, const struct device_row *row,
                           const struct output *to)
{
	const struct disk_device *device = &view->device[row->index];
	char dev[FORMAT_BYTES], size[FORMAT_BYTES], rate[FORMAT_BYTES + 2];
	struct distribution_sum queue, served;
	struct cell cell[DEVICE_COLUMNS];
	/* what is discarded is not transferred */
	uint64_t moved = row->way[DISK_READ].bytes + row->way[DISK_WRITE].bytes;

	distribution_sum(&row->all.queue, &queue);
	distribution_sum(&row->all.device, &served);
	for (size_t i = 0; i < DEVICE_COLUMNS; i++)
		cell[i].type = device_columns[i].type;
	cell[DEVICE_MACHINE] =
		cell_of_machine(view->question->timeline, disk_machine(view, row->index));
	disk_dev_cells(view, row->index, dev, &cell[DEVICE_DEV]);
	cell[DEVICE_REQUESTS].count = row->all.requests;
	cell[DEVICE_BYTES].count = row->all.bytes;
	cell[DEVICE_SIZE].text = format_size(moved, size);
	cell[DEVICE_RATE].text = disk_rate_text(moved, disk_time(view, row->index), rate);
	cell[DEVICE_QUEUE] = disk_distribution_cell(&queue);
	cell[DEVICE_DEVICE] = disk_distribution_cell(&served);
	cell[DEVICE_BUSY].time = device->busy.total;
	cell[DEVICE_BUSY_SHARE].ratio =
		nsec_ratio(device->busy.total, disk_time(view, row->index));
	cell[DEVICE_DEPTH].count = device->depth_max;
	cell[DEVICE_READS].count = row->way[DISK_READ].requests;
	cell[DEVICE_WRITES].count = row->way[DISK_WRITE].requests;
	cell[DEVICE_ERRORS].count = row->all.errors;
	cell[DEVICE_OPEN].count = device->open;
	output_row(to, cell + machine_column_skip(view->question->timeline));
}

static const struct column direction_columns[] = {
	{MACHINE_COLUMN},
	{"dev", NULL, CELL_TEXT, 0},
	{"disk", NULL, CELL_TEXT, 0},
	{"dev", "DEV", CELL_TEXT, COLUMN_TEXT_ONLY},
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
	const struct timeline *timeline = view->question->timeline;
	struct distribution_sum queue, served;
	struct cell device[DISK_DEV_CELLS];

	if (sum->requests == 0)
		return;
	disk_dev_cells(view, row->index, dev, device);
	distribution_sum(&sum->queue, &queue);
	distribution_sum(&sum->device, &served);
	(void)format_size(sum->bytes, size);
	(void)disk_rate_text(sum->bytes, disk_time(view, row->index), rate);
	output_row(to, (struct cell[]){
				cell_of_machine(timeline, disk_machine(view, row->index)),
				device[0], device[1], device[2],
				{.type = CELL_TEXT, .text = names[way]},
				{.type = CELL_COUNT, .count = sum->requests},
				{.type = CELL_COUNT, .count = sum->bytes},
				{.type = CELL_TEXT, .text = size},
				{.type = CELL_TEXT, .text = rate},
				disk_distribution_cell(&queue),
				disk_distribution_cell(&served),
			} + machine_column_skip(timeline));
}

/* The sentences with the answer. */

static uint64_t task_bytes(const struct disk_task *task)
{
	uint64_t bytes = 0;

	for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
		bytes += task->sum[way].bytes;
	return bytes;
}

/* The overlap of two tasks is equally long for both; the victim is the task that transferred less.
   So the overlap is weighted with the rival's share of the bytes of both. */
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
	char dev[DEVICE_NAME_BYTES];

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
	disk_task_append(line, view->question->timeline, task->task);
	buffer_printf(line, " waited %s", DURATION_TEXT(task->waiting.total));
	buffer_printf(line, " for %s", disk_name_text(view, task->device, dev));
	phases_describe(task, line);
	buffer_puts(line, "; ahead of it: ");
	victim_rivals_append(line, view, worst);
	buffer_puts(line, ".");
}

static void device_describe(const struct disk_view *view, const struct device_row *row,
                            struct buffer *line)
{
	const struct disk_device *device = &view->device[row->index];
	struct distribution_sum served;
	char dev[DEVICE_NAME_BYTES];

	distribution_sum(&row->all.device, &served);
	buffer_printf(line, "%s was busy %s of the time", disk_name_text(view, row->index, dev),
	              RATIO_TEXT(nsec_ratio(device->busy.total, disk_time(view, row->index))));
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
	held_requests_print(&view->held, to);
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
	size_t skip = machine_column_skip(view->question->timeline);

	output_table_begin(to, "devices", "Devices, by the time they were busy",
	                   device_columns + skip, DEVICE_COLUMNS - skip, /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		device_row_put(view, &rows[i], to);
	output_table_end(to);
	output_table_begin(to, "directions", "By direction", direction_columns + skip,
	                   ARRAY_SIZE(direction_columns) - skip, /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			direction_row_put(view, &rows[i], (enum disk_direction)way, to);
	output_table_end(to);
}

/* Bars of the busiest device. */
static void bars_put(const struct disk_view *view, const struct device_row *row,
                     const struct output *to)
{
	char dev[DEVICE_NAME_BYTES], title[TITLE_BYTES];
	const char *name = disk_name_text(view, row->index, dev);

	(void)snprintf(title, sizeof(title), "Time in the queue of %s", name);
	histogram_show_of(&row->all.queue, title, to);
	(void)snprintf(title, sizeof(title), "Time in the device %s", name);
	histogram_show_of(&row->all.device, title, to);
}

static void limits_print(const struct disk_view *view)
{
	struct health *health = view->question->health;

	if (view->left_out)
		health_doubt(health,
		             "more devices or tasks than --disk has room for: %" PRIu64
		             " requests of others are left out",
		             view->left_out);
	if (view->pairs_left_out)
		health_doubt(health, "more tasks that shared a disk than --disk has room for: "
		                     "some are not named as being ahead of others");
	if (view->slowest.ahead_cut)
		health_doubt(health,
		             "of %" PRIu64 " slow requests not everything that was ahead is known: "
		             "too many others completed before them",
		             view->slowest.ahead_cut);
}

/* The requests of the asked tasks by group. */
static void groups_put(const struct disk_view *view, const struct output *to)
{
	struct disk_groups groups;

	disk_groups_init(&groups, view->question);
	for (size_t i = 0; i < view->task_count; i++) {
		const struct disk_task *task = &view->task[i];

		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			if (disk_is_asked(view->question, task->task))
				disk_groups_add(&groups, &(struct disk_group_share){
					.dev = view->device[task->device].dev,
					.task = task->task,
					.requests = task->sum[way].requests,
					.bytes = task->sum[way].bytes,
					.errors = task->sum[way].errors,
					.queue = &task->sum[way].queue,
					.device = &task->sum[way].device,
				});
	}
	disk_groups_put(&groups, to);
	disk_groups_release(&groups);
}

/* The requests of the asked tasks, by task and device. */
static void tasks_put(const struct disk_view *view, const struct output *to)
{
	struct disk_tasks tasks;

	disk_tasks_init(&tasks, view->question);
	for (size_t i = 0; i < view->task_count; i++) {
		const struct disk_task *task = &view->task[i];
		struct disk_share share[DISK_DIRECTIONS];

		if (!disk_is_asked(view->question, task->task))
			continue;
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			share[way] = (struct disk_share){
				.requests = task->sum[way].requests,
				.bytes = task->sum[way].bytes,
				.errors = task->sum[way].errors,
				.queue = &task->sum[way].queue,
				.device = &task->sum[way].device,
			};
		disk_tasks_add(&tasks, task->task, view->device[task->device].dev, share,
		               task->waiting.total);
	}
	disk_tasks_put(&tasks, to);
	disk_tasks_release(&tasks);
}

static void disk_report(const void *state, const struct output *to)
{
	const struct disk_view *view = state;
	size_t count;
	struct device_row *rows = rows_new(view, &count);
	struct victim *victims = victims_new(view);

	limits_print(view);
	output_section_begin(to, "disk", "Disks", /* is_list= */ false);
	if (!analysis_print_lack(&disk_analysis, view->question, to))
		disk_print(view, rows, count, victims, to);
	devices_put(view, rows, count, to);
	if (view->question->asked->by_group)
		groups_put(view, to);
	tasks_put(view, to);
	disk_files_put(&view->files, view->question, to);
	disk_slowest_put(&view->slowest, to);
	victims_show(view, victims, to);
	if (count)
		bars_put(view, &rows[0], to);
	output_section_end(to);
	victims_free(view, victims);
	rows_free(rows, count);
}

const struct analysis disk_analysis = {
	.name = "disk",
	.about = "disks: requests, queue and device time, which requests were ahead",
	.sort_keys = disk_sort_keys,
	.heeds = HEEDS_CPUS | HEEDS_MIN | HEEDS_TASKS | HEEDS_BY_GROUP,
	.needs = EVENT_LIST(EVENT_BLOCK_COMPLETE),
	.groups = "block",
	.begin = disk_begin,
	.on_span = disk_on_span,
	.on_interval = disk_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_DISK),
	.resolve = disk_resolve,
	.report = disk_report,
	.end = disk_end,
};
