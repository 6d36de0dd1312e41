/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The presenters, one file each; presenter.c lists them. The contract is in ftwait/report.h.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/record.h"
#include "ftwait/report.h"

/* Show the chains of a tree as rows of a table, for presenters without trees. */
#define CHAIN_COLUMNS 8
extern const struct column chain_columns[CHAIN_COLUMNS];
/* How many of them the tree has: the last two are those of evidence. */
static inline size_t chain_column_count(const struct tree *tree)
{
	return tree->has_evidence ? CHAIN_COLUMNS : CHAIN_COLUMNS - 2;
}
void chain_cells(const struct tree_chain *chain, struct cell cells[CHAIN_COLUMNS]);

/* Appends the options of report that show what is behind something, and what is asked for as far
   as they leave that open. */
void next_append(struct buffer *to, const char *next, const struct presenter_options *options);

/* The figures of a node of a tree as cells of these types; those that are not exact are empty. */
#define TREE_FIGURES 5
void tree_cells(const struct figures *figures, bool is_exact, nsec_t whole,
                struct cell cells[TREE_FIGURES]);
