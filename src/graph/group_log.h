/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control groups of processes over time. Paths are ids in the timeline's names. A process has a
 * group in each hierarchy of cgroups; the log has one of these, by the rank of the hierarchies: a
 * group of a hierarchy of lower rank counts only while the process is in the root of those above.
 *
 * Stays are kept by tgid, in order of time; a new process of the same tgid begins with a stay of
 * its own. A thread that is moved without its process has stays under its tid. Memory: 32 bytes a
 * stay. At most GROUP_STAYS_MAX of one process and GROUP_LOG_MAX of all are kept; further ones are
 * counted in left_out. Cost of a look-up: O(stays of that process).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"

#define GROUP_STAYS_MAX    256u
#define GROUP_LOG_MAX      (1u << 21)
#define GROUP_RANKED_MAX   8

struct group_stay {
	nsec_t since;
	uint32_t path;      /* id in names; 0: not known, or of a thread: that of its process */
	uint32_t hierarchy; /* as in /proc/PID/cgroup */
	uint32_t before;    /* index + 1 of the stay before it; 0: there is none */
	uint32_t number;    /* counts the stays of the process, from 1 */
	bool is_root;
};

struct group_log {
	struct map newest; /* index of the newest stay, by tgid or tid */
	struct group_stay *stay;
	size_t count, capacity;
	uint32_t ranked[GROUP_RANKED_MAX]; /* hierarchies, first the one that counts most */
	size_t ranked_count;
	bool has_threads;  /* a thread was moved without its process */
	uint64_t left_out;
};

/* A log that is all zero but for this is empty. */
void group_log_init(struct group_log *log);
void group_log_release(struct group_log *log);
/* The hierarchies, first the one that counts most. Without that the one with the lower number
   counts more. */
void group_log_rank(struct group_log *log, const uint32_t *hierarchy, size_t count);
/* The process begins to be in that group, whatever was before. `stay`: since, path, hierarchy and
   is_root are taken. */
void group_log_begin(struct group_log *log, int32_t id, const struct group_stay *stay);
/* The process, or the thread, is moved there; ignored if another hierarchy counts. */
void group_log_move(struct group_log *log, int32_t id, const struct group_stay *stay);
/* The last stay of that id that began by t; NULL: none. Valid until the next one is added. */
const struct group_stay *group_log_at(const struct group_log *log, int32_t id, nsec_t t);
/* The stay before it; NULL: there is none. */
static inline const struct group_stay *group_log_before(const struct group_log *log,
                                                        const struct group_stay *stay)
{
	return stay->before ? &log->stay[stay->before - 1] : NULL;
}

struct timeline;

/* The control group that the task is in at that time, by its own or its process's last move; NULL:
   not known. Valid until the log grows. */
const struct group_stay *timeline_group_at(const struct timeline *timeline, uint32_t track,
                                           nsec_t t);
