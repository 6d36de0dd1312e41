/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The presenters, one file each; presenter.c lists them. The contract is in ftwait/report.h.
 */
#pragma once

#include "ftwait/record.h"
#include "ftwait/report.h"

/* Empty hooks, for presenters that do not show such output. */
void presenter_ignore_section(void *state, const char *key, const char *title, bool is_list);
void presenter_ignore_field(void *state, const char *key, const char *title,
                            const struct cell *cell);
void presenter_ignore_table(void *state, const char *key, const char *title,
                            const struct column *columns, size_t column_count, bool is_single);
void presenter_ignore_row(void *state, const struct cell *cells);
void presenter_ignore_end(void *state);

/* Show the chains of a tree as rows of a table, for presenters without trees. */
#define CHAIN_COLUMNS 5
extern const struct column chain_columns[CHAIN_COLUMNS];
void chain_cells(const struct tree_chain *chain, struct cell cells[CHAIN_COLUMNS]);
