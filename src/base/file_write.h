/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All of some bytes, whatever a single write() takes of them. */
#pragma once

#include <stddef.h>

/* At the file's position. Returns 0, or -errno: some of the bytes may be written then. */
int file_write_all(int fd, const void *bytes, size_t size);
