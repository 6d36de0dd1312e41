/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "object_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

void object_pool_init(struct object_pool *pool, const struct object_pool_setup *setup)
{
	assert(setup->limit > 0 && setup->limit < MAP_NONE);
	*pool = (struct object_pool){.setup = *setup};
	pool->slot_bytes = sizeof(struct object_slot) + ((setup->object_bytes + 7) & ~(size_t)7);
	map_init(&pool->by_key);
	object_pool_clear(pool);
}

void object_pool_release(struct object_pool *pool)
{
	map_release(&pool->by_key);
	free(pool->slot);
	*pool = (struct object_pool){0};
}

void object_pool_clear(struct object_pool *pool)
{
	map_clear(&pool->by_key);
	pool->slot_count = 0;
	pool->oldest = MAP_NONE;
	pool->youngest = MAP_NONE;
	pool->first_free = MAP_NONE;
}

static void pool_append(struct object_pool *pool, uint32_t index)
{
	struct object_slot *slot = object_pool_slot(pool, index);

	slot->older = pool->youngest;
	slot->younger = MAP_NONE;
	if (pool->youngest == MAP_NONE)
		pool->oldest = index;
	else
		object_pool_slot(pool, pool->youngest)->younger = index;
	pool->youngest = index;
}

static void pool_unlink(struct object_pool *pool, const struct object_slot *slot)
{
	if (slot->older == MAP_NONE)
		pool->oldest = slot->younger;
	else
		object_pool_slot(pool, slot->older)->younger = slot->younger;
	if (slot->younger == MAP_NONE)
		pool->youngest = slot->older;
	else
		object_pool_slot(pool, slot->younger)->older = slot->older;
}

const void *object_pool_take(struct object_pool *pool, uint64_t key)
{
	uint32_t index = map_take(&pool->by_key, key);
	struct object_slot *slot;

	if (index == MAP_NONE)
		return NULL;
	slot = object_pool_slot(pool, index);
	pool_unlink(pool, slot);
	slot->younger = pool->first_free;
	pool->first_free = index;
	return slot + 1;
}

static void pool_make_room(struct object_pool *pool)
{
	const void *object = object_pool_take(pool, object_pool_slot(pool, pool->oldest)->key);

	if (!pool->setup.is_alive || pool->setup.is_alive(object))
		pool->forgotten++;
}

/* The index of a slot that is in no list. */
static uint32_t pool_slot_new(struct object_pool *pool)
{
	uint32_t index = pool->first_free;

	if (index != MAP_NONE) {
		pool->first_free = object_pool_slot(pool, index)->younger;
		return index;
	}
	if (pool->slot_count == pool->slot_capacity) {
		pool->slot_capacity = pool->slot_capacity ? pool->slot_capacity * 2 : 8;
		pool->slot = xreallocarray(pool->slot, pool->slot_capacity, pool->slot_bytes);
	}
	return (uint32_t)pool->slot_count++;
}

void *object_pool_put(struct object_pool *pool, uint64_t key)
{
	uint32_t index = map_get(&pool->by_key, key);
	struct object_slot *slot;

	if (index == pool->youngest && index != MAP_NONE)
		return object_pool_slot(pool, index) + 1;
	if (index != MAP_NONE) {
		slot = object_pool_slot(pool, index);
		pool_unlink(pool, slot);
	} else {
		if (pool->by_key.count == pool->setup.limit)
			pool_make_room(pool);
		index = pool_slot_new(pool);
		slot = object_pool_slot(pool, index);
		memset(slot + 1, 0, pool->setup.object_bytes);
		slot->key = key;
		map_put(&pool->by_key, key, index);
	}
	pool_append(pool, index);
	return slot + 1;
}
