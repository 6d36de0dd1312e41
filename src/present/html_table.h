/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of a page. Attributes contain what its scripts sort by and follow: data-value, a number;
 * data-at, an instant in ns since the trace's begin; data-tid.
 */
#pragma once

#include <stdio.h>

#include "base/buffer.h"
#include "ftwait/report.h"

#define HTML_ROWS 200 /* of a table, unless more are asked for */

struct html_table {
	FILE *out;
	nsec_t trace_begin;
	unsigned row_limit; /* 0: none */
	struct buffer text; /* of a cell */
	char section[64];   /* key; "": none */
	const struct column *columns;
	size_t column_count;
	size_t rows;
	size_t rows_left; /* further rows of the table */
	nsec_t tree_total;
};

void html_table_init(struct html_table *table, FILE *out, nsec_t trace_begin, unsigned row_limit);
void html_table_release(struct html_table *table);
/* Begins the section of that key; NULL: it has none. */
void html_table_section(struct html_table *table, const char *key);
void html_table_begin(struct html_table *table, const char *key, const char *title,
                      const struct column *columns, size_t column_count);
void html_table_row(struct html_table *table, const struct cell *cells);
/* Ends a tree, too. */
void html_table_end(struct html_table *table);
/* A tree is a table whose first column is indented. */
void html_tree_begin(struct html_table *table, const struct tree *tree);
/* Whether the nodes below may be worth a row. */
bool html_tree_node(struct html_table *table, unsigned depth, const struct tree_node *node);
/* A cell as an element of that name. */
void html_cell_put(struct html_table *table, const char *element, const struct cell *cell);
/* Any bytes as text of a page. */
void html_text_put(FILE *out, const char *text);
