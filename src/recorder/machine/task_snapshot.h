/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of the machine as /proc shows them, taken when recording begins (a task already
 * asleep is never seen going to sleep) and when it ends (for tasks created since). ftwait/stream.h
 * defines the text forms.
 *
 * With many tasks that takes longer than the rest of the start, so the first snapshot may be taken
 * when tracing is already on: then a line before those of each process says when they were read,
 * and earlier events of a task take precedence.
 *
 * Names are as in tracepoints: at most 15 bytes, without the work item that /proc appends to the
 * name of a kernel worker; a newline in a name becomes "?".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "control_group.h"
#include "ftwait/nsec.h"
#include "peek.h"

#define PLACE_FRAMES_MAX 64

enum snapshot_moment {
	SNAPSHOT_BEFORE, /* tracing is still off */
	SNAPSHOT_BEGIN,  /* tracing is on, with the clock "mono" */
	SNAPSHOT_END,
};

struct task_snapshot {
	struct peek *peek;            /* borrowed */
	struct map state_by_tid;      /* the state letter first seen */
	/* By tgid: a task of it was in D, or slept and was asked for: the end looks again. */
	struct map is_of_interest;
	struct group_notes processes; /* those that are noted */
	/* Processes or tids to report in detail; owned by the caller. */
	const int32_t *asked;
	size_t asked_count;
};

void task_snapshot_init(struct task_snapshot *snapshot, struct peek *peek);
void task_snapshot_release(struct task_snapshot *snapshot);
/*
 * Appends each thread not reported before: a "task TID TGID STATE K COMM" line to `tasks` and a
 * "TID COMM" line to `cmdlines`. At the end STATE is "-", and "still TID" lines list known tasks
 * that are in D as before, or were asked for and sleep as before. "place" lines, at the end
 * "end-place" lines, give the functions in which tasks in D and sleeping ones asked for sleep: from
 * the stack where the kernel lets us read it, else from wchan. Each process that was not reported
 * before also has the lines of control_group.h. Skips threads that end meanwhile. At the end it
 * opens no file of a process that was reported before, has one thread and needs no "still": it
 * costs one stat(2) then.
 * Returns 0, or -errno if /proc cannot be read.
 */
int task_snapshot_take(struct task_snapshot *snapshot, enum snapshot_moment moment,
                       struct buffer *tasks, struct buffer *cmdlines);

struct task_stat {
	int tid;
	char state;
	int parent; /* tgid of the parent; 0: none */
	bool is_kernel;
	char comm[16];
	int thread_count; /* of its process, from the text of a process; 0: unknown */
};

/*
 * Appends the functions in the text of /proc/PID/stack, innermost first, separated by ";", at most
 * PLACE_FRAMES_MAX; nothing if it names none.
 */
void task_stack_append(const char *text, struct buffer *to);

/* Appends where in the kernel the thread sleeps, as above: from its stack, else from wchan. False
   if neither can be read. */
bool task_place_append(struct peek *peek, int tgid, int tid, struct buffer *to);

/* Parses the text of /proc/PID/status, which unlike stat is no matter of exec() (peek.h); -EINVAL
   if malformed. */
int task_stat_parse(const char *text, struct task_stat *ret);
/* The same of the file at that path; false if it cannot be read: the task has ended. */
bool task_stat_read(const char *path, struct task_stat *ret);
/* The number of a thread in its own PID namespace: the last one of the line "NSpid:"; *ret_count is
   how many there are. 0: not known. */
uint32_t task_own_number(int32_t tgid, int32_t tid, size_t *ret_count);
/*
 * True if the task has ended, even if not yet reaped. A process lives as long as any of its
 * threads. An invisible one (no /proc, hidepid) is not gone as long as the kernel knows its number.
 */
bool task_is_gone(int pid);

/* Processes with their descendants, as /proc shows them at one time. */

#define TASK_FAMILY_MAX 8192

struct task_family {
	int32_t *process; /* also threads, if they were added */
	size_t count, capacity;
	struct map by_pid;
};

void task_family_init(struct task_family *family);
/* Instead: these with their descendants, as far as there is time until `deadline`
   (CLOCK_MONOTONIC). */
void task_family_find(struct task_family *family, const int32_t *root, size_t count,
                      nsec_t deadline);
void task_family_release(struct task_family *family);
/* Adds a process, or a thread, unless the family has it or is full. */
void task_family_add(struct task_family *family, int32_t pid);
bool task_family_has(const struct task_family *family, int32_t pid);
/* Adds the children of all threads of the process. */
void task_family_add_children(struct task_family *family, int32_t tgid);
