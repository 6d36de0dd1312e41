/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk_blocks.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "graph/timeline/timeline.h"

void walk_blocks_init(struct walk_blocks *blocks, const struct walk_block_hooks *hooks)
{
	*blocks = (struct walk_blocks){.hooks = hooks};
	map_init(&blocks->by_place);
}

void walk_blocks_forget(struct walk_blocks *blocks)
{
	for (size_t i = 0; i < blocks->count; i++)
		if (blocks->block[i].sums)
			blocks->hooks->free(blocks->block[i].sums);
	blocks->count = 0;
	map_clear(&blocks->by_place);
}

void walk_blocks_release(struct walk_blocks *blocks)
{
	walk_blocks_forget(blocks);
	map_release(&blocks->by_place);
	free(blocks->block);
	*blocks = (struct walk_blocks){0};
}

uint32_t walk_blocks_find(struct walk_blocks *blocks, uint32_t track, unsigned level, size_t number,
                          bool *ret_is_new)
{
	uint64_t key = (uint64_t)track << 40 | (uint64_t)level << 36 | number;
	uint32_t index = map_get(&blocks->by_place, key);

	_Static_assert(TRACKS_MAX <= 1u << 24, "a track's number fits into a key");
	*ret_is_new = index == MAP_NONE;
	if (index != MAP_NONE)
		return index;
	ARRAY_GROW(blocks->block, blocks->count, blocks->capacity);
	blocks->block[blocks->count] = (struct walk_block){0};
	map_put(&blocks->by_place, key, (uint32_t)blocks->count);
	return (uint32_t)blocks->count++;
}
