/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells as text, for all presenters that write text. Everything that is appended is printable
   UTF-8: bytes of unknown origin (command names, device names) are cleaned. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/report.h"

/* For people: units in the cell, "-" for an empty cell. */
void cell_text_append(struct buffer *to, const struct cell *cell,
                      const struct instant_form *instants);
/* A row of a table in a cell, its columns aligned with those of its other rows. */
void cell_rows_line_append(struct buffer *to, const struct cell_rows *rows, size_t row,
                           const struct instant_form *instants);
/* Columns of a strip, if the terminal is wide enough. */
#define STRIP_COLUMNS 60

/* "| .:#+. |": a column for each value; if there are fewer columns, each shows the largest of
   several values. */
void series_strip_append(struct buffer *to, const struct series *series, size_t columns,
                         bool utf8);
/* For programs: integers of ns, "true" and "false", nothing for an empty cell. */
void cell_plain_append(struct buffer *to, const struct cell *cell);

/* One frame of a folded line: ';' becomes ':' and blanks become '_', so that the line has exactly
   the separators it needs. */
void frame_folded_append(struct buffer *to, const char *text);
/* "root;link;[disk_254,0]", outermost waiter first: a frame with the command name for each link,
   and a last frame for what the innermost waiter waited for. */
void links_folded_append(struct buffer *to, const struct links *links);

/* Whether the text is a figure, which is aligned to the right. */
bool cell_type_is_figure(enum cell_type type);
/* Whether the cell says only that there is nothing: it is empty, no, or an amount of zero. */
bool cell_is_blank(const struct cell *cell);
