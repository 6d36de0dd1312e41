/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "place_rows.h"

#include "base/assume.h"
#include "base/code/code_part.h"
#include "base/data/array.h"

const struct place_row *const place_groups[PLACE_GROUP_COUNT] = {
	place_rows_io,
	place_rows_kernel,
};

/* Hash of the name without what the compiler appends, and without releases. */
static uint64_t function_hash(const char *name)
{
	uint64_t hash = 0;

	for (; *name && *name != '.' && *name != ' '; name++)
		hash = hash_mix(hash, (uint8_t)*name);
	return hash;
}

static void place_index_add(struct place_index *index, const char *name,
                            const struct place_row *row)
{
	uint64_t hash = function_hash(name);
	uint32_t other;

	ASSUME(strchr(name, ' '));
	MAP_HASH_EACH(&index->by_hash, hash, other)
		;
	map_put(&index->by_hash, hash, (uint32_t)index->count);
	ARRAY_GROW(index->function, index->count, index->capacity);
	index->function[index->count++] = (struct placed_function){name, row};
}

static void place_index_fill(struct place_index *index)
{
	map_init(&index->by_hash);
	for (size_t group = 0; group < PLACE_GROUP_COUNT; group++)
		for (const struct place_row *row = place_groups[group]; row->functions; row++)
			for (const char *name = row->functions; name;
			     name = place_function_next(name))
				place_index_add(index, name, row);
}

const struct place_row *place_index_find(struct place_index *index, const char *function)
{
	uint64_t hash = function_hash(function);
	uint32_t at;

	if (!index->by_hash.slot)
		place_index_fill(index);
	ASSUME(index->count > 0);
	MAP_HASH_EACH(&index->by_hash, hash, at) {
		const char *name = index->function[at].name;

		if (function_is_of(function, name, strcspn(name, " ")))
			return index->function[at].row;
	}
	return NULL;
}

void place_index_release(struct place_index *index)
{
	if (index->by_hash.slot)
		map_release(&index->by_hash);
	free(index->function);
	*index = (struct place_index){0};
}
