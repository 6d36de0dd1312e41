/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A binary heap in a plain array: the first of all elements in order is item[0], and no element
 * comes before its parent. These are macros, so that elements have their type and the comparison is
 * inlined. is_before(const T *, const T *) is a strict order; if it is a total order, it alone
 * determines the order in which elements leave the heap. O(log count) each. All arguments but the
 * array are evaluated once.
 *
 *	item[count++] = added;                        // push
 *	HEAP_SIFT_UP(item, count - 1, is_before);
 *
 *	item[0] = item[--count];                      // pop; or item[0] = replacement
 *	HEAP_SIFT_DOWN(item, count, 0, is_before);
 *
 *	for (size_t at = count / 2; at-- > 0;)        // make a heap of any array, O(count)
 *		HEAP_SIFT_DOWN(item, count, at, is_before);
 */
#pragma once

#include <stddef.h>

/* Moves the element at that place down to where it belongs; does nothing to an empty heap. */
#define HEAP_SIFT_DOWN(item, count, at, is_before)                                             \
	do {                                                                                   \
		const size_t count_ = (count);                                                 \
		size_t at_ = (at), child_;                                                     \
		__typeof__(*(item)) moved_;                                                    \
                                                                                               \
		if (at_ >= count_)                                                             \
			break;                                                                 \
		moved_ = (item)[at_];                                                          \
		for (; (child_ = 2 * at_ + 1) < count_; at_ = child_) {                        \
			if (child_ + 1 < count_ &&                                             \
			    is_before(&(item)[child_ + 1], &(item)[child_]))                   \
				child_++;                                                      \
			if (!is_before(&(item)[child_], &moved_))                              \
				break;                                                         \
			(item)[at_] = (item)[child_];                                          \
		}                                                                              \
		(item)[at_] = moved_;                                                          \
	} while (0)

/* Moves the element at that place up to where it belongs. */
#define HEAP_SIFT_UP(item, at, is_before)                                                      \
	do {                                                                                   \
		size_t at_ = (at);                                                             \
		__typeof__(*(item)) moved_ = (item)[at_];                                      \
                                                                                               \
		for (; at_ > 0 && is_before(&moved_, &(item)[(at_ - 1) / 2]);                  \
		     at_ = (at_ - 1) / 2)                                                      \
			(item)[at_] = (item)[(at_ - 1) / 2];                                   \
		(item)[at_] = moved_;                                                          \
	} while (0)
