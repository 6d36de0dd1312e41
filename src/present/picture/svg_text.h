/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts in a picture: they are escaped, cut to the room, and broken into lines. */
#pragma once

#include <stdio.h>

#include "base/text/buffer.h"

/* Appends any bytes, for character data or attributes in double quotes: bytes that are invalid in
   XML or not printable become \xNN, markup is escaped. */
void svg_text_append(struct buffer *to, const char *text);
/* The same, written to a file. */
void svg_text_put(FILE *out, const char *text);
/* Cuts printable UTF-8 to that many columns, where characters beyond ASCII count as two, since they
   may be wide, with ".." at the cut; appends nothing if fewer than
   three are left. Does not escape. */
void svg_text_cut(struct buffer *to, const char *text, size_t columns);
/* Breaks printable text into lines of at most that many columns, each ended by a line feed. */
void svg_text_wrap(struct buffer *to, const char *text, size_t columns);
