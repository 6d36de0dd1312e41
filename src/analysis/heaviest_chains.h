/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heaviest chains in words: "1.200 s (62 %) fio -> jbd2/vda1-8 -> disk 254,0", from the waiter
 * on to what it waited for in the end.
 */
#pragma once

#include "analysis.h"
#include "graph/walk/chain_tree.h"

/* `whole`: the time, in ns, that shares are given as parts of; 0: prints nothing. */
void heaviest_chains_print(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, const struct output *to);
/* Appends only the heaviest one, as "4.200 ms (98 %) svc -> jbd2 -> disk vda"; returns false, and
   appends nothing, if there is none of at least a hundredth of `whole`, which is not 0. */
bool heaviest_chain_append(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, struct buffer *to);
