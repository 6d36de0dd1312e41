/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that a program has generated while it ran: it tells of them, as perf wants it, by lines
 * "START SIZE NAME" of /tmp/perf-PID.map.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define JIT_LINES_MAX 65536u /* of one process */

/*
 * Appends "jit START SIZE NAME\n" of each function that holds one of the addresses, which it sorts,
 * from the text of such a file.
 */
void jit_symbols_pick(const char *text, size_t length, uint64_t *address, size_t count,
                      struct buffer *to);
/* The same from the file of the process, which may have ended, where there is one. */
void jit_symbols_append(int32_t tgid, uint64_t *address, size_t count, struct buffer *to);
