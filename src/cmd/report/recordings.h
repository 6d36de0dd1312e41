/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For commands that are about several recordings: these are read one after the other, each closed
 * before the next, and one section is shown of what was kept of them.
 *
 * Order of calls: recordings_init(); recordings_read(), once or more often; recordings_show(); then
 * recordings_release().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cmd/options/option_parser.h"
#include "engine/report_run.h"
#include "report_output.h"

/* The tasks that are asked for, as options. */
struct asked_options {
	struct number_list pids;
	struct string_list comms, cgroups;
	bool is_all;
};

/* Their rows; `member` is theirs in `type`. */
#define ASKED_OPTION_ROWS(type, member) \
	OPT_PIDS('p', "pid", type, member.pids, "PID,...", "these processes"), \
	OPT_LIST(0, "comm", type, member.comms, "GLOB,...", "tasks of that name"), \
	OPT_LIST(0, "cgroup", type, member.cgroups, "GLOB,...", \
	         "tasks of these control groups"), \
	OPT_BOOL('a', "all", type, member.is_all, \
	         "all tasks, not only those that the recordings were made for")

/* How the section is shown, as options. */
struct shown_options {
	const char *format, *output;
	uint64_t top;
	bool no_pager, is_verbose;
};

#define SHOWN_OPTIONS_DEFAULT {.format = "text", .top = 20}
/* formats: an option_value_at. */
#define SHOWN_OPTION_ROWS(type, member, formats) \
	OPT_STRING_OF(0, "format", type, member.format, formats, "FORMAT", NULL), \
	OPT_CONSTANT(0, "json", type, member.format, "json", "--format json"), \
	OPT_CONSTANT(0, "csv", type, member.format, "csv", "--format csv"), \
	OPT_COUNT(0, "top", type, member.top, "N", \
	          "at most N rows of a table in text (default 20, 0: all)"), \
	OPT_STRING('o', "output", type, member.output, "FILE", "write to FILE"), \
	OPT_BOOL(0, "no-pager", type, member.no_pager, OPTION_NO_PAGER_HELP), \
	OPT_BOOL('v', "verbose", type, member.is_verbose, "show the health in full")

#define RECORDINGS_VIEWS_MAX 3

struct recordings {
	const char *command;           /* for messages; borrowed */
	struct asked asked;
	/* The views of each run, in this order. */
	const struct analysis *view[RECORDINGS_VIEWS_MAX];
	size_t view_count;
	const char **path;             /* of those that were read; texts are borrowed */
	size_t count, capacity;
	struct health health;          /* sums */
	struct kept_file kept;         /* that the output must not replace, besides recordings */
};

/* All is borrowed. */
void recordings_init(struct recordings *recordings, const char *command,
                     const struct asked_options *tasks, const struct analysis *view);
/* Asks each run for one more view. */
void recordings_ask(struct recordings *recordings, const struct analysis *view);
void recordings_release(struct recordings *recordings);
/* Reads the files, and passes each run, which ends with the call. Returns false if one cannot be
   read, which is printed, or if `take` returns false, which has printed why. */
bool recordings_read(struct recordings *recordings, char *const *paths, size_t count,
                     bool (*take)(void *state, const struct report_run *run, const char *path),
                     void *state);
/* Shows the section that `put` puts, in a report of all recordings, of which the first old_count
   are the old ones (0: they are not divided). Returns the exit status; errors are printed. */
int recordings_show(const struct recordings *recordings, const struct shown_options *shown,
                    size_t old_count, void (*put)(const void *state, const struct output *to),
                    const void *state);

/* Prints an error if the format is none of `formats`. */
bool shown_format_is_known(const char *command, const char *format, option_value_at formats);
