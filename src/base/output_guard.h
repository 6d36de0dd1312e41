/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Outputs that somebody else has planted. In a folder like /tmp, sticky and writable by others,
 * anyone may lay a FIFO, a file, a device or a symbolic link under the name that we are about to
 * write to, and then read what we write or have it written elsewhere. Such a thing is refused if it
 * belongs neither to us, nor to the owner of the folder, nor to the caller of sudo: the rule of the
 * kernel's fs.protected_fifos, _regular and _symlinks, which are not on everywhere and concern
 * files only where they might be created.
 *
 * Links are followed one by one and each is held against the rule; those of /proc, which stand for
 * open files (/dev/stdout, /dev/fd/N), are followed by the kernel.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "buffer.h"

/* Where a path leads, links followed. */
struct output_place {
	const char *path; /* as it was asked for; borrowed */
	int folder;       /* of the last name; AT_FDCWD before the first step */
	char *name;       /* the last one; owned; NULL before the first step */
	int file;         /* O_PATH; -1: nothing there */
	struct stat stat; /* of it */
	bool is_kernels;  /* a link of /proc, which only the kernel can follow */
};

/* The rule: whether `file`, which lies in `folder`, may have been planted for `user`. */
bool output_is_planted(const struct stat *folder, const struct stat *file, uid_t user);
/*
 * Holds `path` against the rule. Returns 0, also where there is nothing yet or the path leads
 * nowhere, which is for open() to tell; 1 where it leads to a file that is open already, as
 * /dev/stdout does; or -EACCES and a line in `why`.
 */
int output_guard_check(const char *path, struct buffer *why);
/*
 * As open() with these flags, of what was checked and nothing else. With O_CREAT nothing may be
 * there. Returns the descriptor or -errno; where the error alone does not tell, `why` gets a line.
 */
int output_guard_open(const char *path, int flags, struct buffer *why);
/*
 * The same in two steps, for who wants to know the folder. The first fails as open() would, or with
 * -EACCES and a line in `why`; nothing being there is no failure. Released in either case.
 */
int output_place_find(struct output_place *ret, const char *path, struct buffer *why);
int output_place_open(const struct output_place *place, int flags, struct buffer *why);
void output_place_release(struct output_place *place);
