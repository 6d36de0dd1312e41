/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording notes of each process: its parent and its control group, as lines of
 * ftwait/stream.h. A process has a group in each hierarchy of cgroups. The one that is noted is
 * that of version 2, of systemd's own hierarchy, or of the hierarchy with the CPU or the memory
 * controller: the first of these in which the process is not in the root.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "base/data/intern.h"
#include "base/data/map.h"

#define PROCESS_GROUPS_MAX 65536

struct group_notes {
	struct intern groups;    /* "HIERARCHY PATH" of those that have a line */
	struct map number_of;    /* number in the lines, by id in groups */
	struct map is_noted;     /* by tgid */
	bool has_hierarchies;    /* their line is written */
};

struct control_group_line;

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
