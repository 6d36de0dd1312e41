/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of one size by 64-bit keys, at most a limit of them at once. Where another one is to be
 * added to a full pool, the oldest makes room: the one that was put longest ago. To look at an
 * object does not make it younger: what is asked for is about to end as a rule, and a lookup stays
 * one probe. What has ended is to be taken out, so that only what lives counts; a pool that makes
 * room all the same counts how many that were alive it has forgotten.
 *
 *	put 1, put 2, put 3, put 1    oldest [2 3 1] youngest
 *	take 3                               [2 1]
 *
 * O(1) expected, nothing is allocated an object. Memory: for the most that there were at once,
 * object_bytes + 16 each and the map (map.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"

struct object_pool_setup {
	size_t object_bytes;
	uint32_t limit;   /* from 1 */
	const char *kind; /* "timers", for whoever tells what was forgotten; NULL */
	/* Whether one that makes room is missed; NULL: each is. */
	bool (*is_alive)(const void *object);
};

struct object_pool {
	struct object_pool_setup setup;
	struct map by_key; /* slot */
	char *slot;        /* slot_bytes each; see struct object_slot */
	size_t slot_bytes, slot_count, slot_capacity;
	uint32_t oldest, youngest; /* slots; MAP_NONE: none */
	uint32_t first_free;
	uint64_t forgotten; /* alive when they had to make room */
};

/* What stands before each object. */
struct object_slot {
	uint64_t key;
	uint32_t older, younger; /* slots; MAP_NONE: none; younger of a free one: the next free */
};

void object_pool_init(struct object_pool *pool, const struct object_pool_setup *setup);
void object_pool_release(struct object_pool *pool);
/* All are gone, and were not forgotten. */
void object_pool_clear(struct object_pool *pool);
/*
 * The object of that key, now the youngest; a new one, all zero, where there was none. Pointers to
 * objects of the pool are valid until the next put.
 */
void *object_pool_put(struct object_pool *pool, uint64_t key);
/* Removes the object, which may be read until the next put; NULL where there is none. */
const void *object_pool_take(struct object_pool *pool, uint64_t key);

static inline uint32_t object_pool_count(const struct object_pool *pool)
{
	return (uint32_t)pool->by_key.count;
}

static inline struct object_slot *object_pool_slot(const struct object_pool *pool, uint32_t index)
{
	return (void *)(pool->slot + index * pool->slot_bytes);
}

/* NULL for MAP_NONE. */
static inline void *object_pool_at(const struct object_pool *pool, uint32_t index)
{
	return index == MAP_NONE ? NULL : object_pool_slot(pool, index) + 1;
}

/* The next younger one; NULL: it is the youngest. */
static inline void *object_pool_next(const struct object_pool *pool, const void *object)
{
	return object_pool_at(pool, ((const struct object_slot *)object - 1)->younger);
}

static inline uint64_t object_pool_key(const void *object)
{
	return ((const struct object_slot *)object - 1)->key;
}

/* Each object of the pool, oldest first; nothing may be put or taken meanwhile. */
#define OBJECT_POOL_EACH(pool, object)                                                        \
	for ((object) = object_pool_at(pool, (pool)->oldest); (object);                       \
	     (object) = object_pool_next(pool, object))

/* NULL where there is none. */
static inline void *object_pool_find(const struct object_pool *pool, uint64_t key)
{
	uint32_t index = map_get(&pool->by_key, key);

	return index == MAP_NONE ? NULL : object_pool_slot(pool, index) + 1;
}
