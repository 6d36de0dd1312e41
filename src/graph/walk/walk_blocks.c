/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk_blocks.h"

#include <assert.h>

#include "graph/timeline/timeline.h"

void walk_blocks_init(struct walk_blocks *blocks, const struct walk_block_hooks *hooks)
{
	*blocks = (struct walk_blocks){.hooks = hooks};
	tally_init(&blocks->tally, sizeof(struct walk_block), sizeof(struct walk_block),
	           TALLY_NO_LIMIT);
}

void walk_blocks_forget(struct walk_blocks *blocks)
{
	for (size_t i = 0; i < blocks->count; i++)
		if (blocks->block[i].sums)
			blocks->hooks->free(blocks->block[i].sums);
	tally_clear(&blocks->tally);
}

void walk_blocks_release(struct walk_blocks *blocks)
{
	walk_blocks_forget(blocks);
	tally_release(&blocks->tally);
	*blocks = (struct walk_blocks){0};
}

uint32_t walk_blocks_find(struct walk_blocks *blocks, uint32_t track, unsigned level, size_t number,
                          bool *ret_is_new)
{
	uint64_t key = (uint64_t)track << 40 | (uint64_t)level << 36 | number;
	const struct walk_block *block = tally_get(&blocks->tally, key);

	_Static_assert(TRACKS_MAX <= 1u << 24, "a track's number fits into a key");
	assert(level < WALK_BLOCK_LEVELS && track < TRACKS_MAX && number < (size_t)1 << 31);
	*ret_is_new = !block;
	if (!block)
		block = tally_make(&blocks->tally, key, &(struct walk_block){0});
	return tally_number(&blocks->tally, block);
}
