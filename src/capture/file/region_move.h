/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves a region of a file towards its begin, over a hole, in steps. After each step all its bytes
 * are in one place or in both; datfile_settle.h lists the ways.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "source/stream/stream_regions.h"

struct region_mover {
	int fd;
	uint64_t block; /* regions share no block of this size */
	bool can_cut, can_share;
	uint8_t *memory;
};

struct region_move {
	uint64_t at, target, bytes; /* target < at; both multiples of the file system's blocks */
	uint64_t done;              /* bytes at the target */
	bool is_whole;              /* the region moves in one step, as the hole is at least as
	                               large */
};

void region_mover_init(struct region_mover *mover, int fd, uint64_t block);
void region_mover_release(struct region_mover *mover);
/* Whether blocks are moved on the disk. Then write all pages before: otherwise the kernel would
   wait for that in the middle of a step. */
bool region_mover_needs_disk(const struct region_mover *mover);
/* Writes the piece to the disk and waits for it. */
void region_mover_write(const struct region_mover *mover, const struct region_piece *piece);
/*
 * One step: move->done grows, and *ret_hole is the freed piece, not yet a hole. If the whole region
 * moves because the hole is cut out of the file, *ret_cut is the number of bytes by which the file
 * became shorter, and `done` stays. Returns 0 or -errno.
 */
int region_mover_step(struct region_mover *mover, struct region_move *move,
                      struct region_piece *ret_hole, uint64_t *ret_cut);
/* Punches a hole where a step freed a piece. */
void region_mover_free(struct region_mover *mover, const struct region_piece *hole);
