/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes all bytes: repeats the call that takes fewer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes at the file's position. Returns 0, or -errno; after a failure some of the bytes may be
   written. */
int file_write_all(int fd, const void *bytes, size_t size);
/* Writes at that offset; the file's position stays. */
int file_write_all_at(int fd, const void *bytes, size_t size, uint64_t offset);

/*
 * A lock that shows that a file is being written. The kernel drops it with the last descriptor of
 * the open file, however its owner ends. Only ftwait heeds the lock: other programs are not kept
 * out.
 */

/*
 * Takes the lock. Returns 0, also on file systems without locks; -EBUSY if another open file holds
 * it.
 */
int file_lock(int fd);
/* True if path names the file that is open as fd. */
bool file_is_at(int fd, const char *path);

/* Reads parts of files; repeats pread() if it returns less. */

/* Returns how many of `size` bytes were read, fewer only at the end of the file, or -errno. */
int64_t file_read_at(int fd, void *to, size_t size, uint64_t offset);
/* Returns 0 if all bytes were read, or -errno: -EIO if the file ends before. */
int file_read_all_at(int fd, void *to, size_t size, uint64_t offset);
