/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in a picture: made safe, cut to what has room, broken into lines. */
#pragma once

#include "base/buffer.h"

/* Any bytes as character data or within double quotes: what neither XML nor people can read
   becomes \xNN, markup is escaped. */
void svg_text_append(struct buffer *to, const char *text);
/* Columns of a line: characters beyond ASCII may be wide and count as two. */
size_t svg_text_columns(const char *text);
/* Of printable UTF-8 what fits into so many columns, ".." where it is cut; nothing where fewer than
   three are left. Not escaped. */
void svg_text_cut(struct buffer *to, const char *text, size_t columns);
/* Printable text in lines of so many columns at most, each ended by a line feed. */
void svg_text_wrap(struct buffer *to, const char *text, size_t columns);
