/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing plain arrays. ARRAY_GROW makes room for one more element and doubles the capacity when
 * there is none, so that appending is amortised O(1); big blocks are moved by the C library
 * through page tables and their unused half costs no memory.
 *
 *	struct x *item; size_t count, capacity;
 *	ARRAY_GROW(item, count, capacity);
 *	item[count++] = ...;
 */
#pragma once

#include "xalloc.h"

#define ARRAY_GROW(array, count, capacity)                                            \
	do {                                                                          \
		if ((count) >= (capacity)) {                                          \
			(capacity) = (capacity) ? (capacity)*2 : 8;                   \
			(array) = xreallocarray((array), (capacity), sizeof(*(array))); \
		}                                                                     \
	} while (0)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
