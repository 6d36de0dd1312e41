/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of one size by 64-bit keys, at most a limit of them at once. If an object is added to a
 * full pool, the oldest makes room: the one that was put longest ago. A lookup does not make an
 * object younger: most are about to end when they are looked up, and a lookup stays one probe.
 * Callers take out what has ended, so that only live objects count; a pool that makes room all the
 * same counts the live objects that it has forgotten.
 *
 * 	put 1, put 2, put 3, put 1    oldest [2 3 1] youngest
 * 	take 3                               [2 1]
 *
 * O(1) expected, without an allocation per object. Memory: for the most that there were at once,
 * object_bytes + 16 each and the map (map.h).
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
	/* Whether a forgotten object was alive; NULL: all are. */
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

/* Precedes each object. */
struct object_slot {
	uint64_t key;
	uint32_t older, younger; /* slots; MAP_NONE: none; younger: also the next free one */
};

void object_pool_init(struct object_pool *pool, const struct object_pool_setup *setup);
void object_pool_release(struct object_pool *pool);
/* Removes all; they do not count as forgotten. */
void object_pool_clear(struct object_pool *pool);
/*
 * The object of that key, now the youngest; a new one, all zero, if there was none. Pointers to
 * objects of the pool are valid until the next put.
 */
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

/* The next younger one; NULL: it is the youngest. */
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

/* NULL if there is none. */
static inline void *object_pool_find(const struct object_pool *pool, uint64_t key)
{
	uint32_t index = map_get(&pool->by_key, key);

	return index == MAP_NONE ? NULL : object_pool_slot(pool, index) + 1;
}
