/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a tree as its nodes arrive: figures at the left, the tree at the right.
 *
 *	   TOTAL   SHARE  COUNT    LONGEST       AT  WHO WAITED, FOR WHOM, FOR WHAT
 *	12.840 ms  80.0 %     3   9.100 ms 1.000200  mysqld
 *	12.000 ms  75.0 %     2   9.100 ms 1.000200  `- io_worker
 *	12.000 ms  75.0 %     2   9.100 ms 1.000200     `- disk 254,0
 *
 * If `top` is not 0, only the first `top` siblings are shown. Nodes below the roots are also left
 * out if they are less than a hundredth of the whole and less than a tenth of their root, except
 * the first child of a larger node. A line sums up what was left out. On a narrow terminal figures
 * are left out before labels are cut; if tree lines would take more than a quarter of the width,
 * the innermost are replaced by the depth: "|  ...12 `- disk 254,0".
 */
#pragma once

#include "ftwait/report.h"
#include "text_page.h"

struct text_tree;

/* As the hooks of struct presenter. `page`, and the data that `tree` points to, are borrowed until
   text_tree_end(). */
struct text_tree *text_tree_begin(struct text_page *page, const struct tree *tree,
                                  const struct instant_form *instants);
bool text_tree_node(struct text_tree *self, unsigned depth, const struct tree_node *node);
void text_tree_end(struct text_tree *self);
