/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block requests by device: how long each stood in the queue and was in the device, which were the
 * slowest and what was ahead of them, and which tasks waited while requests of others were in the
 * device. A window has the requests that were issued in it, as a whole; a request that the end of
 * the trace cuts counts only in what others waited for. They are gathered here; disk_report.c
 * shows them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "disk_view.h"

/* With this many the view takes some hundred MB. */
#define DEVICES_MAX (1u << 12)
#define TASKS_MAX   (1u << 16)

static void disk_add(void *state, const struct interval *interval);

static void *disk_begin(const struct question *question)
{
	struct disk_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	interval_gate_init(&view->gate, question, disk_add);
	view->gate.is_wide = true;
	view->sort = question_sort_key(question, disk_sort_keys);
	view->is_by_task = question_has_filter(question);
	map_init(&view->device_by_dev);
	map_init(&view->task_by_hash);
	map_init(&view->pair_by_hash);
	return view;
}

void disk_sum_release(struct disk_sum *sum)
{
	distribution_release(&sum->queue);
	distribution_release(&sum->device);
}

static void disk_end(void *state)
{
	struct disk_view *view = state;

	for (size_t i = 0; i < view->device_count; i++) {
		coverage_release(&view->device[i].busy);
		free(view->device[i].ended);
	}
	for (size_t i = 0; i < view->task_count; i++) {
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			disk_sum_release(&view->task[i].sum[way]);
		coverage_release(&view->task[i].waiting);
		disk_slowest_release(&view->task[i].slowest);
	}
	disk_slowest_release(&view->slowest);
	free(view->device);
	free(view->task);
	free(view->pair);
	interval_gate_release(&view->gate);
	map_release(&view->device_by_dev);
	map_release(&view->task_by_hash);
	map_release(&view->pair_by_hash);
	free(view);
}

/* Its index; MAP_NONE beyond the limit. */
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

bool disk_is_asked(const struct disk_view *view, uint32_t task)
{
	return !view->is_by_task || (task != LINE_NONE && view->question->resolved->is_asked[task]);
}

/* Counts it in the figures of its task and device. */
static void request_count(struct disk_view *view, struct disk_task *task,
                          const struct disk_request *request, const struct interval *interval)
{
	enum disk_direction way = disk_request_direction(view->question->timeline, interval);
	struct disk_sum *sum = &task->sum[way];
	nsec_t queued = interval->phase[PHASE_QUEUED];
	struct disk_device *device = &view->device[request->device];

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
	disk_slowest_add(view, view->is_by_task ? &task->slowest : &view->slowest, request,
	                 interval);
}

static bool request_counts(const struct disk_view *view, const struct interval *interval)
{
	const struct question *question = view->question;

	return !interval->is_open && interval->end - interval->begin >= question->asked->min &&
	       question_asks_cpu(question, interval->cpu) &&
	       (!question_may_be_windowed(question) ||
	        question_contains(question, interval_started(interval)));
}

/* Adds the time that it existed and the time in the device, as far as they are asked for. */
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
		coverage_add(&view->device[request->device].busy, issued, end, NULL, NULL);
	disk_contention_add(view, task, begin, end);
}

static void disk_add(void *state, const struct interval *interval)
{
	struct disk_view *view = state;
	struct disk_request request = {
		.device = device_find(view, interval->disk.dev),
		.task = disk_request_task(view->question->timeline, interval),
		.begin = interval->begin,
		.issued = interval->phase[PHASE_STARTED],
		.end = interval->end,
		.bytes = interval->disk.bytes,
	};
	uint32_t task = request.device == MAP_NONE
	                        ? MAP_NONE
	                        : disk_task_find(view, request.device, request.task);

	if (task == MAP_NONE) {
		view->left_out++;
		return;
	}
	request_cover(view, task, &request);
	if (interval->is_open)
		view->device[request.device].open++;
	if (request_counts(view, interval))
		request_count(view, &view->task[task], &request, interval);
	disk_slowest_pass(view, &request);
}

static void disk_on_interval(void *state, const struct interval *interval)
{
	struct disk_view *view = state;

	interval_gate_pass(&view->gate, view, interval);
}

static void disk_resolve(void *state)
{
	struct disk_view *view = state;

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

void disk_sum_of(const struct disk_view *view, uint32_t device, unsigned direction,
                 struct disk_sum *ret)
{
	*ret = (struct disk_sum){0};
	for (size_t i = 0; i < view->task_count; i++) {
		const struct disk_task *task = &view->task[i];

		if (task->device != device || !disk_is_asked(view, task->task))
			continue;
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			if (direction == DISK_DIRECTIONS || direction == way)
				sum_merge(ret, &task->sum[way]);
	}
}

const struct analysis disk_analysis = {
	.name = "disk",
	.about = "disks: requests, queue and device time, which requests were ahead",
	.sort_keys = disk_sort_keys,
	.heeds = HEEDS_CPUS | HEEDS_MIN | HEEDS_TASKS,
	.needs = EVENT_LIST(EVENT_BLOCK_COMPLETE),
	.groups = "block",
	.begin = disk_begin,
	.on_interval = disk_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_DISK),
	.resolve = disk_resolve,
	.report = disk_report,
	.end = disk_end,
};
