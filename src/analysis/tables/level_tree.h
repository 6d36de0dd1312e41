/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of labels, for text. Everything with the same label below the same parent is one level;
   the figures of a level sum what is added to it and to the levels below. */
#pragma once

#include "analysis/analysis.h"
#include "base/data/intern.h"
#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "tally/tally.h"

#define LEVELS_MAX 1000000

struct level {
	uint32_t label;          /* id within labels */
	uint32_t tag;            /* for the caller's use */
	uint32_t end;            /* the caller may set it: what is added to this level itself, of
	                            which it may have evidence; 0: nothing */
	uint32_t parent;
	uint32_t child, sibling; /* 0: there is none; children are in no order */
	uint32_t child_count;
	uint32_t added_count;    /* number of additions to this level and below */
	const char *comm;        /* the caller may set it: all that is added to this level and below
	                            is of tasks of that name; borrowed */
	bool has_figures;        /* level_tree_set() has set the figures */
	struct figures figures;
};

struct level_tree {
	struct intern labels;
	TALLY(levels, struct level, level, count); /* by parent << 32 | label; level[0] is the
	                                              root */
};

void level_tree_init(struct level_tree *tree);
void level_tree_release(struct level_tree *tree);
/* Whether there is room for that many more levels. */
static inline bool level_tree_has_room(const struct level_tree *tree, size_t levels)
{
	return tree->count + levels <= LEVELS_MAX;
}

/* The level of that label below `parent`; makes it, with the tag, if it does not exist. Empties
   `label`. */
uint32_t level_tree_below(struct level_tree *tree, uint32_t parent, struct buffer *label,
                          uint32_t tag);
/* Adds to the level and all its ancestors; returns the outermost ancestor, a root. */
uint32_t level_tree_add(struct level_tree *tree, uint32_t level, const struct figures *figures);
/* Sets count and longest, where the caller knows them better than the sums do; the total stays the
   sum. */
void level_tree_set(struct level_tree *tree, uint32_t level, const struct figures *figures);

/* What the caller knows of levels. */
struct level_knowledge {
	const void *state;
	/* Fills in the cause that a level's label describes, by its tag. Returns false if the label
	   describes no cause. */
	bool (*cause)(const void *state, uint32_t tag, struct cause *ret);
	/* The evidence of level.end; NULL: there is none. */
	struct evidence_found (*evidence)(const void *state, uint32_t end);
};

const char *level_tree_label(const struct level_tree *tree, uint32_t level);
/* Sets the label that the level is shown with; level_tree_below() still finds it by its first
   label. Empties `label`. */
void level_tree_name(struct level_tree *tree, uint32_t level, struct buffer *label);
/* Shows the levels, each of which leads to the waits of its tasks; completes *shown for each. The
   presenter must support trees, with all their hooks. */
void level_tree_show(const struct level_tree *tree, const struct tree *shown,
                     const struct level_knowledge *knowledge, const struct question *question,
                     const struct output *to);
