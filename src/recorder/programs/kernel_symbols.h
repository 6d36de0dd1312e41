/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Picks the lines of /proc/kallsyms for the functions that contain given addresses, and for
 * variables at given addresses. The file is 5 to 15 MB and costs 40 ms of the kernel's time here,
 * seconds on a small board: it is read once, in pieces, and only the wanted lines are kept.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"

/* Sorted addresses. */
struct symbol_wishes {
	const uint64_t *function;
	size_t function_count;
	const uint64_t *object; /* of possible variables */
	size_t object_count;
};

/*
 * Appends to `to` the lines of the functions that contain these addresses, in ascending order, then
 * those of the variables that begin at one; not every kernel lists variables. Appends none if the
 * kernel hides its addresses. Returns 0, or -errno if the file cannot be read.
 */
int kernel_symbols_pick(const struct symbol_wishes *wishes, struct buffer *to);
/* The same from any open file. */
int kernel_symbols_pick_from(int fd, const struct symbol_wishes *wishes, struct buffer *to);
