/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes all bytes; repeats write() if it takes fewer. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Writes at the file's position. Returns 0, or -errno; after a failure some of the bytes may be
   written. */
int file_write_all(int fd, const void *bytes, size_t size);
/* Writes at that offset; the file's position stays. */
int file_write_all_at(int fd, const void *bytes, size_t size, uint64_t offset);
