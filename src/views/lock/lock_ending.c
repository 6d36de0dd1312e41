/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_ending.h"

#include <stdlib.h>

#include "base/array.h"
#include "graph/timeline.h"

static int ending_share_compare(const void *a, const void *b)
{
	const struct lock_share *x = *(const struct lock_share *const *)a;
	const struct lock_share *y = *(const struct lock_share *const *)b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->waiter < y->waiter ? -1 : x->waiter > y->waiter;
}

static int ending_compare(const void *a, const void *b)
{
	const struct lock_ending *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->waited != y->waited)
		return x->waited > y->waited ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The number of neighbouring shares that have the same waiter and waker. */
static uint64_t shares_of_pair(const struct lock_share *const *share, size_t left, size_t *ret_used)
{
	uint64_t count = 0;
	size_t i = 0;

	for (; i < left && share[i]->owner == share[0]->owner &&
	       share[i]->waiter == share[0]->waiter; i++)
		count += share[i]->figures.length.count - share[i]->figures.open;
	*ret_used = i;
	return count;
}

struct lock_ending *lock_endings(const struct lock_share *const *share, size_t share_count,
                                 enum lock_kind kind, size_t *ret_count, uint64_t *ret_all)
{
	/* NOLINTNEXTLINE: pointers are meant */
	const struct lock_share **sorted = xcalloc(share_count, sizeof(*sorted));
	struct lock_ending *ending = xcalloc(share_count, sizeof(*ending));
	size_t count = 0, used;

	for (size_t i = 0; i < share_count; i++)
		sorted[i] = share[i];
	array_sort(sorted, share_count, sizeof(*sorted), ending_share_compare); /* NOLINT */
	for (size_t i = 0; i < share_count; i += used) {
		uint64_t times = shares_of_pair(sorted + i, share_count - i, &used);
		struct lock_ending *last = count ? &ending[count - 1] : NULL;

		if (!last || last->line != sorted[i]->owner) {
			last = &ending[count++];
			last->line = sorted[i]->owner;
		}
		if (kind != LOCK_BARRIER)
			last->count += times;
		else if (last->count < times)
			last->count = times;
		for (size_t j = i; j < i + used; j++)
			last->waited += sorted[j]->figures.length.total;
	}
	*ret_all = 0;
	for (size_t i = 0; i < count; i++)
		*ret_all += ending[i].count;
	if (count && ending[count - 1].line == LINE_NONE)
		count--;
	array_sort(ending, count, sizeof(*ending), ending_compare);
	free(sorted); /* NOLINT */
	*ret_count = count;
	return ending;
}
