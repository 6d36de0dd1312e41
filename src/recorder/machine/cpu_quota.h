/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits on CPU time of control groups, and how long each throttled its tasks during the
 * recording: cpu.max and cpu.stat of version 2; cpu.cfs_quota_us, cpu.cfs_period_us and cpu.stat of
 * version 1. All groups are searched once; later the kernel reports those that are made, or get
 * another limit (inotify). The groups of the recorded tasks, and the ancestors of these, are seen
 * to be theirs. Callers look repeatedly; a removed group keeps its last counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/nsec.h"

#define CPU_QUOTAS_MAX   4096
#define CPU_QUOTAS_NOTED 16 /* the most that a recording notes */

struct cpu_quota {
	char *folder; /* of the group; owned */
	bool is_v1;
	nsec_t quota, period;
	uint64_t periods, periods_first; /* throttled periods since the group was made */
	nsec_t throttled, throttled_first;
	bool is_seen;  /* a recorded task was seen in the group */
	nsec_t since;  /* if so, when first; 0: at the begin */
	bool is_whole; /* the counters cover the recording from its begin */
	bool is_noted; /* cpu_quotas_describe() has described it */
};

struct cpu_quotas {
	struct cpu_quota *group;
	size_t count, capacity;
	struct buffer mounts;   /* /proc/self/mounts */
	struct map at_begin;    /* inodes of the folders that the first search found */
	int changes;            /* reports changes of groups (inotify); -1: not possible */
	bool has_searched;      /* all groups were searched, at the begin */
	bool has_begun;         /* the first look is over */
};

void cpu_quotas_init(struct cpu_quotas *quotas);
void cpu_quotas_release(struct cpu_quotas *quotas);
/* Adds all groups that have a limit; after the first look only if one was made or changed. */
void cpu_quotas_search(struct cpu_quotas *quotas);
/* The same below the mounts of that text, which is as /proc/mounts. */
void cpu_quotas_search_below(struct cpu_quotas *quotas, const char *mounts);
/* Adds the groups of the task; adds none if the task has ended. */
void cpu_quotas_look(struct cpu_quotas *quotas, pid_t pid);
/* The same from the texts of its /proc/PID/cgroup and of /proc/mounts. */
void cpu_quotas_find(struct cpu_quotas *quotas, const char *groups, const char *mounts);
/* Reads the counters of all groups again; the first call ends the first look. */
void cpu_quotas_count(struct cpu_quotas *quotas);
/* Appends "cpu-limit" lines (ftwait/stream.h): of the groups that a task was seen in, and of those
   others that held tasks back longest. */
void cpu_quotas_describe(struct cpu_quotas *quotas, struct buffer *to);

/*
 * By what tasks get less than the usual share of a busy CPU, and no event shows: the weight of a
 * control group that they are in, or of an ancestor (cpu.weight and cpu.idle of version 2,
 * cpu.shares of version 1), and SCHED_IDLE. Of all that is found, the least weight counts. Tasks
 * may enter a group at any time, so callers look repeatedly.
 */

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
