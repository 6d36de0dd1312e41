/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree by labels, for text: all that has one label below one parent is one level, and the
 * figures of a level sum what is added there and below.
 */
#pragma once

#include "base/buffer.h"
#include "base/intern.h"
#include "base/map.h"
#include "ftwait/report.h"

#define LEVELS_MAX 1000000

struct level {
	uint32_t label;          /* id within labels */
	uint32_t tag;            /* for the caller's use */
	uint32_t parent;
	uint32_t child, sibling; /* 0: none; children are unordered */
	uint32_t child_count;
	uint32_t added_count;    /* what was added here and below */
	bool has_figures;        /* level_tree_set() has set the figures */
	struct figures figures;
};

struct level_tree {
	struct intern labels;
	struct map by_parent; /* parent << 32 | label -> level */
	struct level *level;  /* level[0] is the root */
	size_t count, capacity;
};

void level_tree_init(struct level_tree *tree);
void level_tree_release(struct level_tree *tree);
/* Whether there is room for that many more levels. */
static inline bool level_tree_has_room(const struct level_tree *tree, size_t levels)
{
	return tree->count + levels <= LEVELS_MAX;
}

/* The level of that label below `parent`; if there is none, makes it, with the tag. Empties
   `label`. */
uint32_t level_tree_below(struct level_tree *tree, uint32_t parent, struct buffer *label,
                          uint32_t tag);
/* Adds to the level and all its ancestors; returns the outermost of these, a root. */
uint32_t level_tree_add(struct level_tree *tree, uint32_t level, const struct figures *figures);
/* Sets how many there were and the longest, which the caller knows better; the total stays the
   sum. */
void level_tree_set(struct level_tree *tree, uint32_t level, const struct figures *figures);

/* Fills in the cause that the level's label words, by its tag; false: it words none. */
typedef bool level_cause(const void *state, uint32_t tag, struct cause *ret);

const char *level_tree_label(const struct level_tree *tree, uint32_t level);
/* The level is shown with that label, but still found by its own. Empties `label`. */
void level_tree_name(struct level_tree *tree, uint32_t level, struct buffer *label);
/* Shows the levels; completes *shown for each. The presenter must support trees, with all their
   hooks. */
void level_tree_show(const struct level_tree *tree, const struct tree *shown, level_cause *cause,
                     const void *state, const struct output *to);
