/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions of the frames of a flame graph: each frame is within its parent, and siblings are side
 * by side in the order of their texts, as usual. Frames that are less than a thousandth of the
 * whole are folded: the last frame of each parent stands for all children that are so small, and
 * for their descendants. Positions and sizes are in ns.
 */
#pragma once

#include "flame_tree.h"

#define FLAME_SHARE_MIN 1000 /* frames that are less than the whole divided by this are folded */

struct flame_frame {
	uint32_t name;   /* id in the tree's names; if the frame is folded, the id of the empty
	                    text */
	uint32_t folded; /* number of frames that it stands for; 0: it is not folded */
	unsigned level;  /* 0: all */
	enum path_frame_kind kind;
	nsec_t begin, total;
	nsec_t self; /* the time that its children do not take; 0 if folded */
	uint64_t count;
};

struct flame_layout {
	struct flame_frame *frame; /* parents before their children; siblings in order of begin */
	size_t count, capacity;
	unsigned levels;
	unsigned kinds; /* a bit for each enum path_frame_kind that occurs above level 0 */
	nsec_t total;
	uint64_t folded; /* number of all folded frames; folded_total: their time */
	nsec_t folded_total;
};

/* Makes the layout. If the tree has no paths, there are no frames. */
void flame_layout_make(struct flame_layout *layout, const struct flame_tree *tree);
void flame_layout_release(struct flame_layout *layout);
