/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a head, which version 6 has in a row; version 7 has most of them as sections. Each
 * reader stores its findings in the datfile and leaves the cursor after its part.
 */
#pragma once

#include "datfile.h"

int datfile_read_magic(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_header_info(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_ftrace_formats(struct datfile *datfile, struct cursor *cursor,
                                struct buffer *why);
int datfile_read_event_formats(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_symbol_place(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_strings(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
int datfile_read_cmdlines(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
/* All of these and the CPU count: everything of version 6 before the word "options". */
int datfile_read_head(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
