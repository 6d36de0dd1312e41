/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads parts of files; repeats pread() if it returns less. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns how many of `size` bytes were read, fewer only at the end of the file, or -errno. */
int64_t file_read_at(int fd, void *to, size_t size, uint64_t offset);
/* Returns 0 if all bytes were read, or -errno: -EIO if the file ends before. */
int file_read_all_at(int fd, void *to, size_t size, uint64_t offset);
