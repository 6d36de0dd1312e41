/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which other task, or the tasks of which name, had most of the time of one task's path. */
#pragma once

#include "analysis/link_names.h"
#include "base/buffer.h"
#include "graph/chain_tree.h"

/*
 * Appends which other task had more than half of `all`, the reported time of `self`'s path:
 * "; 77 % of it was postgres's", "; 86 % of it was omp[17]'s" if several tasks have that name, or
 * "; 70 % of it was other omp tasks'" if `self` has it, too, and no single task had most. Appends
 * nothing if no other task or name had most. O(nodes).
 */
void whose_append(struct buffer *to, const struct link_names *names, const struct chain_tree *path,
                  uint32_t self, nsec_t all);
