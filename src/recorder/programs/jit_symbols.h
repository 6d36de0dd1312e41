/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that a program generates at run time: as perf expects, it lists them in lines "START
 * SIZE NAME" of /tmp/perf-PID.map.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "recorder/machine/peek.h"

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
