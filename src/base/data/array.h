/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing plain arrays. ARRAY_GROW makes room for one more element; if there is none, it doubles
 * the capacity, so that appending is amortised O(1). The C library moves large blocks by page
 * tables, and their unused half takes no memory.
 *
 *	struct x *item; size_t count, capacity;
 *	ARRAY_GROW(item, count, capacity);
 *	item[count++] = ...;
 *
 * ARRAY_ADD does that and is the new element, to be assigned:
 *	ARRAY_ADD(item, count, capacity) = ...;
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The value that is assigned must not depend on the array's members. */
#define ARRAY_ADD(array, count, capacity)                                             \
	(*((count) < (capacity)                                                       \
	           ? (void)0                                                          \
	           : (void)((capacity) = (capacity) ? (capacity)*2 : 8,               \
	                    (array) = xreallocarray((array), (capacity), sizeof(*(array)))), \
	   &(array)[(count)++]))

/* Adds elements that are all zero until there is one at `index`. */
#define ARRAY_REACH(array, count, capacity, index)                                    \
	while ((count) <= (index)) {                                                  \
		ARRAY_GROW(array, count, capacity);                                   \
		memset(&(array)[(count)++], 0, sizeof(*(array)));                     \
	}

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

static inline uint64_t array_u64(const void *items, size_t size, size_t at)
{
	return *(const uint64_t *)(const void *)((const char *)items + at * size);
}

/* The same for a uint64_t. If it is not the first member, `items` points to this member of the
   first item. */
static inline size_t array_lower_bound_u64(const void *items, size_t count, size_t size,
                                           uint64_t key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (array_u64(items, size, middle) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Index of the first item that is more than t; *hint is what the last search found, as most
   searches go on in order. */
static inline size_t array_after_u64(const void *items, size_t count, size_t size, uint64_t t,
                                     size_t *hint)
{
	size_t at = *hint, next = at + 2;

	for (; at < count && at < next; at++)
		if (array_u64(items, size, at) > t &&
		    (at == 0 || array_u64(items, size, at - 1) <= t))
			break;
	if (count && (at >= count || at == next))
		at = array_lower_bound_u64(items, count, size, t + 1);
	return *hint = at;
}

/* How many elements are `before` what is searched for: an expression of `it`, a pointer to one,
   that is true of none behind one of which it is false. */
#define ARRAY_BEFORE(it, array, count, before)                                                \
	__extension__({                                                                       \
		size_t low_ = 0, high_ = (count);                                             \
		while (low_ < high_) {                                                        \
			size_t middle_ = low_ + (high_ - low_) / 2;                           \
			__typeof__((array) + 0) it = &(array)[middle_];                       \
			if (before)                                                           \
				low_ = middle_ + 1;                                           \
			else                                                                  \
				high_ = middle_;                                              \
		}                                                                             \
		low_;                                                                         \
	})

/* Index of the first item of which `member`, an instant by which the items are sorted, is after t;
   `count` if there is none. `array` may be NULL if it is empty. */
#define ARRAY_AFTER(array, count, member, t)                                                  \
	((count) ? array_lower_bound_u64(&(array)->member, (count), sizeof(*(array)), (t) + 1) : 0)
