/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heaviest chains in words: the main waiters, what they waited for, and the
 * tasks in between.
 */
#pragma once

#include "analysis.h"
#include "graph/chain_tree.h"

/* `whole`: the time, in ns, that shares are given as parts of; 0: prints nothing. */
void heaviest_chains_print(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, const struct output *to);
/* Appends only the heaviest one, as "svc waited 4.2 ms (98 %) for disk vda, behind jbd2"; returns
   false, and appends nothing, if there is none of
   at least a hundredth of `whole`, which is not 0. */
bool heaviest_chain_append(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, struct buffer *to);
