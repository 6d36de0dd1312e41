/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which other task, or tasks of which name, did most of what is on one task's path. */
#pragma once

#include "base/buffer.h"
#include "graph/chain_tree.h"
#include "link_names.h"

/*
 * Of the path of the line `self`, of which `all` is told: "; 77 % of it was postgres's", "; 86 %
 * of it was omp[17]'s" where several are called so, "; 70 % of it was other omp tasks'" where
 * `self` is called so, too, and none of them has most. Nothing where nobody else has most.
 * O(nodes).
 */
void whose_append(struct buffer *to, const struct link_names *names, const struct chain_tree *path,
                  uint32_t self, nsec_t all);
