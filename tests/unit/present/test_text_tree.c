/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "present/text_tree.h"
#include "suites.h"

static const struct cause disk = {.kind = CAUSE_DISK, .as.disk.dev = 8u << 20};
static const struct cause timer = {.kind = CAUSE_TIMER, .name = "tick"};
static const struct cause lock = {.kind = CAUSE_LOCK, .name = "sem"};

static void add(struct link_tree *tree, const char *comm, const struct cause *cause, nsec_t total)
{
	const struct chain_link link = {comm, "waiting", cause};

	link_tree_add(tree, &(struct links){&link, 1},
	              &(struct link_figures){total, 1, total, 1000000}, NULL);
}

/* "big" waits mostly for the disk, "small" for three things alike, "tiny" for one. */
static void check_page(unsigned top, const char *expected)
{
	const struct presenter_options options = {.top = top};
	const struct text_style style = text_style_of(&options);
	struct link_tree tree;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	link_tree_init(&tree, /* ends_early= */ false);
	add(&tree, "big", &disk, 900000);
	add(&tree, "big", &timer, 5000);
	add(&tree, "big", &lock, 4000);
	add(&tree, "small", &disk, 3000);
	add(&tree, "small", &timer, 2000);
	add(&tree, "small", &lock, 100);
	add(&tree, "tiny", &disk, 50);
	text_tree_put(out, &options, &style, &tree, 0);
	link_tree_release(&tree);
	(void)fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(small_branches_are_summed)
{
	check_page(2,
	           "     TOTAL   SHARE  COUNT     LONGEST        AT  WHO WAITED, FOR WHOM, FOR WHAT\n"
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
	check_page(0,
	           "     TOTAL   SHARE  COUNT     LONGEST        AT  WHO WAITED, FOR WHOM, FOR WHAT\n"
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

/* One wait of 6 ms had two parts, another of 1 ms was for the lock. */
START_TEST(a_waiter_has_the_figures_of_its_waits)
{
	const struct presenter_options options = {.top = 1};
	const struct text_style style = text_style_of(&options);
	const struct link_figures waiter = {.count = 2, .longest = 6000000, .longest_at = 1000000};
	const struct chain_link links[] = {
		{"a", "waiting", &disk}, {"a", "waiting", &timer}, {"a", "waiting", &lock},
		{"b", "waiting", &disk}, {"c", "waiting", &disk},
	};
	struct link_tree tree;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	link_tree_init(&tree, /* ends_early= */ false);
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		link_tree_add(&tree, &(struct links){&links[i], 1},
		              &(struct link_figures){3000000, 1, 3000000, 2000000},
		              links[i].comm[0] == 'c' ? NULL : &waiter);
	text_tree_put(out, &options, &style, &tree, 0);
	link_tree_release(&tree);
	(void)fclose(out);
	ck_assert_str_eq(text,
	                 "   TOTAL   SHARE  COUNT   LONGEST        AT  "
	                 "WHO WAITED, FOR WHOM, FOR WHAT\n"
	                 "9.000 ms  60.0 %      2  6.000 ms  0.001000  a\n"
	                 "3.000 ms  20.0 %      1  3.000 ms  0.002000  |- disk 8,0\n"
	                 "6.000 ms  40.0 %      -         -         -  `- ... 2 more\n"
	                 "6.000 ms  40.0 %      3  6.000 ms  0.001000  ... 2 more\n");
	free(text);
}
END_TEST

Suite *text_tree_suite(void)
{
	Suite *suite = suite_create("text_tree");
	TCase *tests = tcase_create("text_tree");

	tcase_add_test(tests, small_branches_are_summed);
	tcase_add_test(tests, everything_is_shown_without_top);
	tcase_add_test(tests, a_waiter_has_the_figures_of_its_waits);
	suite_add_tcase(suite, tests);
	return suite;
}
