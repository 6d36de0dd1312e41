/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

#define PAYLOAD_ALIGN 8u

static void items_release(struct text_items *items)
{
	free(items->item);
	free(items->bytes);
}

void text_queue_release(struct text_queue *queue)
{
	items_release(&queue->coming);
	items_release(&queue->going);
	free(queue->batch);
}

void text_queue_add(struct text_queue *queue, nsec_t time, const uint8_t *payload, size_t length)
{
	struct text_items *items = &queue->coming;

	while (items->room - items->used < length + PAYLOAD_ALIGN) {
		items->room = items->room ? items->room * 2 : 4096;
		items->bytes = xrealloc(items->bytes, items->room);
	}
	ARRAY_GROW(items->item, items->count, items->capacity);
	items->item[items->count++] =
		(struct text_item){time, items->used, (uint32_t)length, queue->lost_events};
	memcpy(items->bytes + items->used, payload, length);
	items->used += (length + PAYLOAD_ALIGN - 1) & ~(size_t)(PAYLOAD_ALIGN - 1);
	queue->lost_events = 0;
}

void text_queue_lose(struct text_queue *queue, uint64_t events)
{
	if (queue->lost_events == LOST_UNCOUNTED || events == LOST_UNCOUNTED ||
	    events > LOST_UNCOUNTED - 1 - queue->lost_events)
		queue->lost_events = LOST_UNCOUNTED;
	else
		queue->lost_events += events;
}

bool text_queue_take(struct text_queue *queue, struct record_batch *ret)
{
	const struct text_items *items = &queue->going;
	size_t count = 0;

	if (queue->at == items->count) {
		struct text_items empty = queue->going;

		queue->going = queue->coming;
		queue->coming = empty;
		queue->coming.count = queue->coming.used = 0;
		queue->at = 0;
	}
	*ret = (struct record_batch){0};
	if (items->count == 0)
		return false;
	ret->lost_events = items->item[queue->at].lost_events;
	do {
		const struct text_item *item = &items->item[queue->at++];

		ARRAY_GROW(queue->batch, count, queue->batch_capacity);
		queue->batch[count++] =
			(struct record){item->time, items->bytes + item->offset, item->length};
	} while (queue->at < items->count && items->item[queue->at].lost_events == 0);
	ret->records = queue->batch;
	ret->count = count;
	return true;
}
