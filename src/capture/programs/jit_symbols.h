/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that a program has generated while it ran: it tells of them, as perf wants it, by lines
 * "START SIZE NAME" of /tmp/perf-PID.map.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"

#define JIT_LINES_MAX     65536u /* of one process */
#define JIT_OWNER_UNKNOWN ((uid_t)-1)

/*
 * Appends "jit START SIZE NAME\n" of each function that holds one of the addresses, which it sorts,
 * from the text of such a file.
 */
void jit_symbols_pick(const char *text, size_t length, uint64_t *address, size_t count,
                      struct buffer *to);
/*
 * The same from the file of the process, which may have ended, where there is one. Anybody may lay
 * such a file, so it must be of the process's user or of root. `owner` is that user, as it was seen
 * while the process lived, or JIT_OWNER_UNKNOWN: then it is that of whoever has the number now, and
 * of nobody we know of we believe nothing but our own file.
 */
void jit_symbols_append(int32_t tgid, uid_t owner, uint64_t *address, size_t count,
                        struct buffer *to);
