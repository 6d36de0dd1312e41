/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of files, whatever a single pread() gives of them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns how many of `size` bytes were there, fewer only at the end of the file, or -errno. */
int64_t file_read_at(int fd, void *to, size_t size, uint64_t offset);
/* 0 with all of them, or -errno: -EIO where the file ends before. */
int file_read_all_at(int fd, void *to, size_t size, uint64_t offset);
