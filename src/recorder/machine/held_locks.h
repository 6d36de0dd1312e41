/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of files as /proc/locks has them: which process holds the lock that another waits for. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"

struct held_lock {
	const char *kind; /* "flock", "posix", "lease", as a word of ftwait/stream.h; static */
	int32_t owner;    /* process that holds it; 0: not known, as of open file descriptions */
	uint32_t major, minor;
	uint64_t inode;
	uint64_t begin, end; /* of the file: first and last byte */
	bool is_write;       /* nobody else may have any of these */
};

/*
 * Finds the lock that the process waits for in the text of /proc/locks. `inode` is that of the file
 * that it locks; 0: any. False if it waits for none.
 */
bool held_lock_find(const char *text, int32_t waiter, uint64_t inode, struct held_lock *ret);
/* Finds a lock of the file that others than this process have; false: there is none. */
bool held_lock_of_file(const char *text, int32_t other, uint64_t inode, struct held_lock *ret);
/* Appends the lines `locked` of ftwait/stream.h, of these processes only, of all if there are none;
   leases, and locks without a process that has them, are left out. */
void held_locks_describe(const char *text, const int32_t *pids, size_t pid_count,
                         struct buffer *to);
