/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses for the kernel functions that text names. Records contain addresses of functions, but
 * text contains their names. Each name gets an invented address, and the table of these has the
 * form of /proc/kallsyms: it is read like the one of a trace.dat.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/text/buffer.h"
#include "text_line.h"

#define TEXT_SYMBOLS_MAX 65536
/* Offset of a call inside a function: the address in a stack is not the function's first one. */
#define TEXT_SYMBOL_INSIDE 8

struct text_symbols {
	struct intern names;
	struct buffer table; /* lines of /proc/kallsyms */
};

void text_symbols_init(struct text_symbols *symbols);
void text_symbols_release(struct text_symbols *symbols);
/*
 * Cuts "schedule", "schedule+0x1c/0x80", "ext4_sync [ext4]" or a hexadecimal address off the line's
 * front. Returns the first address of the function, or the given address; 0: there are already
 * TEXT_SYMBOLS_MAX names. Sets *ret_is_taken to false, and leaves the line as it is, if it does not
 * begin with one of these.
 */
uint64_t text_symbols_take(struct text_symbols *symbols, struct text_line *line,
                           bool *ret_is_taken);
/* The function that has the address, and its first address; NULL: none has. */
const char *text_symbols_find(const struct text_symbols *symbols, uint64_t address,
                              uint64_t *ret_begin);
/* Reads the table; as source_read_symbols(). */
int64_t text_symbols_read(const struct text_symbols *symbols, uint64_t offset, char *to,
                          size_t size);
