/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of a page. The page's scripts sort by attributes and follow them: data-value, a number;
   data-at, an instant in ns since the trace's begin; data-tid. */
#pragma once

#include <stdio.h>

#include "base/text/buffer.h"
#include "ftwait/report.h"

#define HTML_ROWS 200 /* rows of a table, unless more are asked for */

struct html_table {
	FILE *out;
	struct instant_form instants;
	unsigned row_limit; /* 0: none */
	struct buffer text; /* of a cell */
	struct buffer row;  /* what is not yet in `out` */
	char section[64];   /* key; "": none */
	const struct column *columns;
	size_t column_count;
	bool is_shown; /* false: none of its columns is */
	size_t rows;
	size_t rows_left; /* further rows of the table */
	nsec_t tree_total;
};

void html_table_init(struct html_table *table, FILE *out, const struct instant_form *instants,
                     unsigned row_limit);
void html_table_release(struct html_table *table);
/* Begins a section; its key may be NULL. */
void html_table_section(struct html_table *table, const char *key);
void html_table_begin(struct html_table *table, const char *key, const char *title,
                      const struct column *columns, size_t column_count);
void html_table_row(struct html_table *table, const struct cell *cells);
/* Ends a table or a tree. */
void html_table_end(struct html_table *table);
/* Begins a tree, which is a table whose first column is indented. */
void html_tree_begin(struct html_table *table, const struct tree *tree);
/* Puts a node; returns whether nodes below it may be worth a row. */
bool html_tree_node(struct html_table *table, unsigned depth, const struct tree_node *node);
/* Puts a cell as an element of that name. */
void html_cell_put(struct html_table *table, const char *element, const struct cell *cell);
