/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves a region of a file towards its begin, over a hole, in steps after each of which all bytes
 * of it stand in one place or in both; see datfile_settle.h for the ways.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "source/stream_regions.h"

struct region_mover {
	int fd;
	uint64_t block; /* no two regions have bytes in the same one */
	bool can_cut, can_share;
	uint8_t *memory;
};

struct region_move {
	uint64_t at, target, bytes; /* target < at; both multiples of the file system's blocks */
	uint64_t done;              /* bytes that stand at the target */
	bool is_whole;              /* in one step, over a hole of as many bytes at least */
};

void region_mover_init(struct region_mover *mover, int fd, uint64_t block);
void region_mover_release(struct region_mover *mover);
/*
 * Blocks are moved on the disk: the kernel would wait in the midst of a step, for as long as that
 * takes, until all pages have been written there.
 */
bool region_mover_needs_disk(const struct region_mover *mover);
/* Has the piece written to the disk, and waits for it. */
void region_mover_write(const struct region_mover *mover, const struct region_piece *piece);
/*
 * One step: move->done grows, and *ret_hole is what has become free and is not a hole yet. Where
 * the whole region moves by cutting the hole out of the file *ret_cut is how much shorter the file
 * became; `done` stays. Returns 0 or -errno.
 */
int region_mover_step(struct region_mover *mover, struct region_move *move,
                      struct region_piece *ret_hole, uint64_t *ret_cut);
/* Makes a hole of what a step left behind. */
void region_mover_free(struct region_mover *mover, const struct region_piece *hole);
