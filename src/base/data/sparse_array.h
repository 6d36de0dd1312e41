/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sparse array: objects of one size by number, each created on first use, with a stable address
 * until it is dropped. A lookup takes two loads; a loop over all is O(most objects that there were
 * at once). Memory: a pointer for each number up to the highest that had an object, and for each
 * object its size and 8 bytes; the room of dropped objects is reused.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/assume.h"

#define SPARSE_CHUNK 64u /* objects that are allocated at once */

struct sparse_array {
	size_t object_bytes; /* including its head */
	void **object_of;    /* by number; NULL: none */
	size_t number_count;
	char **chunk;        /* chunks of SPARSE_CHUNK places */
	size_t chunk_count, chunk_capacity;
	uint32_t place_count; /* used so far */
	uint32_t first_free;  /* place + 1; 0: none */
	uint32_t count;
};

#define SPARSE_FREE UINT32_MAX

/* Precedes each object. */
struct sparse_head {
	uint32_t number; /* SPARSE_FREE: dropped */
	uint32_t place;  /* its own + 1; of a dropped object the next free one + 1 */
};

void sparse_array_init(struct sparse_array *array, size_t object_bytes);
void sparse_array_release(struct sparse_array *array);
/* The object of that number (below SPARSE_FREE); all bytes are 0 if it is new. */
void *sparse_array_get(struct sparse_array *array, uint32_t number);
/* Drops the object; does nothing if there is none. */
void sparse_array_drop(struct sparse_array *array, uint32_t number);

static inline struct sparse_head *sparse_array_head(const struct sparse_array *array,
                                                    uint32_t place)
{
	return (void *)(array->chunk[place / SPARSE_CHUNK] +
	                place % SPARSE_CHUNK * array->object_bytes);
}

/* The object of a number that has one. */
static inline void *sparse_array_at(const struct sparse_array *array, uint32_t number)
{
	ASSUME(number < array->number_count && array->object_of[number]);
	return array->object_of[number];
}

/* The object of that number; NULL if there is none. */
static inline void *sparse_array_find(const struct sparse_array *array, uint32_t number)
{
	return number < array->number_count ? array->object_of[number] : NULL;
}

/* The next object at or after *place; moves *place past it. NULL: there is none. */
static inline void *sparse_array_next(const struct sparse_array *array, uint32_t *place,
                                      uint32_t *number)
{
	while (*place < array->place_count) {
		struct sparse_head *head = sparse_array_head(array, (*place)++);

		*number = head->number;
		if (head->number != SPARSE_FREE)
			return head + 1;
	}
	return NULL;
}

/* Visits each object with its number, in no order; it may be dropped meanwhile. uint32_t place,
   number. */
#define SPARSE_ARRAY_EACH(array, place, number, object)                                       \
	for ((place) = 0; ((object) = sparse_array_next((array), &(place), &(number)));)
