/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons for qsort(), by one member after the other, and the largest of an array:
 *
 *	ORDER_FUNCTION(cost_compare, struct cost, FALLING(x, y, total), RISING(x, y, track))
 *	qsort(list->cost, list->count, sizeof(*list->cost), cost_compare);
 *	most = ORDER_MOST(it, list->cost, list->count, it->kind == kind, it->total);
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* x and y: pointers to what is compared; the members are numbers or bools. */
#define RISING(x, y, member)  (((x)->member > (y)->member) - ((x)->member < (y)->member))
#define FALLING(x, y, member) RISING(y, x, member)

/* The first one that is not 0. */
#define ORDER_BY(...) order_first((int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))

static inline int order_first(const int *order, size_t count)
{
	while (count > 1 && *order == 0) {
		order++;
		count--;
	}
	return *order;
}

/* Defines a comparison of two elements of that type, x and y, by these in turn. */
#define ORDER_FUNCTION(name, type, ...)                                                           \
	static int name(const void *a, const void *b)                                             \
	{                                                                                         \
		const type *x = a;                                                                \
		const type *y = b;                                                                \
                                                                                                  \
		return ORDER_BY(__VA_ARGS__);                                                     \
	}

/* The element with the largest `value`, of those that are `wanted`; both are expressions of `it`, a
   pointer to an element. The first of equal ones; NULL: none has a value above 0. */
#define ORDER_MOST(it, array, count, wanted, value)                                               \
	__extension__({                                                                           \
		__typeof__((array) + 0) most_ = NULL;                                              \
		uint64_t largest_ = 0;                                                            \
		for (size_t at_ = 0; at_ < (count); at_++) {                                      \
			__typeof__(most_) it = &(array)[at_];                                     \
			uint64_t value_ = (wanted) ? (value) : 0;                                 \
			if (value_ <= largest_)                                                   \
				continue;                                                         \
			largest_ = value_;                                                        \
			most_ = it;                                                               \
		}                                                                                 \
		most_;                                                                            \
	})
