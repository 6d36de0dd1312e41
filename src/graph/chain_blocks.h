/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What blocks of segments add to a chain tree (walk_blocks.h): the nodes of a tree of their own,
 * which is added wherever a walk comes to the block. Private to chain_tree.c.
 */
#pragma once

#include "chain_tree.h"

extern const struct walk_block_hooks chain_block_hooks;

/* The tree that gets the parts: that of the block while one is summed up, else the tree itself. */
struct chain_tree *chain_tree_target(struct chain_tree *tree);
/* The child of step->parent that the step leads to, made if there is none; the parent itself if
   there is no room. */
uint32_t chain_tree_go(struct chain_tree *tree, const struct chain_step *step);
/* So many ns of the walk that is being added end at the node. */
void chain_tree_charge(struct chain_tree *tree, uint32_t index, nsec_t length);
/* Adds the other tree, which is of that line alone, at the position of the walk. The tree refers to
   its causes until it is settled. */
void chain_tree_take(struct chain_tree *tree, const struct chain_tree *other, uint32_t line);
/* Frees the tree of the block, if one is being summed up. */
void chain_blocks_release(struct chain_tree *tree);
