/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest requests, and the requests ahead of each: those that were in the queue or in the
 * device when it was queued; and those that were issued before it and were still in the device
 * when it was issued. Requests that ended before it are looked up when it ends; the others are
 * added when they end.
 *
 *	      queued  issued     end
 *	it      |-------|---------|
 *	ahead  ...-|
 *	ahead  .....................-----|
 *	ahead      |-[issued]-|            came later and overtook it
 *	not        |-|                     came later and was gone
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/heap.h"
#include "disk_view.h"

#define SLOWEST_MAX         1000
#define SLOWEST_OF_TASK_MAX 100
#define ENDED_MAX           (1u << 16) /* ended requests of a device that are looked up */
#define AHEAD_MAX           64 /* tasks; further ones count as one unknown task */

const char *const disk_sort_keys[] = {"time", "queue", "device", "bytes", NULL};

static uint64_t request_weight(const struct disk_view *view, const struct disk_request *request)
{
	switch (view->sort) {
	case 1:
		return request->issued - request->begin;
	case 2:
		return request->end - request->issued;
	case 3:
		return request->bytes;
	default:
		return request->end - request->begin;
	}
}

static bool slow_is_less(struct slow_request *const *a, struct slow_request *const *b)
{
	return (*a)->weight != (*b)->weight ? (*a)->weight < (*b)->weight
	                                    : (*a)->number > (*b)->number;
}

static void slow_free(struct slow_request *slow)
{
	free(slow->ahead);
	free(slow);
}

static void slow_unlink(struct disk_view *view, struct slow_request *slow)
{
	if (slow->newer)
		slow->newer->older = slow->older;
	else
		view->newest_slow = slow->older;
	if (slow->older)
		slow->older->newer = slow->newer;
}

static void heap_drop_least(struct disk_view *view, struct slowest *heap)
{
	struct slow_request *least = heap->request[0];

	heap->request[0] = heap->request[--heap->count];
	HEAP_SIFT_DOWN(heap->request, heap->count, 0, slow_is_less);
	slow_unlink(view, least);
	slow_free(least);
}

static bool is_ahead(const struct disk_request *other, const struct disk_request *request)
{
	if (other->device != request->device)
		return false;
	return (other->begin < request->begin && other->end > request->begin) ||
	       (other->issued < request->issued && other->end > request->issued);
}

static void slow_count_ahead(struct slow_request *slow, const struct disk_request *other)
{
	struct disk_ahead *ahead = NULL;
	uint32_t task = other->task;

	for (uint32_t i = 0; i < slow->ahead_count && !ahead; i++)
		if (slow->ahead[i].task == task)
			ahead = &slow->ahead[i];
	if (!ahead && slow->ahead_count >= AHEAD_MAX && task != LINE_NONE) {
		struct disk_request unknown = *other;

		unknown.task = LINE_NONE;
		slow_count_ahead(slow, &unknown);
		return;
	}
	if (!ahead) {
		ARRAY_GROW_FROM(slow->ahead, slow->ahead_count, slow->ahead_capacity, 2);
		ahead = &slow->ahead[slow->ahead_count++];
		*ahead = (struct disk_ahead){.task = task};
	}
	ahead->requests++;
	ahead->bytes += other->bytes;
}

/* Looks through the ended requests, from the last back to those that ended before it was
   queued. */
static void slow_look_back(struct disk_view *view, struct slow_request *slow)
{
	const struct disk_device *device = &view->device[slow->request.device];
	size_t kept = device->ended_count < ENDED_MAX ? device->ended_count : ENDED_MAX;

	for (size_t back = 1; back <= kept; back++) {
		const struct disk_request *other =
			&device->ended[(device->ended_count - back) % ENDED_MAX];

		if (other->end <= slow->request.begin)
			return;
		if (is_ahead(other, &slow->request))
			slow_count_ahead(slow, other);
	}
	view->ahead_cut += device->ended_since > slow->request.begin;
}

void disk_slowest_add(struct disk_view *view, struct slowest *to,
                      const struct disk_request *request, const struct interval *interval)
{
	size_t limit = view->is_by_task ? SLOWEST_OF_TASK_MAX : SLOWEST_MAX;
	uint64_t weight = request_weight(view, request);
	struct slow_request *slow;

	view->numbered++;
	if (to->count == limit && weight <= to->request[0]->weight)
		return;
	if (to->count == limit)
		heap_drop_least(view, to);
	slow = xcalloc(1, sizeof(*slow));
	*slow = (struct slow_request){
		.request = *request,
		.queued = interval->phase[PHASE_QUEUED],
		.sector = interval->disk.sector,
		.rwbs = interval->disk.rwbs,
		.error = interval->disk.error,
		.number = view->numbered,
		.weight = weight,
		.older = view->newest_slow,
	};
	if (slow->older)
		slow->older->newer = slow;
	view->newest_slow = slow;
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_GROW(to->request, to->count, to->capacity);
	to->request[to->count++] = slow;
	HEAP_SIFT_UP(to->request, to->count - 1, slow_is_less);
	slow_look_back(view, slow);
}

void disk_slowest_pass(struct disk_view *view, const struct disk_request *request)
{
	struct disk_device *device = &view->device[request->device];
	struct disk_request *place;

	for (struct slow_request *slow = view->newest_slow;
	     slow && slow->request.end > request->begin; slow = slow->older)
		if (is_ahead(request, &slow->request))
			slow_count_ahead(slow, request);
	if (device->ended_count < ENDED_MAX)
		ARRAY_GROW(device->ended, device->ended_count, device->ended_capacity);
	place = &device->ended[device->ended_count % ENDED_MAX];
	if (device->ended_count >= ENDED_MAX)
		device->ended_since = place->end;
	*place = *request;
	device->ended_count++;
}

void disk_slowest_release(struct slowest *slowest)
{
	for (size_t i = 0; i < slowest->count; i++)
		slow_free(slowest->request[i]);
	free(slowest->request);
	*slowest = (struct slowest){0};
}

static int slow_compare(const void *a, const void *b)
{
	return slow_is_less(b, a) ? -1 : slow_is_less(a, b);
}

static size_t slowest_copy(const struct slowest *slowest, struct slow_request **to, size_t count)
{
	for (size_t i = 0; i < slowest->count; i++)
		to[count++] = slowest->request[i];
	return count;
}

struct slow_request **disk_slowest_sorted(const struct disk_view *view, size_t *ret_count)
{
	size_t count = view->slowest.count;
	struct slow_request **sorted;

	for (size_t i = 0; i < view->task_count; i++)
		count += view->task[i].slowest.count;
	/* NOLINTNEXTLINE: pointers are meant */
	sorted = xcalloc(count, sizeof(*sorted));
	count = slowest_copy(&view->slowest, sorted, 0);
	for (size_t i = 0; i < view->task_count; i++)
		if (disk_is_asked(view, view->task[i].task))
			count = slowest_copy(&view->task[i].slowest, sorted, count);
	array_sort(sorted, count, sizeof(struct slow_request *), slow_compare);
	*ret_count = count < SLOWEST_MAX ? count : SLOWEST_MAX;
	return sorted;
}
