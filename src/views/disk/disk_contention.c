/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that waited for a device, and the tasks that had requests there meanwhile. A task waits
 * while any of its requests is queued or in flight. The overlap of two tasks' waiting is found
 * when the later of two overlapping requests ends, so that each instant is counted once for a
 * pair.
 */
#include "base/array.h"
#include "disk_view.h"

#define PAIRS_MAX (1u << 17)

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

/* The task waits in [begin, end), which was not known before: finds the other tasks that waited,
   latest first. */
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

void disk_contention_add(struct disk_view *view, uint32_t task, nsec_t begin, nsec_t end)
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
