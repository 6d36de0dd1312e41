/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which other task, or the tasks of which name, had most of the time of one task's path. */
#pragma once

#include "analysis/link_names.h"
#include "base/text/buffer.h"
#include "graph/walk/chain_tree.h"

/*
 * Appends which other task had more than half of `all`, the reported time of `self`'s path:
 * "; in 77 % of it postgres ran or waited", "; in 86 % of it omp[17] ran or waited" if several
 * tasks have that name, or "; in 70 % of it other omp tasks ran or waited" if `self` has it, too,
 * and no single task had most. Appends nothing if no other task or name had most. O(nodes).
 */
void whose_append(struct buffer *to, const struct link_names *names, const struct chain_tree *path,
                  uint32_t self, nsec_t all);
