/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of /proc/kallsyms that name the functions which given addresses lie in, and variables
 * that have one. The file is 5
 * to 15 MB and costs 40 ms of the kernel's time here, seconds on a small board: it is read once,
 * in pieces, and nothing but the wanted lines is kept.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* Addresses, sorted. */
struct symbol_wishes {
	const uint64_t *function;
	size_t function_count;
	const uint64_t *object; /* of what may be a variable */
	size_t object_count;
};

/*
 * Appends to `to` the lines of the functions that these addresses lie in, in ascending order, then
 * those of the variables that begin at one, of which not every kernel has the names. None where the
 * kernel hides its addresses. Returns 0, or -errno where the file cannot be read.
 */
int kernel_symbols_pick(const struct symbol_wishes *wishes, struct buffer *to);
/* The same from any open file. */
int kernel_symbols_pick_from(int fd, const struct symbol_wishes *wishes, struct buffer *to);
