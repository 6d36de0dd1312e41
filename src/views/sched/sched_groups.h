/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in run queues by control group, or by process tree: the table of --sched --by cgroup. */
#pragma once

#include "run_queue.h"

/* Puts the table: the delays of the asked tasks, summed by group. The queue is resolved. */
void sched_groups_put(const struct run_queue *queue, const struct output *to);
