/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control groups of a process, and the limits on memory and CPU time set by those of this
 * process, its own and their ancestors, in both versions of cgroups. An unmounted or unreadable
 * hierarchy sets no limit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "base/text/buffer.h"

/* A process's group in one hierarchy: a line of /proc/PID/cgroup, "9:cpu,cpuacct:/a/b". */
struct control_group_line {
	unsigned hierarchy; /* 0: version 2 */
	const char *path;   /* of `length` bytes, within the text */
	size_t length;
};

struct control_group_limits {
	uint64_t memory_bytes; /* UINT64_MAX: no limit */
	char *memory_file;     /* the file with that limit; owned; NULL: none */
	double cpus;           /* CPUs' worth of time; 0: no limit */
	char *cpu_file;
	uint64_t throttled;    /* periods in which the group ran out of time, since it was made */
};

/*
 * The path of the group with that folder, in the mounts of /proc/mounts: "/a" for
 * "/sys/fs/cgroup/unified/a". What is no folder of a hierarchy is returned as it is.
 */
char *control_group_of_folder(const char *mounts, const char *folder);
void control_group_read(struct control_group_limits *ret);
/* The same from the texts of /proc/self/cgroup and /proc/mounts. */
void control_group_find(const char *groups, const char *mounts, struct control_group_limits *ret);
/* Visits each folder that may limit the CPU time of a process in these groups, innermost first. */
void control_group_each_cpu(const char *groups, const char *mounts,
                            void (*visit)(void *state, const char *folder, bool is_v1),
                            void *state);
/* Visits the mounts of the hierarchy that limits CPU time. */
void control_group_each_cpu_mount(const char *mounts,
                                  void (*visit)(void *state, const char *folder, bool is_v1),
                                  void *state);
/* The limit on CPU time that the folder's group sets, in us; false: none. */
bool control_group_quota(const char *folder, bool is_v1, uint64_t *ret_quota, uint64_t *ret_period);
/* The number in a file of the folder; false: there is none. */
bool control_group_number(const char *folder, const char *file, uint64_t *ret);
/* Only the limit on memory; UINT64_MAX: no limit. */
uint64_t control_group_memory(void);
void control_group_release(struct control_group_limits *limits);

/*
 * What a recording notes of each process: its parent and its control group, as lines of
 * ftwait/stream.h. A process has a group in each hierarchy of cgroups. The one that is noted is
 * that of version 2, of systemd's own hierarchy, or of the hierarchy with the CPU or the memory
 * controller: the first of these in which the process is not in the root.
 */

#define PROCESS_GROUPS_MAX 65536

struct group_notes {
	struct intern groups;    /* "HIERARCHY PATH" of those that have a line */
	struct map number_of;    /* number in the lines, by id in groups */
	struct map is_noted;     /* by tgid */
	bool has_hierarchies;    /* their line is written */
};

/* The group that is noted of a process with that /proc/PID/cgroup; false: the text names none. */
bool group_notes_choose(const char *groups, struct control_group_line *ret);
void group_notes_init(struct group_notes *notes);
void group_notes_release(struct group_notes *notes);
/*
 * Appends the lines of a process that has none yet, given the text of its /proc/PID/cgroup, which
 * may be empty. `parent`: 0: not known; `is_late`: the recording ends. Not more than
 * PROCESS_GROUPS_MAX groups are noted.
 */
void group_notes_add(struct group_notes *notes, int32_t tgid, int32_t parent,
                       const char *groups, bool is_late, struct buffer *to);
/* The same, with the groups read from /proc. */
void group_notes_look(struct group_notes *notes, int32_t tgid, int32_t parent, bool is_late,
                        struct buffer *to);
