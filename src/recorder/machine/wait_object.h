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

#include "base/data/map.h"
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

/* The sleeps that looks have seen, by thread; the looks are numbered from 1. */

struct seen_sleep {
	int32_t tid;
	uint32_t look;    /* number of the last look that saw it */
	uint64_t key;     /* hash of a text that is the same as long as the thread does not run */
	nsec_t since;     /* first look that saw it */
	nsec_t described; /* look that described it; 0: none has */
	uint64_t call;    /* the caller's, like what follows: kept when the thread sleeps anew */
	bool may_change;
	uint8_t partial;  /* descriptions in a row that did not find the other end */
};

struct sleep_table {
	struct seen_sleep *sleep;
	size_t count, capacity;
	struct map by_tid; /* index in sleep */
	uint32_t look;     /* number of the present look */
};

void sleep_table_init(struct sleep_table *table);
void sleep_table_release(struct sleep_table *table);
/* The sleep of the thread with that key, if a look from `oldest` on saw it; else a new one. NULL:
   there are too many. */
struct seen_sleep *sleep_table_see(struct sleep_table *table, int32_t tid, uint64_t key,
                                   uint32_t oldest, nsec_t now);
/* Forgets the sleeps that no look from `oldest` on has seen. */
void sleep_table_trim(struct sleep_table *table, uint32_t oldest);

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
