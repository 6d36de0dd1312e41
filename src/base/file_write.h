/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes all bytes, however few a single write() takes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* At the file's position. Returns 0, or -errno: some of the bytes may be written then. */
int file_write_all(int fd, const void *bytes, size_t size);
/* At that offset of the file; its position stays. */
int file_write_all_at(int fd, const void *bytes, size_t size, uint64_t offset);
