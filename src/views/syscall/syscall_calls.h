/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, summed up: a row for each task and call. Numbers become names when the trace has
 * ended, as only then the ABI of every program is known. On a machine with two ABIs, a program uses
 * the second ABI if it made a call that only the second ABI has.
 *
 * Memory: about 1 KB a row, at most CALL_ROWS_MAX of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"
#include "base/text/buffer.h"
#include "ftwait/cause.h"
#include "ftwait/report.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"
#include "words/kernel/kernel_numbers.h"

/* The architecture of the task's machine, as uname -m; NULL: not known. Numbers of system calls and
   errors mean what they mean there. */
static inline const char *track_arch(const struct question *question, uint32_t track)
{
	const struct timeline *timeline = question->timeline;

	return timeline->hosts.count ? timeline->hosts.host[timeline->track[track].host].arch
	                             : question->recording.arch;
}

/* Whether the task is asked for, and the call of that name id. */
bool call_is_asked(const struct question *question, uint32_t track, uint32_t name);
/* "ENOENT" for -2; "error 999" where the number has no name. */
void call_error_append(struct buffer *to, const struct errno_names *names, int64_t result);
/* "ENOENT: 7, EAGAIN: 2"; "-" for none. */
void call_errors_append(struct buffer *to, const struct errno_names *names,
                        const struct number_count *error, size_t count);

/* More than the tasks of a machine have different calls. With this many rows the view takes some
   dozens of MB. */
#define CALL_ROWS_MAX (1u << 16)

#define CALL_FOREIGN_MAX 512 /* no ABI has higher numbers */

/* A number means different calls in different ABIs. */
struct call_key {
	int64_t number;
	uint32_t track;
	uint32_t program; /* number of the program among those that the task executed: 0, 1 ... */
};

struct call_row {
	struct call_key key;
	uint32_t name;    /* id; once resolved */
	struct distribution latency; /* empty if the row was merged into another one */
	nsec_t running, runnable, waiting;
	nsec_t by_kind[CAUSE_KIND_COUNT]; /* sum to `waiting` */
	struct number_count *error; /* by error, in order of their numbers from 0 down */
	size_t error_count, error_capacity;
	uint64_t errors; /* sum over all errors */
	bool moves_bytes; /* its result is a number of bytes, as that of read(); once resolved */
	uint64_t moved;   /* sum of the results above 0 */
};

/* The files of a call, by their name ids; 0: none, or not known. */
struct call_paths {
	uint32_t path, to;
	struct descriptor_use file; /* where it names none: that of its descriptor */
};

static inline struct call_paths call_paths_of(const struct syscall_interval *call)
{
	return (struct call_paths){call->path, call->to, call->file};
}

/* Once the trace has ended: which path the descriptor is of. */
static inline void call_paths_resolve(struct call_paths *paths, const struct timeline *timeline)
{
	if (!paths->path)
		paths->path = descriptor_log_path(&timeline->descriptors, paths->file);
}

/* A call that had not returned when the trace ended. */
struct open_call {
	struct call_key key;
	uint32_t name; /* as above */
	struct call_paths paths;
	nsec_t begin, time;
	nsec_t running, runnable;
	nsec_t by_kind[CAUSE_KIND_COUNT];
};

/* What numbers mean on one machine. */
struct call_numbers {
	const char *arch; /* borrowed */
	bool has_compat;
	bool is_foreign[CALL_FOREIGN_MAX]; /* numbers that only the second ABI has */
	int64_t execs[8]; /* numbers of calls that execute a program */
	size_t exec_count;
};

struct call_sums {
	const struct hosts *hosts;    /* borrowed */
	struct call_numbers *numbers; /* by machine; owned */
	struct tally rows; /* of struct call_row */
	struct tally open; /* a list of struct open_call */
	struct map program_by_track; /* track -> number of its current program, if it is not 0 */
	struct map compat_programs;  /* track << 32 | program -> 1 */
};

/* `arch`: of the machine, if there is only one. */
void call_sums_init(struct call_sums *sums, const struct hosts *hosts, const char *arch);
void call_sums_release(struct call_sums *sums);
/* Call in order of time. `is_asked`: the call is counted; otherwise it only helps to find the
   program's ABI. Returns the row that the call was added to, valid until the next call; NULL:
   none, it has not returned, or there is no room. */
const struct call_row *call_sums_add(struct call_sums *sums, const struct interval *interval,
                                     bool is_asked);
/* Whether the result of a call is an error, and not a value. */
bool call_result_is_error(int64_t result);
/* Turns numbers into names of the timeline, and merges rows of the same name and task. Call
   once. */
void call_sums_resolve(struct call_sums *sums, struct timeline *timeline);
/* The name id of the call of a row, also of a row that was merged; call after the above. */
static inline uint32_t call_sums_name(const struct call_sums *sums, size_t row)
{
	return ((const struct call_row *)tally_at(&sums->rows, row))->name;
}

/*
 * The files that system calls name or use, where their paths were recorded: how often each call did
 * so with each, with which error. Each time that a file is opened makes a row for each call.
 *
 * Memory: about 70 bytes a row, at most CALL_FILES_MAX of them.
 */

#define CALL_FILES_MAX (1u << 18)

struct call_files {
	struct tally rows; /* of struct call_file */
};

void call_files_init(struct call_files *files);
void call_files_release(struct call_files *files);
/* Adds a call that was added to that row of the sums; ignores a call without a file. */
void call_files_add(struct call_files *files, size_t row, const struct interval *interval);
/* Shows the files of calls by asked tasks, for the system calls that --syscall names. The sums must
   be resolved. Without any file, no table is shown. */
void call_files_put(const struct call_files *files, const struct call_sums *sums,
                    const struct question *question, const struct output *to);
/* "/etc/passwd", "old -> new": the files of a call by their name ids; `second`: 0 if it names
   one. */
void call_paths_append(struct buffer *to, const struct timeline *timeline, uint32_t first,
                       uint32_t second);
