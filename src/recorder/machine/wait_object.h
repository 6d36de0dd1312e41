/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sleeping thread waits for, according to its system call and the object that its arguments
 * name: the owner of a futex, the holder of a file's lock, who has the other end of a pipe or of a
 * connection, a child.
 * ftwait/stream.h defines the text form.
 *
 * Order of calls: wait_scene_begin() for one look at the machine; wait_scene_describe() for any
 * number of threads; wait_scene_end(). The locks of files, sockets, and the files of processes are
 * read once for all threads, when they are first needed. No file is touched (peek.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/utsname.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "seen_process.h"
#include "wait_ends.h"

struct wait_scene {
	struct peek *peek; /* borrowed */
	struct seen_process process;
	struct wait_ends ends;
	struct utsname machine;
	struct buffer locks; /* /proc/locks; empty: not read yet, or not readable */
	bool has_locks;
	uint64_t futex;  /* where the last described wait sleeps; 0: at no futex */
	/* the last described wait is for a lock, and the holder is known; or a later look may find
	   who has the other end of it */
	bool may_change;
};

/* The text of /proc/TID/syscall. */
struct task_call {
	int64_t number; /* -1: in no system call */
	uint64_t argument[6];
};

/* False if the thread is not asleep, or the text is malformed. */
bool task_call_parse(const char *text, struct task_call *ret);

/* Before Linux 5.15, 32-bit ARM notes the number only of calls that somebody traces: of others the
   text has 0, or the number of an earlier call. */
bool call_numbers_are_right(const struct utsname *machine);

/* `watched`: processes that are looked at first; borrowed, as all. Nothing more is read for all
   threads after `deadline` (CLOCK_MONOTONIC), but that looking for the other ends may take
   `patience` ns, once. */
void wait_scene_begin(struct wait_scene *scene, struct end_table *table, const int32_t *watched,
		      size_t watched_count, nsec_t deadline, nsec_t patience);
void wait_scene_end(struct wait_scene *scene);
/*
 * Appends "CALL FUNCTIONS KIND ..." of a `waits` line. `call` is NULL where the kernel does not
 * show the call. Returns the other process that the thread waits for; 0: not known, or
 * none.
 */
int32_t wait_scene_describe(struct wait_scene *scene, int32_t tgid, int32_t tid,
                            const struct task_call *call, struct buffer *to);
