/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By what tasks get less than the usual share of a busy CPU, and no event shows: the weight of a
 * control group that they are in, or of an ancestor (cpu.weight and cpu.idle of version 2,
 * cpu.shares of version 1), and SCHED_IDLE. Of all that is found, the least weight counts. Tasks
 * may enter a group at any time, so callers look repeatedly.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"

#define CPU_WEIGHT_USUAL 1000u

struct cpu_weight {
	uint32_t per_mille; /* of the usual weight; CPU_WEIGHT_USUAL: nothing less was found */
	char *by;           /* folder of the group, or "SCHED_IDLE"; owned; NULL: nothing */
};

void cpu_weight_init(struct cpu_weight *weight);
void cpu_weight_release(struct cpu_weight *weight);
/* Looks at the task; without effect if it has ended. `mounts`: the text of /proc/mounts. */
void cpu_weight_look(struct cpu_weight *weight, pid_t pid, const char *mounts);
/* The same from the text of its /proc/PID/cgroup, without its scheduling class. */
void cpu_weight_find(struct cpu_weight *weight, const char *groups, const char *mounts);
/* Appends a "cpu-weight" line (ftwait/stream.h), if a lesser weight was found. */
void cpu_weight_describe(const struct cpu_weight *weight, struct buffer *to);
