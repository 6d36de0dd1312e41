/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heaviest chains in words, for the summary: the main waiters, what they waited for, and the
 * tasks in between.
 */
#pragma once

#include "analysis/analysis.h"
#include "graph/chain_tree.h"

/* `whole`: the time, in ns, that shares are given as parts of; 0: prints nothing. */
void heaviest_chains_print(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, const struct output *to);
