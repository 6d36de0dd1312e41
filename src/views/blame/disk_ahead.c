/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_ahead.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"

void disk_ahead_release(struct disk_ahead *ahead)
{
	free(ahead->request);
	free(ahead->wait);
	*ahead = (struct disk_ahead){0};
}

void disk_ahead_add_request(struct disk_ahead *ahead, const struct ahead_request *request)
{
	if (ahead->request_count == DISK_AHEAD_MAX) {
		ahead->left_out++;
		return;
	}
	ARRAY_ADD(ahead->request, ahead->request_count, ahead->request_capacity) = *request;
}

void disk_ahead_add_wait(struct disk_ahead *ahead, const struct ahead_wait *wait)
{
	if (ahead->wait_count == DISK_AHEAD_MAX) {
		ahead->left_out++;
		return;
	}
	ARRAY_ADD(ahead->wait, ahead->wait_count, ahead->wait_capacity) = *wait;
}

ORDER_FUNCTION(request_compare, struct ahead_request, RISING(x, y, dev), RISING(x, y, begin),
               RISING(x, y, sector))

ORDER_FUNCTION(request_compare_ends, struct ahead_request, RISING(x, y, end), request_compare(x, y))

ORDER_FUNCTION(wait_compare, struct ahead_wait, RISING(x, y, dev), RISING(x, y, queued),
               RISING(x, y, task))

/* The requests of a device that are not known to have ended before the present wait's request was
   queued. */
struct active_requests {
	struct ahead_request *request;
	size_t count, capacity;
};

/* Drops those that had ended at t. */
static void active_end(struct active_requests *active, nsec_t t)
{
	size_t kept = 0;

	for (size_t i = 0; i < active->count; i++)
		if (active->request[i].end > t)
			active->request[kept++] = active->request[i];
	active->count = kept;
}

/* Divides the wait's time among those that are ahead. Up to the k-th end, each of those that end
   then or later gets the time since the end before it, divided by their number. */
static void wait_share(const struct ahead_wait *wait, struct active_requests *active,
                       void (*on_share)(void *state, uint32_t waiter, uint32_t task, double part),
                       void *state)
{
	nsec_t from = nsec_max(wait->begin, wait->queued);
	size_t remaining = 0;
	double part = 0;

	array_sort(active->request, active->count, sizeof(*active->request), request_compare_ends);
	for (size_t i = 0; i < active->count; i++)
		remaining += active->request[i].sector != wait->sector;
	for (size_t i = 0; i < active->count; i++) {
		nsec_t until = nsec_min(active->request[i].end, wait->end);

		if (active->request[i].sector == wait->sector) /* the request itself */
			continue;
		if (until > from) {
			part += (double)(until - from) / (double)remaining;
			from = until;
		}
		remaining--;
		if (part > 0)
			on_share(state, wait->task, active->request[i].task, part);
	}
}

void disk_ahead_share(struct disk_ahead *ahead,
                      void (*on_share)(void *state, uint32_t waiter, uint32_t task, double part),
                      void *state)
{
	struct active_requests active = {0};
	size_t next = 0;

	array_sort(ahead->request, ahead->request_count, sizeof(*ahead->request), request_compare);
	array_sort(ahead->wait, ahead->wait_count, sizeof(*ahead->wait), wait_compare);
	for (size_t i = 0; i < ahead->wait_count; i++) {
		const struct ahead_wait *wait = &ahead->wait[i];

		if (i == 0 || ahead->wait[i - 1].dev != wait->dev)
			active.count = 0;
		for (; next < ahead->request_count; next++) {
			const struct ahead_request *request = &ahead->request[next];

			if (request->dev > wait->dev ||
			    (request->dev == wait->dev && request->begin >= wait->queued))
				break;
			if (request->dev < wait->dev || request->end <= wait->queued)
				continue;
			ARRAY_ADD(active.request, active.count, active.capacity) = *request;
		}
		active_end(&active, wait->queued);
		wait_share(wait, &active, on_share, state);
	}
	free(active.request);
}
