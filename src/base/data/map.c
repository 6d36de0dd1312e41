/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "map.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"

#define MAP_SLOTS_FIRST_LOG2 6

static void map_allocate(struct map *map, uint32_t log2)
{
	uint32_t slots = 1u << log2;

	map->slot = xreallocarray(NULL, slots, sizeof(*map->slot));
	map->mask = slots - 1;
	map->shift = 64 - log2;
	map_clear(map);
}

void map_init(struct map *map)
{
	map_allocate(map, MAP_SLOTS_FIRST_LOG2);
}

void map_release(struct map *map)
{
	free(map->slot);
	*map = (struct map){0};
}

void map_clear(struct map *map)
{
	for (uint32_t at = 0; at <= map->mask; at++)
		map->slot[at].value = MAP_NONE;
	map->count = 0;
}

static void map_double(struct map *map)
{
	struct map old = *map;

	map_allocate(map, 64 - old.shift + 1);
	for (uint32_t at = 0; at <= old.mask; at++)
		if (old.slot[at].value != MAP_NONE)
			map_put(map, old.slot[at].key, old.slot[at].value);
	free(old.slot);
}

void map_put(struct map *map, uint64_t key, uint32_t value)
{
	uint32_t at;

	assert(value != MAP_NONE);
	if (map->count * 2 > map->mask)
		map_double(map);
	at = map_home(map, key);
	while (map->slot[at].value != MAP_NONE && map->slot[at].key != key)
		at = (at + 1) & map->mask;
	if (map->slot[at].value == MAP_NONE)
		map->count++;
	map->slot[at] = (struct map_slot){key, value};
}

/* Closes the hole at `at`: a later entry of the same run moves into it, unless that would be before
   the entry's home slot. */
static void map_close_hole(struct map *map, uint32_t at)
{
	uint32_t next = at;

	for (;;) {
		next = (next + 1) & map->mask;
		if (map->slot[next].value == MAP_NONE)
			break;
		if (((next - map_home(map, map->slot[next].key)) & map->mask) <
		    ((next - at) & map->mask))
			continue;
		map->slot[at] = map->slot[next];
		at = next;
	}
	map->slot[at].value = MAP_NONE;
}

uint32_t map_take(struct map *map, uint64_t key)
{
	uint32_t at = map_home(map, key);
	uint32_t value;

	while (map->slot[at].value != MAP_NONE && map->slot[at].key != key)
		at = (at + 1) & map->mask;
	value = map->slot[at].value;
	if (value == MAP_NONE)
		return MAP_NONE;
	map_close_hole(map, at);
	map->count--;
	return value;
}
