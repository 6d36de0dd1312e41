/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heaviest chains in words, for the summary: who waited most, for what, behind whom.
 */
#pragma once

#include "analysis/analysis.h"
#include "graph/chain_tree.h"

/* `whole`: what shares are of; 0: nothing is told. */
void heaviest_chains_tell(const struct question *question, const struct chain_tree *tree,
                          nsec_t whole, const struct presenter *presenter, void *to);
