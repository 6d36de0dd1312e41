/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash map from 64-bit keys to 32-bit values, open addressing, at most half full. Any key is
 * allowed. Lookups and insertions are O(1) expected; removal shifts later entries back, so there
 * are no tombstones. MAP_NONE cannot be stored as a value.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_slot {
	uint64_t key;
	uint32_t value; /* MAP_NONE: free */
};

struct map {
	struct map_slot *slot;
	uint32_t mask; /* slots - 1 */
	uint32_t shift;
	size_t count;
};

void map_init(struct map *map);
void map_release(struct map *map);
/* Adds or overwrites. */
void map_put(struct map *map, uint64_t key, uint32_t value);
/* Removes the key if present; returns its value or MAP_NONE. */
uint32_t map_take(struct map *map, uint64_t key);
void map_clear(struct map *map);

/* For keys made of several words: mixes in one more word. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static inline uint32_t map_home(const struct map *map, uint64_t key)
{
	return (uint32_t)((key * 0x9e3779b97f4a7c15u) >> map->shift);
}

/* The value of the key; MAP_NONE if it is not present. */
static inline uint32_t map_get(const struct map *map, uint64_t key)
{
	uint32_t at = map_home(map, key);

	while (map->slot[at].value != MAP_NONE) {
		if (map->slot[at].key == key)
			return map->slot[at].value;
		at = (at + 1) & map->mask;
	}
	return MAP_NONE;
}

/*
 * For keys that are more than a number: their hash is the key of the map. Two keys may have the
 * same hash, so an entry is put at the hash of its key or, if that is taken, at the next free
 * number. The loop visits, in `value`, each entry that may belong to the key with that hash;
 * entries must never have been taken from the map. If no entry was the right one, `hash` is the
 * place for the new entry after the loop:
 *
 *	uint64_t hash = hash_mix(track, name);
 *	uint32_t index;
 *
 *	MAP_HASH_EACH(&rows->by_hash, hash, index)
 *		if (rows->row[index].track == track && rows->row[index].name == name)
 *			return &rows->row[index];
 *	map_put(&rows->by_hash, hash, rows->count);
 */
#define MAP_HASH_EACH(map, hash, value)                                                        \
	for (; ((value) = map_get(map, hash)) != MAP_NONE; (hash)++)
