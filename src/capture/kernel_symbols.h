/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of /proc/kallsyms that name the functions which given addresses lie in. The file is 5
 * to 15 MB and costs 40 ms of the kernel's time here, seconds on a small board: it is read once,
 * in pieces, and nothing but the wanted lines is kept.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * Appends to `to`, in ascending order, the lines of the functions that the `count` addresses,
 * which are sorted, lie in. None where the kernel hides its addresses. Returns 0, or -errno where
 * the file cannot be read.
 */
int kernel_symbols_pick(const uint64_t *address, size_t count, struct buffer *to);
/* The same from any open file. */
int kernel_symbols_pick_from(int fd, const uint64_t *address, size_t count, struct buffer *to);
