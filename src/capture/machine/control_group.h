/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on memory and CPU time set by the control groups of this process, its own and their
 * ancestors, in both versions of cgroups. An unmounted or unreadable hierarchy sets no limit.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct control_group_limits {
	uint64_t memory_bytes; /* UINT64_MAX: no limit */
	char *memory_file;     /* the file with that limit; owned; NULL: none */
	double cpus;           /* CPUs' worth of time; 0: no limit */
	char *cpu_file;
	uint64_t throttled;    /* periods in which the group ran out of time, since it was made */
};

void control_group_read(struct control_group_limits *ret);
/* The same from the texts of /proc/self/cgroup and /proc/mounts. */
void control_group_find(const char *groups, const char *mounts, struct control_group_limits *ret);
/* Visits each folder that may limit the CPU time of a process in these groups, innermost first. */
void control_group_each_cpu(const char *groups, const char *mounts,
                            void (*visit)(void *state, const char *folder, bool is_v1),
                            void *state);
/* Only the limit on memory; UINT64_MAX: no limit. */
uint64_t control_group_memory(void);
void control_group_release(struct control_group_limits *limits);
