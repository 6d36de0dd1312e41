/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the frames of a flame graph lie: siblings side by side in the order of their texts, as
 * flame graphs have it, each within what its parent takes. Frames below a thousandth of all are
 * folded: of each parent one frame, the last, stands for all of its children that are so small
 * and what is above them. Positions and sizes are ns.
 */
#pragma once

#include "flame_tree.h"

#define FLAME_SHARE_MIN 1000 /* what is less than one of so many parts of all is folded */

struct flame_frame {
	uint32_t name;   /* in the tree's names; of a folded one: that of the empty text */
	uint32_t folded; /* frames of paths that it stands for; 0: it is one itself */
	unsigned level;  /* 0: all */
	enum path_frame_kind kind;
	nsec_t begin, total;
	nsec_t self; /* what its children do not take; of a folded one 0 */
	uint64_t count;
};

struct flame_layout {
	struct flame_frame *frame; /* frames before their children, these in order of begin */
	size_t count, capacity;
	unsigned levels;
	unsigned kinds; /* a bit for each enum path_frame_kind that occurs above level 0 */
	nsec_t total;
	uint64_t folded; /* frames of paths that are, all together, and their time */
	nsec_t folded_total;
};

/* `tree` is any, also one without paths: then there is no frame. */
void flame_layout_make(struct flame_layout *layout, const struct flame_tree *tree);
void flame_layout_release(struct flame_layout *layout);
