/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at what may never answer. A file of a dead file system (FUSE, NFS) keeps a task that
 * touches it asleep, whatever the signal; and while a process is in exec() or has its mappings
 * locked, so do many of its files in /proc: stat, wchan, syscall, stack, maps, mem, auxv, cmdline,
 * fd. A task waits as long in such an exec() as the file server of a file that exec() closes does
 * not answer (seen on Linux 6.18).
 *
 * So a look is made by a process of its own, which has no other file open. If it does not answer in
 * time, it is killed and left to itself, as nobody may wait for it; the next look begins
 * another one. What was looked at is not looked at again for PEEK_REST_NS. After PEEK_LEFT_MAX such
 * processes there are no more looks.
 *
 * May be read in any thread: status, comm, cgroup, schedstat, children, mountinfo.
 *
 * Any number of threads may call; their looks come one after the other. The process ends with the
 * one that began it, also after kill -9, unless it sleeps in such a look: then when that ends.
 */
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/nsec.h"

#define PEEK_PATIENCE_NS 500000000u  /* for what the kernel knows */
#define PEEK_DISK_NS     2000000000u /* for what it may read from a busy disk */
#define PEEK_REST_NS     10000000000u
#define PEEK_LEFT_MAX    8

struct peek {
	nsec_t patience;      /* how long an answer may take */
	pthread_mutex_t lock; /* protects all that follows */
	pid_t pid;            /* 0: none yet */
	int fd;
	pid_t left[PEEK_LEFT_MAX]; /* killed, and not reaped yet */
	size_t left_count;
	struct map rest_until; /* what did not answer -> second of CLOCK_MONOTONIC */
	uint64_t unanswered;   /* looks without an answer */
};

/* What the process does: appends to `reply`, and returns 0 or -errno. It is a copy of the caller's
   process as that was when the process began: the argument's bytes have all that it is to know. */
typedef int peek_call_fn(const void *argument, size_t size, struct buffer *reply);

void peek_init(struct peek *peek, nsec_t patience);
/* CPU time that the present process has used, in ns. */
nsec_t peek_time(struct peek *peek);
/* Ends the process, without waiting for one that does not answer. */
void peek_release(struct peek *peek);
/*
 * Returns what `call` returned, with its reply appended to `reply`. -ETIMEDOUT: no answer, now or a
 * short time ago; other errors: there is no process. `about`: process or thread that is looked at,
 * or another number for what a look is about, above INT32_MAX.
 */
int peek_call(struct peek *peek, uint64_t about, peek_call_fn *call, const void *argument,
	      size_t size, struct buffer *reply);
/* Reads a file of /proc/PID, at most as much as `to` has room for: then -EFBIG. */
int peek_text(struct peek *peek, int32_t pid, const char *path, struct buffer *to);
/* Appends the text of a link of /proc/PID; `to` has room for PATH_MAX bytes. */
int peek_link(struct peek *peek, int32_t pid, const char *path, struct buffer *to);
/* Appends as many bytes from there on as a read() gives, at most `size`. */
int peek_bytes(struct peek *peek, int32_t pid, const char *path, uint64_t offset, size_t size,
	       struct buffer *to);
