/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text names the kernel's functions where records have their addresses. Each name gets an address
 * of our own, and the table that says which is read like a recorded /proc/kallsyms.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/intern.h"
#include "source/text_line.h"

#define TEXT_SYMBOLS_MAX 65536
/* An address inside the function is this far behind its begin. */
#define TEXT_SYMBOL_INSIDE 8

struct text_symbols {
	struct intern names;
	struct buffer table; /* as /proc/kallsyms has it */
};

void text_symbols_init(struct text_symbols *symbols);
void text_symbols_release(struct text_symbols *symbols);
/*
 * Takes "schedule", "schedule+0x1c/0x80", "ext4_sync [ext4]" or a number off the line's front.
 * Returns the address where the function begins, or the number; 0: there are too many names.
 * *ret_is_taken is false if the line begins with none of these, and nothing is taken then.
 */
uint64_t text_symbols_take(struct text_symbols *symbols, struct text_line *line,
                           bool *ret_is_taken);
/* As source_read_symbols(). */
int64_t text_symbols_read(const struct text_symbols *symbols, uint64_t offset, char *to,
                          size_t size);
