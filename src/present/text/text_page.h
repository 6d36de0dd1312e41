/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The destination of a text report: its width, its styles, and the columns of its tables for which
   there was no room. */
#pragma once

#include <stdio.h>

#include "base/text/buffer.h"
#include "ftwait/health.h"
#include "ftwait/report.h"
#include "text_table.h"

/* The styles of text. Styles are escape sequences, or empty if no colour is wanted. Tree lines and
   the mark of a cut are in UTF-8 if the locale has it, else in ASCII. */

struct text_style {
	const char *title, *faint, *warning, *plain; /* plain ends the other styles */
	const char *branch, *last_branch, *trunk, *no_trunk; /* tree lines, all of one width */
	const char *ellipsis;
};

#define TEXT_BELOW_INDENT 4 /* of lines below a row, or a sentence */

struct text_page {
	FILE *out;
	struct presenter_options options;
	struct text_style style;
	struct buffer left_out; /* titles of the columns that were left out, each once, with ", "
	                           between them */
};

void text_page_init(struct text_page *page, FILE *out, const struct presenter_options *options);
void text_page_release(struct text_page *page);

/* Prints a line of prose, folded at the width, in one of the page's styles; "": in no style. */
void text_page_line(const struct text_page *page, const char *style, const char *text);

/* Before a line: the options that show what is behind it, for a browser. */
void text_page_link(const struct text_page *page, const char *options);

/* Begin and end a table of the page; the end returns whether it had any row. */
void text_page_table_begin(const struct text_page *page, struct text_table *table,
                           bool has_header);
bool text_page_table_end(struct text_page *page, struct text_table *table);
/* Adds `rows` below the last row of the table, one line each; the cells of that row are
   complete. */
void text_page_rows_below(struct text_table *table, const struct cell_rows *rows,
                          const struct instant_form *instants);
/* Prints which columns were left out, if any. */
void text_page_print_left_out(const struct text_page *page);

/* The end of a text report: how far the report can be trusted. If it is sound it is one line;
   otherwise it says what not to trust, the worst first; everything only if that is asked for, and
   only the first line if there is nothing to trust. */

void text_page_health(const struct text_page *page, const struct health *health,
                      const struct instant_form *instants);
