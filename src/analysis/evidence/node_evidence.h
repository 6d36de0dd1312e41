/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which stretch stands for a node of a tree of waits (chain_tree.h): a part of the longest walk
 * that came to it. Of that a node knows when it began, and the name of its first task.
 */
#pragma once

#include "evidence.h"
#include "graph/walk/chain_tree.h"

/* Passes the waits with which that walk may have begun, as far as they are asked for: several where
   tasks of one name began to wait at one time. */
void node_waits_visit(const struct question *question, const struct chain_tree *tree,
                      const struct chain_node *node,
                      void (*take)(void *state, uint32_t track, nsec_t begin, nsec_t end),
                      void *state);
/* The longest part of these that ends at such a node. */
struct evidence_claim node_claim(const struct question *question, const struct chain_tree *tree,
                                 const struct chain_node *node);
