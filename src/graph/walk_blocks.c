/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk_blocks.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "walker.h"

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

/* Index of the block; *ret_is_new if it is met for the first time. */
static uint32_t blocks_find(struct walk_blocks *blocks, uint32_t line, unsigned level,
                            size_t number, bool *ret_is_new)
{
	uint64_t key = (uint64_t)line << 40 | (uint64_t)level << 36 | number;
	uint32_t index = map_get(&blocks->by_place, key);

	_Static_assert(LINES_MAX <= 1u << 24, "a line's number fits into a key");
	*ret_is_new = index == MAP_NONE;
	if (index != MAP_NONE)
		return index;
	ARRAY_GROW(blocks->block, blocks->count, blocks->capacity);
	blocks->block[blocks->count] = (struct walk_block){0};
	map_put(&blocks->by_place, key, (uint32_t)blocks->count);
	return (uint32_t)blocks->count++;
}

static size_t block_size(unsigned level)
{
	size_t size = WALK_BLOCK_SEGMENTS;

	while (level--)
		size *= WALK_BLOCK_SEGMENTS;
	return size;
}

/* The block is walked as usual, but separately from what is around it. */
static void walker_begin_block(struct walker *walker, uint32_t index, const struct line *line,
                               size_t first, size_t end)
{
	walker->block = index;
	walker->block_line = line;
	walker->block_first = first;
	walker->block_end = end;
	walker->block_depth = walker->deepest = walker->depth;
	walker->block_result = *walker->result;
	walker->visitor->blocks->hooks->begin(walker->visitor->state);
}

/* At least two segments have a length, so that no stretch within the block is all of it. */
static bool block_has_parts(const struct walker *walker)
{
	const struct segment *segment = walker->block_line->segment;
	unsigned count = 0;

	for (size_t at = walker->block_first; at < walker->block_end && count < 2; at++)
		count += segment[at].begin < segment[at + 1].begin;
	return count == 2;
}

void walker_end_block(struct walker *walker)
{
	struct walk_block *block = &walker->visitor->blocks->block[walker->block];
	bool is_kept = walker->result->cycles == walker->block_result.cycles &&
	               walker->result->truncations == walker->block_result.truncations &&
	               block_has_parts(walker);

	block->sums = walker->visitor->blocks->hooks->end(walker->visitor->state, is_kept);
	block->is_void = !block->sums;
	block->depth = (uint32_t)(walker->deepest - walker->block_depth);
	walker->block_depth = 0;
}

/* Whether the block's parts are the same wherever the walk comes from. */
static bool frame_takes_blocks(const struct walk_frame *frame, nsec_t begin)
{
	return begin >= frame->lo && !frame_is_cut(frame) && !frame->then_cause &&
	       (!frame->work || begin >= frame->work->as.work.begun);
}

/* Steps over the block if it is summed up, or begins to sum it up; true where it stepped. */
static bool walker_meet_block(struct walker *walker, const struct line *line, unsigned level,
                              size_t end)
{
	struct walk_frame *top = walker->top;
	struct walk_blocks *blocks = walker->visitor->blocks;
	size_t size = block_size(level), first = end - size;
	const struct walk_block *block;
	uint32_t index;
	bool is_new;

	index = blocks_find(blocks, top->line, level, first / size, &is_new);
	block = &blocks->block[index];
	if (is_new || block->is_void)
		return false;
	if (!block->sums) {
		if (walker->block_depth == 0 && top->confidence_max == CONFIDENCE_HIGH)
			walker_begin_block(walker, index, line, first, end);
		return false;
	}
	if (walker->depth + block->depth > walker->depth_max)
		return false;
	blocks->hooks->add(walker->visitor->state, block->sums, line->segment[first].begin,
	                   top->confidence_max);
	if (walker->deepest < walker->depth + block->depth)
		walker->deepest = walker->depth + block->depth;
	top->t = walker->told = line->segment[first].begin;
	top->place = NULL;
	return true;
}

bool walker_take_block(struct walker *walker, const struct line *line, size_t at)
{
	const struct walk_frame *top = walker->top;
	size_t end = at + 1;

	/* segments without length, at its end, belong to it */
	while (end % WALK_BLOCK_SEGMENTS && end < line->segment_count &&
	       line->segment[end].begin == top->t)
		end++;
	/* the last segment may still grow */
	if (end % WALK_BLOCK_SEGMENTS || end >= line->segment_count ||
	    line->segment[end].begin != top->t)
		return false;
	for (unsigned level = WALK_BLOCK_LEVELS; level-- > 0;) {
		size_t size = block_size(level);

		if (end % size || !frame_takes_blocks(top, line->segment[end - size].begin))
			continue;
		if (walker_meet_block(walker, line, level, end))
			return true;
	}
	return false;
}
