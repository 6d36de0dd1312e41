/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What processes had over time: stays, in two logs, for their control groups and command lines. A
 * log that is all zero is empty.
 *
 * The control groups: paths are ids in the timeline's names. A process has a group in each
 * hierarchy of cgroups; the log has one of these, by the rank of the hierarchies: a group of a
 * hierarchy of lower rank counts only while the process is in the root of those above.
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

#include "base/assume.h"
#include "base/data/map.h"
#include "ftwait/nsec.h"

#define GROUP_STAYS_MAX    256u
#define GROUP_LOG_MAX      (1u << 21)
#define GROUP_RANKED_MAX   8

struct stay {
	nsec_t since;
	uint32_t text;      /* id in names: the path of the group, or the command line; 0: not
	                       known, or of a thread: that of its process */
	uint32_t before;    /* index + 1 of the stay before it; 0: there is none */
	uint32_t number;    /* counts the stays of that key, from 1 */
	/* of groups: */
	uint32_t hierarchy; /* as in /proc/PID/cgroup */
	bool is_root;
};

struct stay_log {
	struct map newest; /* index of the newest stay, by the key */
	struct stay *stay;
	size_t count, capacity;
};

void stay_log_release(struct stay_log *stays);
/* The last stay of that key that began by t; NULL: none. Valid until the next one is added. */
const struct stay *stay_log_at(const struct stay_log *stays, uint32_t key, nsec_t t);
/* The stay before it; NULL: there is none. */
static inline const struct stay *stay_log_before(const struct stay_log *stays,
                                                 const struct stay *stay)
{
	ASSUME(stay->before <= (size_t)(stay - stays->stay)); /* an earlier one */
	return stay->before ? &stays->stay[stay->before - 1] : NULL;
}

struct group_log {
	struct stay_log stays; /* by tgid or tid */
	uint32_t ranked[GROUP_RANKED_MAX]; /* hierarchies, first the one that counts most */
	size_t ranked_count;
	bool has_threads;  /* a thread was moved without its process */
	uint64_t left_out;
};

/* The hierarchies, first the one that counts most. Without that the one with the lower number
   counts more. */
void group_log_rank(struct group_log *log, const uint32_t *hierarchy, size_t count);
/* The process begins to be in that group, whatever was before. `before` and `number` of the
   stay are set here. */
void group_log_begin(struct group_log *log, int32_t id, const struct stay *stay);
/* The process, or the thread, is moved there; ignored if another hierarchy counts. */
void group_log_move(struct group_log *log, int32_t id, const struct stay *stay);
struct timeline;

/* The control group that the task is in at that time, by its own or its process's last move; NULL:
   not known. Valid until the log grows. */
const struct stay *timeline_group_at(const struct timeline *timeline, uint32_t track, nsec_t t);

/*
 * Which command line each task's program had over time, as far as the recording has them: texts of
 * words/command_line.h, by their ids in the timeline's names. Also short words that tell tasks of
 * one name apart, see task_names.h.
 *
 * Order of calls: program_log_add() for each line of the recording, then program_log_close(); then
 * the forks and execs of the trace, in order of time.
 */

/* As struct source_program of ftwait/source.h has it. */
struct program_line {
	int32_t tgid; /* first member: searches go by it */
	uint32_t text;
	nsec_t begin, read;
};

struct program_log {
	struct program_line *line; /* by tgid and begin, once closed */
	size_t line_count, line_capacity;
	struct stay_log stays;     /* by track: it executes a program, or is forked by a task that
	                              does */
	struct map label;          /* of program_log_label(); no slots: none */
};

void program_log_release(struct program_log *log);
void program_log_add(struct program_log *log, const struct program_line *line);
/* Again after more lines were added, but before any stay. */
void program_log_close(struct program_log *log);
/* Whether the recording has no command lines: then nothing else need be called. */
static inline bool program_log_is_empty(const struct program_log *log)
{
	return log->line_count == 0;
}
/* The text of the program that the process executed before the recording began; 0: not known. */
uint32_t program_log_older(const struct program_log *log, int32_t tgid);
/* The track is forked at that time, by a task with that program. */
void program_log_fork(struct program_log *log, uint32_t track, nsec_t time, uint32_t text);
/* The track executes a program at that time, as the process `tgid`. */
void program_log_exec(struct program_log *log, uint32_t track, int32_t tgid, nsec_t time);
/* Id in names of what tells a task of that name with that program apart; 0: nothing. */
uint32_t program_log_label(const struct program_log *log, uint32_t comm, uint32_t text);
void program_log_set_label(struct program_log *log, uint32_t comm, uint32_t text, uint32_t label);

struct timeline;

/* The text of the program that the task runs at that time; 0: not known. */
uint32_t timeline_program_at(const struct timeline *timeline, uint32_t track, nsec_t t);
