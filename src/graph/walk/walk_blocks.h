/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of walks over whole blocks of segments, for visitors that only sum up: they need not walk
 * a stretch again for each task that waited through it. n waits for one task of m segments cost n +
 * m, not n * m.
 *
 *	segments  0 ... 63 | 64 ... 127 | ... | 4032 ... 4095 | 4096 ...
 *	level 0   block 0    block 1            block 63
 *	level 1   block 0                                       block 1
 *
 * What a walk reports for a segment that lies completely in the walked stretch does not depend on
 * where the walk came from, except for three things: the track may not be a child that is polled
 * for (walk_frame.is_cut), depth may be limited, and parts are at most as certain as the track. The
 * walker handles the first two, the code that adds the sums the third. Nor may a stretch explain
 * itself: a block in which that happens, or which is a single segment, is not kept.
 *
 * A block is walked as usual when it is met first. When it is met again the visitor collects its
 * parts separately (begin), and returns them as the block's sums (end); from then on it gets only
 * those (add). Blocks belong to one visitor, and to a timeline that is not trimmed meanwhile.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assume.h"
#include "ftwait/cause.h"
#include "ftwait/nsec.h"
#include "tally/tally.h"

#define WALK_BLOCK_SEGMENTS 64u /* segments of a block of level 0; a block of another level has so
                                   many blocks of the level below */
#define WALK_BLOCK_LEVELS   3u

struct walk_block {
	void *sums;     /* the visitor's own; NULL: none so far, or ever */
	uint32_t depth; /* the most tracks in it that wait for one another, besides its own */
	bool is_void;   /* it cannot be summed up */
};

/* `state` is the visitor's. Parts between begin and end are of the block alone. */
struct walk_block_hooks {
	void (*begin)(void *state);
	/* The walk has come to the block's begin. Adds what was collected where the walk is;
	   returns the sums, to be kept: NULL if they are not worth it, or `is_kept` is false. */
	void *(*end)(void *state, bool is_kept);
	/* Adds the sums where the walk is, which goes on at t. */
	void (*add)(void *state, const void *sums, nsec_t t, enum confidence confidence_max);
	void (*free)(void *sums);
};

struct walk_blocks {
	const struct walk_block_hooks *hooks;
	TALLY(tally, struct walk_block, block, count); /* by track, level and number */
};

/* Number of parts by enum confidence. */
static inline uint64_t walk_parts_count(const uint64_t *parts)
{
	return parts[CONFIDENCE_LOW] + parts[CONFIDENCE_MEDIUM] + parts[CONFIDENCE_HIGH];
}

/* Adds parts, none of which is more certain than that. */
static inline void walk_parts_add(uint64_t *parts, const uint64_t *added, enum confidence max)
{
	ASSUME(max <= CONFIDENCE_HIGH);
	for (unsigned of = CONFIDENCE_LOW; of <= CONFIDENCE_HIGH; of++)
		parts[of < max ? of : max] += added[of];
}

/* Whether so many parts became few enough sums; otherwise walking the block is just as cheap. */
static inline bool walk_block_folds(const uint64_t *parts, size_t sums)
{
	return sums * 2 <= walk_parts_count(parts);
}

void walk_blocks_init(struct walk_blocks *blocks, const struct walk_block_hooks *hooks);
void walk_blocks_release(struct walk_blocks *blocks);
/* The timeline is about to change: all sums become invalid. */
void walk_blocks_forget(struct walk_blocks *blocks);
/* Index of the block with that number on that level of the track; it is made if there is none.
   *ret_is_new: it is met for the first time. */
uint32_t walk_blocks_find(struct walk_blocks *blocks, uint32_t track, unsigned level, size_t number,
                          bool *ret_is_new);

/* How many segments a block of that level has. */
static inline size_t walk_block_size(unsigned level)
{
	size_t size = WALK_BLOCK_SEGMENTS;

	ASSUME(level < WALK_BLOCK_LEVELS);
	while (level--)
		size *= WALK_BLOCK_SEGMENTS;
	return size;
}
