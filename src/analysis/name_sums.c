/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "name_sums.h"

#include <stdlib.h>

#include "base/data/array.h"

void name_sums_init(struct name_sums *sums)
{
	*sums = (struct name_sums){0};
	map_init(&sums->by_comm);
}

void name_sums_release(struct name_sums *sums)
{
	free(sums->sum);
	map_release(&sums->by_comm);
}

void name_sums_add(struct name_sums *sums, uint32_t comm, nsec_t time)
{
	uint32_t index;

	if (time == 0)
		return;
	sums->total += time;
	index = map_get(&sums->by_comm, comm);
	if (index == MAP_NONE) {
		index = (uint32_t)sums->count;
		map_put(&sums->by_comm, comm, index);
		ARRAY_GROW(sums->sum, sums->count, sums->capacity);
		sums->sum[sums->count++] = (struct name_sum){comm, 0};
	}
	sums->sum[index].total += time;
}

static int sum_compare(const void *a, const void *b)
{
	const struct name_sum *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->comm < y->comm ? -1 : x->comm > y->comm;
}

void name_sums_sort(struct name_sums *sums)
{
	array_sort(sums->sum, sums->count, sizeof(*sums->sum), sum_compare);
}
