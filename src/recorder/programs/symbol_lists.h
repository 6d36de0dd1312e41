/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Picks from lists of symbols what a recording needs: of the kernel, and of generated code. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "recorder/machine/peek.h"

/*
 * Picks the lines of /proc/kallsyms for the functions that contain given addresses, and for
 * variables at given addresses. The file is 5 to 15 MB and costs 40 ms of the kernel's time here,
 * seconds on a small board: it is read once, in pieces, and only the wanted lines are kept.
 */

/* In ascending order. */
void addresses_sort(uint64_t *address, size_t count);

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

/*
 * Functions that a program generates at run time: as perf expects, it lists them in lines "START
 * SIZE NAME" of /tmp/perf-PID.map.
 */

#define JIT_LINES_MAX     65536u /* of one process */
#define JIT_OWNER_UNKNOWN ((uid_t)-1)

/*
 * Appends "jit START SIZE NAME\n" for each function in the text of such a file that contains one of
 * the addresses. Sorts the addresses.
 */
void jit_symbols_pick(const char *text, size_t length, uint64_t *address, size_t count,
                      struct buffer *to);
/*
 * The same from the file of the process, if there is one; the process may have ended. Anybody may
 * create such a file, so it must belong to the process's user or to root. `owner` is that user as
 * seen while the process lived. JIT_OWNER_UNKNOWN: the user of the process that has the number now;
 * if there is none, only our own user and root are trusted.
 */
void jit_symbols_append(struct peek *peek, int32_t tgid, uid_t owner, uint64_t *address,
			size_t count, struct buffer *to);
