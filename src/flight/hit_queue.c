/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hit_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

bool hit_queue_add(struct hit_queue *queue, const struct hit *hit)
{
	size_t at = queue->count;

	if (queue->count == HITS_MAX) {
		queue->lost++;
		return false;
	}
	while (at > 0 && queue->hit[at - 1].at > hit->at)
		at--;
	memmove(&queue->hit[at + 1], &queue->hit[at], (queue->count - at) * sizeof(*hit));
	queue->hit[at] = *hit;
	queue->count++;
	return true;
}

bool hit_queue_take(struct hit_queue *queue, struct hit *ret)
{
	if (queue->count == 0)
		return false;
	*ret = queue->hit[0];
	queue->count--;
	memmove(&queue->hit[0], &queue->hit[1], queue->count * sizeof(*ret));
	return true;
}

void fired_waits_init(struct fired_waits *fired)
{
	*fired = (struct fired_waits){0};
	map_init(&fired->by_key);
}

void fired_waits_release(struct fired_waits *fired)
{
	map_release(&fired->by_key);
	free(fired->wait);
}

static uint64_t fired_key(size_t condition, int32_t tid)
{
	return (uint64_t)condition << 32 | (uint32_t)tid;
}

bool fired_waits_has(struct fired_waits *fired, size_t condition, int32_t tid, nsec_t since,
                     nsec_t at)
{
	uint32_t index = map_get(&fired->by_key, fired_key(condition, tid));

	if (index == MAP_NONE || fired->wait[index].since != since)
		return false;
	fired->wait[index].at = nsec_max(fired->wait[index].at, at);
	return true;
}

void fired_waits_add(struct fired_waits *fired, size_t condition, int32_t tid, nsec_t since,
                     nsec_t at)
{
	uint64_t key = fired_key(condition, tid);
	uint32_t index = map_get(&fired->by_key, key);

	if (index == MAP_NONE) {
		index = (uint32_t)fired->count;
		ARRAY_GROW(fired->wait, fired->count, fired->capacity);
		fired->count++;
		map_put(&fired->by_key, key, index);
	}
	fired->wait[index] = (struct fired_wait){.key = key, .since = since, .at = at};
}

void fired_waits_forget(struct fired_waits *fired, nsec_t reached)
{
	size_t kept = 0;

	if (fired->count == 0)
		return;
	map_clear(&fired->by_key);
	for (size_t i = 0; i < fired->count; i++) {
		if (fired->wait[i].at < reached)
			continue;
		fired->wait[kept] = fired->wait[i];
		map_put(&fired->by_key, fired->wait[kept].key, (uint32_t)kept);
		kept++;
	}
	fired->count = kept;
}
