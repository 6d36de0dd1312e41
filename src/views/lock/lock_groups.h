/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contended locks by control group, or by process tree: the table of --lock --by cgroup. */
#pragma once

#include "analysis/analysis.h"
#include "lock_list.h"

/* Puts the table: the contentions of the asked tasks for locks that have owners, summed by the
   group of the waiter. The question is resolved. */
void lock_groups_put(const struct lock_list *list, const struct question *question,
                     const struct output *to);
