/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which command line each task's program had over time, as far as the recording has them: texts of
 * words/command_line.h, by their ids in the timeline's names. Also short words that tell tasks of
 * one name apart, see program_labels.h. A struct that is all zero is empty.
 *
 * Order of calls: program_log_add() for each line of the recording, then program_log_close(); then
 * the forks and execs of the trace, in order of time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"

/* As struct source_program of ftwait/source.h has it. */
struct program_line {
	int32_t tgid;
	uint32_t text;
	nsec_t begin, read;
};

/* A track executes a program, or is forked by a task that does. */
struct program_stay {
	nsec_t since;
	uint32_t text;   /* 0: not known */
	uint32_t before; /* index + 1 of the track's stay before it; 0: none */
};

struct program_log {
	struct program_line *line; /* by tgid and begin, once closed */
	size_t line_count, line_capacity;
	struct map first;          /* tgid -> index of its first line */
	struct program_stay *stay;
	size_t stay_count, stay_capacity;
	struct map newest;         /* track -> index of its newest stay */
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
/* The track's last stay that began by t; NULL: none. Valid until the next one is added. */
const struct program_stay *program_log_at(const struct program_log *log, uint32_t track, nsec_t t);
static inline const struct program_stay *program_log_before(const struct program_log *log,
                                                            const struct program_stay *stay)
{
	return stay->before ? &log->stay[stay->before - 1] : NULL;
}
/* Id in names of what tells a task of that name with that program apart; 0: nothing. */
uint32_t program_log_label(const struct program_log *log, uint32_t comm, uint32_t text);
void program_log_set_label(struct program_log *log, uint32_t comm, uint32_t text, uint32_t label);

struct timeline;

/* The text of the program that the task runs at that time; 0: not known. */
uint32_t timeline_program_at(const struct timeline *timeline, uint32_t track, nsec_t t);
