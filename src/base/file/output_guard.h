/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protection against outputs that another user has planted. In a sticky folder that others can
 * write to, like /tmp, anyone may put a FIFO, a file, a device or a symbolic link under the name
 * that ftwait is about to write to, and then read or redirect the output. Such a file is refused
 * unless it belongs to this user, to the owner of the folder, or to the caller of sudo. That is the
 * rule of the kernel's fs.protected_fifos, _regular and _symlinks, which are not enabled
 * everywhere, and apply to files only if open() might create them.
 *
 * Links are followed one by one, and each is checked against the rule. Links of /proc, which stand
 * for open files (/dev/stdout, /dev/fd/N), are followed by the kernel.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/text/buffer.h"

/* The place to which a path leads, through links. */
struct output_place {
	const char *path; /* as given; borrowed */
	int folder;       /* the folder that contains the last name; AT_FDCWD before the first
	                     step */
	char *name;       /* the last name; owned; NULL before the first step */
	int file;         /* O_PATH; -1: does not exist */
	struct stat stat; /* of that file */
	bool is_kernels;  /* it is a link of /proc, which only the kernel can follow */
};

/* The rule: whether `file`, which is in `folder`, may have been planted for `user`. */
bool output_is_planted(const struct stat *folder, const struct stat *file, uid_t user);
/*
 * Checks `path` against the rule. Returns 0, also if the file does not exist yet or the path is
 * wrong, which open() will report; 1 if it leads to a file that is open already, as /dev/stdout
 * does; or -EACCES and a line in `why`.
 */
int output_guard_check(const char *path, struct buffer *why);
/*
 * Like open() with these flags, but opens exactly the file that was checked. With O_CREAT the file
 * must not exist. Returns the descriptor or -errno; if the error alone does not explain it, `why`
 * gets a line.
 */
int output_guard_open(const char *path, int flags, struct buffer *why);
/*
 * The same in two steps, for callers that need the folder. output_place_find() fails as open()
 * would, or with -EACCES and a line in `why`; a missing file is no failure. Call
 * output_place_release() also after a failure.
 */
int output_place_find(struct output_place *ret, const char *path, struct buffer *why);
int output_place_open(const struct output_place *place, int flags, struct buffer *why);
void output_place_release(struct output_place *place);

/* The user who called sudo: files that root creates for this user get this owner, and the user's
   own files do not count as planted. */

/* False if the process is not root, or was not started by sudo. */
bool sudo_caller_find(uid_t *ret_user, gid_t *ret_group);
