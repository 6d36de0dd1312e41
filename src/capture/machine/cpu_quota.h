/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits on CPU time of the control groups that tasks are in, and of their ancestors, and how
 * long each throttled its tasks during the recording: cpu.max and cpu.stat of version 2;
 * cpu.cfs_quota_us, cpu.cfs_period_us and cpu.stat of version 1. Tasks may enter a group at any
 * time, so callers look repeatedly; a removed group keeps its last counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "ftwait/nsec.h"

#define CPU_QUOTAS_MAX 16

struct cpu_quota {
	char *folder; /* of the group; owned */
	bool is_v1;
	nsec_t quota, period;
	uint64_t periods, periods_first; /* throttled periods since the group was made */
	nsec_t throttled, throttled_first;
	nsec_t since;  /* when a task was first seen in the group; 0: at the begin */
	bool is_whole; /* the counters cover the recording from its begin */
};

struct cpu_quotas {
	struct cpu_quota group[CPU_QUOTAS_MAX];
	size_t count;
	struct buffer mounts; /* /proc/self/mounts */
	bool has_begun;       /* the first look is over */
};

void cpu_quotas_init(struct cpu_quotas *quotas);
void cpu_quotas_release(struct cpu_quotas *quotas);
/* Adds the groups of the task; adds none if the task has ended. */
void cpu_quotas_look(struct cpu_quotas *quotas, pid_t pid);
/* The same from the texts of its /proc/PID/cgroup and of /proc/mounts. */
void cpu_quotas_find(struct cpu_quotas *quotas, const char *groups, const char *mounts);
/* Reads the counters of all groups again; the first call ends the first look. */
void cpu_quotas_count(struct cpu_quotas *quotas);
/* Appends "cpu-limit" lines (ftwait/stream.h). */
void cpu_quotas_describe(const struct cpu_quotas *quotas, struct buffer *to);
