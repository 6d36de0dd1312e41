/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree on paper, as its nodes come: figures at the left, the tree at the right.
 *
 *	   TOTAL   SHARE  COUNT    LONGEST       AT  WHO WAITED, FOR WHOM, FOR WHAT
 *	12.840 ms  80.0 %     3   9.100 ms 1.000200  mysqld
 *	12.000 ms  75.0 %     2   9.100 ms 1.000200  `- io_worker
 *	12.000 ms  75.0 %     2   9.100 ms 1.000200     `- disk 254,0
 *
 * With `top` siblings are cut after that many, and below the roots what is neither a hundredth of
 * the whole nor a tenth of its root, but for the first child of a node that is. A line tells what
 * was left out. On a narrow terminal figures go before labels are cut, and of tree lines that would
 * take half of the width the innermost become a number, the depth: "|  ...12 `- disk 254,0".
 */
#pragma once

#include "ftwait/report.h"
#include "text_page.h"

struct text_tree;

/* The hooks of struct presenter; `page` and what `tree` points to are borrowed until end. */
struct text_tree *text_tree_begin(struct text_page *page, const struct tree *tree,
                                  nsec_t trace_begin);
bool text_tree_node(struct text_tree *self, unsigned depth, const struct tree_node *node);
void text_tree_end(struct text_tree *self);
