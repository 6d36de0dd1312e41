/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the file that a process has mapped, which is not always the one that has its name now: the
 * process may see another root, and a program may have been built again. May block for ever, as the
 * file system may be dead: to be called in another process (peek.h).
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct mapped_file {
	int32_t tgid;
	uint64_t begin, end; /* of the mapping, while the process lives */
	char path[PATH_MAX]; /* as the process sees it */
};

/* Whether the open file is the one that is wanted. */
typedef bool mapped_file_test(int fd, const struct stat *status, const void *wanted);

/* Sets the path; false: it is not that of a file, or too long. */
bool mapped_file_name(struct mapped_file *file, const char *path);
/* Tries the mapping, the path as the process sees it, and the path as it is here, in that order.
   Returns a descriptor of the first regular file that passes the test, or -ENOENT. */
int mapped_file_open(const struct mapped_file *file, mapped_file_test *test, const void *wanted);
