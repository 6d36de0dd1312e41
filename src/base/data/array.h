/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing plain arrays. ARRAY_GROW makes room for one more element; if there is none, it doubles
 * the capacity, so that appending is amortised O(1). The C library moves large blocks by page
 * tables, and their unused half takes no memory.
 *
 *	struct x *item; size_t count, capacity;
 *	ARRAY_GROW(item, count, capacity);
 *	item[count++] = ...;
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/xalloc.h"

#define ARRAY_GROW(array, count, capacity) ARRAY_GROW_FROM(array, count, capacity, 8)

/* The same for many small arrays: `first` is the first capacity, the number of elements that most
   of them have. */
#define ARRAY_GROW_FROM(array, count, capacity, first)                                \
	do {                                                                          \
		if ((count) >= (capacity)) {                                          \
			(capacity) = (capacity) ? (capacity)*2 : (first);             \
			(array) = xreallocarray((array), (capacity), sizeof(*(array))); \
		}                                                                     \
	} while (0)

/* qsort() of an array that may be NULL if empty. */
static inline void array_sort(void *items, size_t count, size_t size,
                              int (*compare)(const void *, const void *))
{
	if (count > 1)
		qsort(items, count, size, compare);
}

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * `count` items of `size` bytes are sorted by their first member, a uint32_t. Returns the index of
 * the first one that is not less than the key; `count` if all are less.
 */
static inline size_t array_lower_bound(const void *items, size_t count, size_t size, uint32_t key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const uint32_t *first = (const void *)((const char *)items + middle * size);

		if (*first < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same for a uint64_t. If it is not the first member, `items` points to this member of the
   first item. */
static inline size_t array_lower_bound_u64(const void *items, size_t count, size_t size,
                                           uint64_t key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const uint64_t *first = (const void *)((const char *)items + middle * size);

		if (*first < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
