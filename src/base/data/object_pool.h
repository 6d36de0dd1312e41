/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of one size by 64-bit keys, with a limit on their number. If an object is added to a full
 * pool, the oldest object is forgotten: the one that was put longest ago. A lookup does not make an
 * object younger: most objects are about to end when they are looked up, and the lookup needs only
 * one probe. Callers take objects out that have ended, so that only live objects take room; if a
 * live object is forgotten, the pool counts it.
 *
 *	put 1, put 2, put 3, put 1    oldest [2 3 1] youngest
 *	take 3                               [2 1]
 *
 * O(1) expected, without an allocation per object. Memory: object_bytes + 16 for each object of the
 * most that there were at once, and the map (map.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"

struct object_pool_setup {
	size_t object_bytes;
	uint32_t limit;   /* at least 1 */
	const char *kind; /* "timers", for reports of what was forgotten; NULL */
	/* Whether a forgotten object was alive; NULL: all objects are. */
	bool (*is_alive)(const void *object);
};

struct object_pool {
	struct object_pool_setup setup;
	struct map by_key; /* slot */
	char *slot;        /* slot_bytes each; see struct object_slot */
	size_t slot_bytes, slot_count, slot_capacity;
	uint32_t oldest, youngest; /* slots; MAP_NONE: none */
	uint32_t first_free;
	uint64_t forgotten; /* number of objects that were forgotten while they were alive */
};

/* Precedes each object. */
struct object_slot {
	uint64_t key;
	uint32_t older, younger; /* slots; MAP_NONE: none. In a free slot, younger is the next
	                            free slot */
};

void object_pool_init(struct object_pool *pool, const struct object_pool_setup *setup);
void object_pool_release(struct object_pool *pool);
/* Removes all objects, which do not count as forgotten. */
void object_pool_clear(struct object_pool *pool);
/* The object of that key, which becomes the youngest; if there is none, makes one that is all zero.
   Pointers to objects of the pool are valid until the next put. */
void *object_pool_put(struct object_pool *pool, uint64_t key);
/* Removes the object, which may be read until the next put; NULL if there is none. */
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

/* The next younger object; NULL: `object` is the youngest. */
static inline void *object_pool_next(const struct object_pool *pool, const void *object)
{
	return object_pool_at(pool, ((const struct object_slot *)object - 1)->younger);
}

static inline uint64_t object_pool_key(const void *object)
{
	return ((const struct object_slot *)object - 1)->key;
}

/* Visits each object of the pool, oldest first; nothing may be put or taken meanwhile. */
#define OBJECT_POOL_EACH(pool, object)                                                        \
	for ((object) = object_pool_at(pool, (pool)->oldest); (object);                       \
	     (object) = object_pool_next(pool, object))

/* The object of that key; NULL if there is none. */
static inline void *object_pool_find(const struct object_pool *pool, uint64_t key)
{
	uint32_t index = map_get(&pool->by_key, key);

	return index == MAP_NONE ? NULL : object_pool_slot(pool, index) + 1;
}
