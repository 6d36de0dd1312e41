/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "present/text/text_tree.h"
#include "suites.h"

struct node {
	unsigned depth;
	const char *label;
	size_t child_count;
	nsec_t total;
	uint64_t count;
	bool is_exact;
};

/* "big" waits mostly for the disk, "small" for three things alike, "tiny" for one. */
static const struct node sample[] = {
	{0, "big", 3, 909000, 3, false},       {1, "disk 8,0", 0, 900000, 1, true},
	{1, "timer tick", 0, 5000, 1, true},   {1, "lock sem", 0, 4000, 1, true},
	{0, "small", 3, 5100, 3, false},       {1, "disk 8,0", 0, 3000, 1, true},
	{1, "timer tick", 0, 2000, 1, true},   {1, "lock sem", 0, 100, 1, true},
	{0, "tiny", 1, 50, 1, true},           {1, "disk 8,0", 0, 50, 1, true},
};

/* Nothing below a node is told that it does not want. */
static void nodes_put(struct text_tree *tree, const struct node *node, size_t count)
{
	unsigned wanted = 0; /* depth */

	for (; count > 0; node++, count--) {
		const struct tree_node reported = {
			.label = node->label,
			.figures = {node->total, node->count, node->total, 1000000},
			.is_exact = node->is_exact,
			.child_count = node->child_count,
		};

		if (node->depth <= wanted)
			wanted = node->depth + text_tree_node(tree, node->depth, &reported);
	}
}

static void check_nodes_on(const struct presenter_options *options, const struct tree *tree,
                           const struct node *node, size_t count, const char *expected)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	struct text_page page;
	struct text_tree *reported;

	text_page_init(&page, out, options);
	reported = text_tree_begin(&page, tree, &(struct instant_form){0});
	nodes_put(reported, node, count);
	text_tree_end(reported);
	text_page_release(&page);
	(void)fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

static void check_nodes(unsigned top, const struct tree *tree, const struct node *node,
                        size_t count, const char *expected)
{
	const struct presenter_options options = {.top = top};

	check_nodes_on(&options, tree, node, count, expected);
}

static void check_page(unsigned top, const char *expected)
{
	const struct tree tree = {.title = "WHO", .total = 914150, .root_count = 3};

	check_nodes(top, &tree, sample, ARRAY_SIZE(sample), expected);
}

START_TEST(small_branches_are_summed)
{
	check_page(2, "     TOTAL   SHARE  COUNT     LONGEST        AT  WHO\n"
	              "909.000 us  99.4 %      -           -         -  big\n"
	              "900.000 us  98.5 %      1  900.000 us  0.001000  |- disk 8,0\n"
	              "  9.000 us   1.0 %      -           -         -  `- ... 2 more\n"
	              "  5.100 us   0.6 %      -           -         -  small\n"
	              "  3.000 us   0.3 %      1    3.000 us  0.001000  |- disk 8,0\n"
	              "  2.000 us   0.2 %      1    2.000 us  0.001000  |- timer tick\n"
	              "    100 ns   0.0 %      1      100 ns  0.001000  `- lock sem\n"
	              "     50 ns   0.0 %      1       50 ns  0.001000  ... 1 more\n");
}
END_TEST

START_TEST(everything_is_shown_without_top)
{
	check_page(0, "     TOTAL   SHARE  COUNT     LONGEST        AT  WHO\n"
	              "909.000 us  99.4 %      -           -         -  big\n"
	              "900.000 us  98.5 %      1  900.000 us  0.001000  |- disk 8,0\n"
	              "  5.000 us   0.5 %      1    5.000 us  0.001000  |- timer tick\n"
	              "  4.000 us   0.4 %      1    4.000 us  0.001000  `- lock sem\n"
	              "  5.100 us   0.6 %      -           -         -  small\n"
	              "  3.000 us   0.3 %      1    3.000 us  0.001000  |- disk 8,0\n"
	              "  2.000 us   0.2 %      1    2.000 us  0.001000  |- timer tick\n"
	              "    100 ns   0.0 %      1      100 ns  0.001000  `- lock sem\n"
	              "     50 ns   0.0 %      1       50 ns  0.001000  tiny\n"
	              "     50 ns   0.0 %      1       50 ns  0.001000  `- disk 8,0\n");
}
END_TEST

/* What is not exact has no count, nor has a sum of parts; a sum of whole waits has one. */
START_TEST(only_figures_that_hold_are_reported)
{
	static const struct node waits[] = {
		{0, "a", 3, 9000000, 2, true},      {1, "disk 8,0", 0, 3000000, 1, true},
		{1, "lock sem", 0, 3000000, 1, true}, {1, "timer tick", 0, 3000000, 1, true},
		{0, "b", 1, 3000000, 2, true},      {0, "c", 1, 3000000, 1, true},
	};
	const struct tree tree = {.title = "WHO", .total = 15000000, .root_count = 3};

	check_nodes(1, &tree, waits, ARRAY_SIZE(waits),
	            "   TOTAL   SHARE  COUNT   LONGEST        AT  WHO\n"
	            "9.000 ms  60.0 %      2  9.000 ms  0.001000  a\n"
	            "3.000 ms  20.0 %      1  3.000 ms  0.001000  |- disk 8,0\n"
	            "6.000 ms  40.0 %      -         -         -  `- ... 2 more\n"
	            "6.000 ms  40.0 %      3  3.000 ms  0.001000  ... 2 more\n");
}
END_TEST

/* The first of many small things, where its parent is large; nothing below a small one. */
START_TEST(a_large_node_shows_its_first_child)
{
	static const struct node waits[] = {
		{0, "a", 3, 300, 3, false},     {1, "b", 2, 9, 1, true},
		{2, "lock x", 0, 5, 1, true},   {2, "lock y", 0, 4, 1, true},
		{1, "c", 0, 8, 1, true},        {1, "d", 0, 7, 1, true},
	};
	const struct tree tree = {
		.title = "WHO", .total = 10000, .root_count = 1, .chains_left_out = 1234,
		.total_left_out = 9700,
	};

	check_nodes(5, &tree, waits, ARRAY_SIZE(waits),
	            " TOTAL  SHARE  COUNT  LONGEST        AT  WHO\n"
	            "300 ns  3.0 %      -        -         -  a\n"
	            "  9 ns  0.1 %      1     9 ns  0.001000  |- b\n"
	            " 15 ns  0.1 %      -        -         -  `- ... 2 more\n"
	            "... 1,234 small chains more, together 9.700 us, are not in the tree\n");
}
END_TEST

/* Figures go before the label is cut; of tree lines the outermost stay, then the depth is told. */
START_TEST(a_narrow_page_keeps_labels)
{
	static const struct node deep[] = {
		{0, "0", 1, 9000, 1, true},         {1, "1", 2, 9000, 1, true},
		{2, "2", 1, 8000, 1, true},         {3, "3", 1, 8000, 1, true},
		{4, "4", 1, 8000, 1, true},         {5, "five is the depth of it", 1, 8000, 1, true},
		{6, "it takes two lines", 0, 8000, 1, true}, {2, "b", 0, 1000, 1, true},
	};
	const struct tree tree = {.title = "WHO", .total = 9000, .root_count = 1};
	const struct presenter_options options = {.width = 40};

	check_nodes_on(&options, &tree, deep, ARRAY_SIZE(deep),
	               "   TOTAL  WHO\n"
	               "9.000 us  0\n"
	               "9.000 us  `- 1\n"
	               "8.000 us     |- 2\n"
	               "8.000 us     |  `- 3\n"
	               "8.000 us     |     `- 4\n"
	               "8.000 us     |     ~5 `- five is the de~\n"
	               "8.000 us     |     ~6 `- it takes two l~\n"
	               "1.000 us     `- b\n");
}
END_TEST

START_TEST(an_empty_tree_says_so)
{
	check_nodes(5, &(struct tree){.title = "WHO"}, NULL, 0, "(none)\n");
}
END_TEST

Suite *text_tree_suite(void)
{
	Suite *suite = suite_create("text_tree");
	TCase *tests = tcase_create("text_tree");

	tcase_add_test(tests, small_branches_are_summed);
	tcase_add_test(tests, everything_is_shown_without_top);
	tcase_add_test(tests, only_figures_that_hold_are_reported);
	tcase_add_test(tests, a_large_node_shows_its_first_child);
	tcase_add_test(tests, a_narrow_page_keeps_labels);
	tcase_add_test(tests, an_empty_tree_says_so);
	suite_add_tcase(suite, tests);
	return suite;
}
