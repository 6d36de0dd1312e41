/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of whole chains that other recordings of the same work have, too: the names of the tasks,
 * without tids, and of what they waited for, as costs name it, from the waiter on.
 *
 *	svc <- worker/0 <- disk vda      svc <- worker/0 running      svc <- not ended
 */
#pragma once

#include "graph/walk/chain_tree.h"

struct chain_names {
	const struct chain_tree *tree;
	struct timeline *timeline;
	struct name_folds folds; /* only its map: names of workers of the kernel -> "kworker/..." */
	struct buffer text;
};

/* The tree is borrowed, and takes the folds of these names: call before walks are added to it. */
void chain_names_init(struct chain_names *names, struct chain_tree *tree,
                      struct timeline *timeline);
void chain_names_release(struct chain_names *names);
/* The name of the chain that ends at the node, which is not the root; valid until the next call.
   Printable UTF-8. */
const char *chain_name(struct chain_names *names, const struct chain_node *end);
