/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of the machine as /proc shows them: taken when recording begins (who sleeps already
 * will never be seen going to sleep) and when it ends (who came since). The text forms are those
 * of ftwait/stream.h.
 *
 * On a machine of many tasks that takes longer than all the rest of a start, so the first one may
 * be taken when tracing is on already: then each process's lines stand behind one that says until
 * when they were read, and what the reader sees of a task before that moment counts more.
 *
 * Names are given as the tracepoints have them: at most 15 bytes, without the work item that
 * /proc adds to the name of a kernel worker; a newline in a name becomes "?".
 */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "base/map.h"

#define PLACE_FRAMES_MAX 64

enum snapshot_moment {
	SNAPSHOT_BEFORE, /* tracing is off still */
	SNAPSHOT_BEGIN,  /* it is on, with the clock "mono" */
	SNAPSHOT_END,
};

struct task_snapshot {
	struct map state_by_tid; /* letter when it was told of */
	/* Processes, or tasks by their tid, of which more is told; the caller's. */
	const int32_t *asked;
	size_t asked_count;
};

void task_snapshot_init(struct task_snapshot *snapshot);
void task_snapshot_release(struct task_snapshot *snapshot);
/*
 * Appends every thread not told of before: "task TID TGID STATE K COMM" lines to `tasks` and
 * "TID COMM" lines to `cmdlines`. At the end the state is "-", and "still TID" lines tell who
 * was in state D before and is now, and which of those asked for sleeps as it did. Where these
 * sleep is told by "place" lines, and by "end-place" lines then: by the stack where the kernel lets
 * us read it, else by wchan. Threads that end meanwhile are left out. Returns 0 or -errno where
 * /proc cannot be read.
 */
int task_snapshot_take(struct task_snapshot *snapshot, enum snapshot_moment moment,
                       struct buffer *tasks, struct buffer *cmdlines);

struct task_stat {
	int tid;
	char state;
	bool is_kernel;
	char comm[16];
	int thread_count; /* of its process, where the text is that of a process; 0: not told */
};

/*
 * Appends the functions of the text of /proc/PID/stack, innermost first, ";" between, at most
 * PLACE_FRAMES_MAX; nothing where it names none.
 */
void task_stack_append(const char *text, struct buffer *to);

/* Reads the text of /proc/PID/stat; -EINVAL where it is none. */
int task_stat_parse(const char *text, struct task_stat *ret);
/*
 * True where the task has ended, also if nobody has reaped it yet. A process lives as long as one
 * of its threads does. What cannot be seen (no /proc, hidepid) is not gone as long as the kernel
 * knows its number.
 */
bool task_is_gone(int pid);
