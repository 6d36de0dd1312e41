/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "heavy_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

void heavy_sums_init(struct heavy_sums *sums, size_t element_bytes)
{
	*sums = (struct heavy_sums){.element_bytes = element_bytes};
	map_init(&sums->by_key);
}

void heavy_sums_release(struct heavy_sums *sums)
{
	free(sums->element);
	map_release(&sums->by_key);
}

static int heavy_sum_compare(const void *a, const void *b)
{
	const struct heavy_sum *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static void forget_lighter_half(struct heavy_sums *sums)
{
	array_sort(sums->element, sums->count, sums->element_bytes, heavy_sum_compare);
	sums->count /= 2;
	map_clear(&sums->by_key);
	for (size_t i = 0; i < sums->count; i++)
		map_put(&sums->by_key, heavy_sums_at(sums, i)->key, (uint32_t)i);
}

struct heavy_sum *heavy_sums_of(struct heavy_sums *sums, uint64_t key)
{
	uint32_t index = map_get(&sums->by_key, key);
	struct heavy_sum *sum;

	if (index != MAP_NONE)
		return heavy_sums_at(sums, index);
	if (!sums->element)
		sums->element = xcalloc(HEAVY_SUMS_MAX, sums->element_bytes);
	if (sums->count == HEAVY_SUMS_MAX)
		forget_lighter_half(sums);
	map_put(&sums->by_key, key, (uint32_t)sums->count);
	sum = heavy_sums_at(sums, sums->count++);
	memset(sum, 0, sums->element_bytes);
	sum->key = key;
	return sum;
}

void heavy_sums_add(struct heavy_sums *sums, const struct heavy_sum *more)
{
	struct heavy_sum *sum = heavy_sums_of(sums, more->key);

	sum->total += more->total;
	sum->count += more->count;
	sum->extra += more->extra;
}
