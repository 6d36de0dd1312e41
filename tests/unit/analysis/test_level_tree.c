/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/level_tree.h"
#include "base/data/array.h"
#include "suites.h"

static struct level_tree tree;
static struct buffer label, shown;

static void levels_setup(void)
{
	level_tree_init(&tree);
	buffer_init(&label, BUFFER_LIMIT_DEFAULT);
	buffer_init(&shown, BUFFER_LIMIT_DEFAULT);
}

static void levels_teardown(void)
{
	level_tree_release(&tree);
	buffer_release(&label);
	buffer_release(&shown);
}

static uint32_t below(uint32_t parent, const char *text)
{
	uint32_t level;

	buffer_puts(&label, text);
	level = level_tree_below(&tree, parent, &label, /* tag= */ 7);
	ck_assert_uint_eq(label.length, 0);
	return level;
}

static uint32_t add(uint32_t level, nsec_t total, nsec_t at)
{
	return level_tree_add(&tree, level, &(struct figures){total, 1, total, at});
}

static void show_begin(void *to, const struct tree *whole)
{
	buffer_printf(to, "%llu of %zu", (unsigned long long)whole->total, whole->root_count);
}

static bool show_node(void *to, unsigned depth, const struct tree_node *node)
{
	buffer_printf(to, "; %u %s %llu*%llu<%llu@%llu%s", depth, node->label,
	              (unsigned long long)node->figures.total,
	              (unsigned long long)node->figures.count,
	              (unsigned long long)node->figures.longest,
	              (unsigned long long)node->figures.longest_at,
	              node->is_exact ? "" : " about");
	return node->label[0] != '-';
}

static void show_end(void *to)
{
	buffer_puts(to, ".");
}

static bool no_cause(const void *state, uint32_t tag, struct cause *ret)
{
	(void)state;
	(void)ret;
	ck_assert_uint_eq(tag, 7);
	return false;
}

static void check_shown(const char *expected)
{
	static const struct tree_hooks tree_hooks = {
		.begin = show_begin, .node = show_node, .end = show_end};
	static const struct presenter presenter = {.tree = &tree_hooks};
	static const struct asked asked; /* nobody asks for links */
	const struct question question = {.asked = &asked};
	const struct output to = {&presenter, &shown};

	buffer_clear(&shown);
	level_tree_show(&tree, &(struct tree){.key = "k"},
	                &(struct level_knowledge){NULL, no_cause, NULL}, &question, &to);
	ck_assert_str_eq(shown.text, expected);
}

START_TEST(nothing_is_a_tree_too)
{
	check_shown("0 of 0.");
}
END_TEST

START_TEST(equal_labels_are_one_level)
{
	uint32_t a = below(0, "a"), b = below(a, "b");

	ck_assert_uint_eq(below(0, "a"), a);
	ck_assert_uint_eq(below(a, "b"), b);
	ck_assert_uint_ne(below(0, "b"), b);
	ck_assert_uint_ne(below(b, "b"), b);
}
END_TEST

START_TEST(sums_go_up_and_the_largest_comes_first)
{
	uint32_t a = below(0, "a"), b = below(0, "b"), x = below(b, "x"), y = below(b, "y"),
	         deep = below(y, "deep");

	ck_assert_uint_eq(add(a, 10, 1), a);
	ck_assert_uint_eq(add(x, 5, 2), b);
	ck_assert_uint_eq(add(deep, 6, 3), b);
	check_shown("21 of 2; 0 b 11*2<6@3 about; 1 y 6*1<6@3; 2 deep 6*1<6@3; 1 x 5*1<5@2; "
	            "0 a 10*1<10@1.");
	/* what is known better is not about that */
	level_tree_set(&tree, b, &(struct figures){.count = 1, .longest = 11, .longest_at = 2});
	check_shown("21 of 2; 0 b 11*1<11@2; 1 y 6*1<6@3; 2 deep 6*1<6@3; 1 x 5*1<5@2; "
	            "0 a 10*1<10@1.");
}
END_TEST

START_TEST(equal_ones_come_by_label)
{
	static const char *const labels[] = {"c", "a", "b"};

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		(void)add(below(0, labels[i]), 10, i);
	check_shown("30 of 3; 0 a 10*1<10@1; 0 b 10*1<10@2; 0 c 10*1<10@0.");
}
END_TEST

/* The presenter may leave out what is below. */
START_TEST(what_is_below_may_be_left_out)
{
	(void)add(below(below(0, "-a"), "b"), 10, 0);
	check_shown("10 of 1; 0 -a 10*1<10@0.");
}
END_TEST

Suite *level_tree_suite(void)
{
	Suite *suite = suite_create("level_tree");
	TCase *tests = tcase_create("level_tree");

	tcase_add_checked_fixture(tests, levels_setup, levels_teardown);
	tcase_add_test(tests, nothing_is_a_tree_too);
	tcase_add_test(tests, equal_labels_are_one_level);
	tcase_add_test(tests, sums_go_up_and_the_largest_comes_first);
	tcase_add_test(tests, equal_ones_come_by_label);
	tcase_add_test(tests, what_is_below_may_be_left_out);
	suite_add_tcase(suite, tests);
	return suite;
}
