/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "place_rows.h"

#include <string.h>

#include "base/function_name.h"

const struct place_group *const place_groups[PLACE_GROUP_COUNT] = {
	&place_rows_calls, &place_rows_devices, &place_rows_files, &place_rows_kernel,
	&place_rows_locks, &place_rows_memory,  &place_rows_net,
};

/* Rows have numbers by group: a group has at most so many. */
#define GROUP_ROWS_MAX 1024u

/* Hash of the name without what the compiler appends. */
static uint64_t function_hash(const char *name)
{
	uint64_t hash = 0;

	for (; *name && *name != '.'; name++)
		hash = hash_mix(hash, (uint8_t)*name);
	return hash;
}

static void place_index_fill(struct place_index *index)
{
	map_init(&index->by_hash);
	for (uint32_t group = 0; group < PLACE_GROUP_COUNT; group++)
		for (uint32_t row = 0; row < place_groups[group]->count; row++) {
			uint64_t hash = function_hash(place_groups[group]->row[row].function);
			uint32_t other;

			MAP_HASH_EACH(&index->by_hash, hash, other)
				;
			map_put(&index->by_hash, hash, group * GROUP_ROWS_MAX + row);
		}
}

const struct place_row *place_index_find(struct place_index *index, const char *function)
{
	uint64_t hash = function_hash(function);
	uint32_t at;

	if (!index->by_hash.slot)
		place_index_fill(index);
	MAP_HASH_EACH(&index->by_hash, hash, at) {
		const struct place_group *group = place_groups[at / GROUP_ROWS_MAX];
		const struct place_row *row = &group->row[at % GROUP_ROWS_MAX];

		if (function_is(function, row->function))
			return row;
	}
	return NULL;
}

void place_index_release(struct place_index *index)
{
	if (index->by_hash.slot)
		map_release(&index->by_hash);
}
