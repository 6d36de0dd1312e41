/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the control groups of this process leave it, its own and those around it, in both versions
 * of cgroups: memory, and CPU time. Where nothing is mounted or told there is no limit.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct control_group_limits {
	uint64_t memory_bytes; /* UINT64_MAX: no limit */
	char *memory_file;     /* that says so; owned; NULL: none */
	double cpus;           /* how many CPUs' time; 0: no limit */
	char *cpu_file;
	uint64_t throttled;    /* periods in which it was used up, since the group was made */
};

void control_group_read(struct control_group_limits *ret);
/* The same by the texts of /proc/self/cgroup and /proc/mounts. */
void control_group_find(const char *groups, const char *mounts, struct control_group_limits *ret);
/* Each folder that may hold a limit on CPU time for a process of these groups, innermost first. */
void control_group_each_cpu(const char *groups, const char *mounts,
                            void (*visit)(void *state, const char *folder, bool is_v1),
                            void *state);
/* The limit on memory alone, UINT64_MAX where there is none. */
uint64_t control_group_memory(void);
void control_group_release(struct control_group_limits *limits);
