/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel that runs here, if a recording is of that: its symbols need not be in the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `boot_id` is of this machine's present boot; NULL: not known. */
bool running_kernel_is(const char *boot_id);
/*
 * Reads a piece of the text of /proc/kallsyms, in order from offset 0 on. *fd is -1 before the
 * first call; the caller closes it. Returns bytes read, 0 at the end, or -errno.
 */
int64_t running_kernel_read_symbols(int *fd, uint64_t offset, char *to, size_t size);
