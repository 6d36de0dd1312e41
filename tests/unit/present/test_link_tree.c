/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "present/link_tree.h"
#include "suites.h"

static const struct cause by_worker = {
	.kind = CAUSE_TASK, .has_waker = true, .waker = {.tid = 7, .comm = "worker"},
};
static const struct cause disk = {.kind = CAUSE_DISK, .as.disk.dev = 254u << 20};
static const struct cause lock = {.kind = CAUSE_LOCK, .name = "mmap_lock"};

static void add(struct link_tree *tree, const struct chain_link *link, size_t count,
                nsec_t total, nsec_t at)
{
	link_tree_add(tree, &(struct links){link, count},
	               &(struct link_figures){total, 1, total, at}, NULL);
}

/* The tree as "label total(children...)". */
static void node_print(FILE *out, const struct link_tree *tree, uint32_t node)
{
	uint32_t *child = link_tree_children(tree, node);

	if (node)
		(void)fprintf(out, "%s %lu", link_tree_label(tree, node),
		              (unsigned long)tree->node[node].figures.total);
	for (uint32_t i = 0; i < tree->node[node].child_count; i++) {
		(void)fputs(i ? ", " : "(", out);
		node_print(out, tree, child[i]);
	}
	if (tree->node[node].child_count)
		(void)fputc(')', out);
	free(child);
}

static void check_tree(const struct link_tree *tree, const char *expected)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	node_print(out, tree, 0);
	(void)fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(common_beginnings_meet)
{
	const struct chain_link through[] = {
		{"db", "waiting", &by_worker}, {"worker", "waiting", &disk},
	};
	const struct chain_link runs[] = {
		{"db", "waiting", &by_worker}, {"worker", "running", NULL},
	};
	const struct chain_link held[] = {
		{"db", "waiting", &lock}, {"worker", "waiting", &disk},
	};
	const struct chain_link queued[] = {{"db", "runnable", NULL}};
	struct link_tree tree;

	link_tree_init(&tree, /* ends_early= */ false);
	add(&tree, runs, 2, 10, 5);
	add(&tree, through, 2, 70, 6);
	add(&tree, held, 2, 30, 7);
	add(&tree, queued, 1, 4, 8);
	add(&tree, through, 2, 1, 9);
	check_tree(&tree, "(db 115(worker 71(disk 254,0 71), "
	                  "lock mmap_lock 30(worker 30(disk 254,0 30)), "
	                  "worker running 10, runnable 4))");
	ck_assert_uint_eq(tree.node[0].figures.count, 5);
	ck_assert_uint_eq(tree.node[0].figures.longest, 70);
	ck_assert_uint_eq(tree.node[0].figures.longest_at, 6);
	link_tree_release(&tree);
}
END_TEST

START_TEST(equal_totals_go_by_name)
{
	const struct chain_link b = {"b", "waiting", NULL}, a = {"a", "waiting", NULL};
	struct link_tree tree;

	link_tree_init(&tree, /* ends_early= */ false);
	add(&tree, &b, 1, 5, 0);
	add(&tree, &a, 1, 5, 0);
	check_tree(&tree, "(a 5(not ended in this trace 5), b 5(not ended in this trace 5))");
	link_tree_release(&tree);
}
END_TEST

START_TEST(a_window_cuts_waits)
{
	const struct chain_link a = {"a", "waiting", NULL};
	struct link_tree tree;

	link_tree_init(&tree, /* ends_early= */ true);
	add(&tree, &a, 1, 5, 0);
	check_tree(&tree, "(a 5(not ended in this window 5))");
	link_tree_release(&tree);
}
END_TEST

START_TEST(a_tree_is_bounded)
{
	struct chain_link deep[2 * LINK_TREE_DEPTH_MAX];
	const struct chain_link one = {"a", "waiting", NULL};
	struct link_tree tree;

	for (size_t i = 0; i < ARRAY_SIZE(deep); i++)
		deep[i] = one;
	link_tree_init(&tree, /* ends_early= */ false);
	add(&tree, deep, ARRAY_SIZE(deep), 1, 0);
	ck_assert_uint_eq(tree.node_count, LINK_TREE_DEPTH_MAX + 1);
	for (size_t i = 1; i < LINK_TREE_ROWS_MAX + 7; i++)
		add(&tree, &one, 1, 2, 0);
	ck_assert_uint_eq(tree.rows, LINK_TREE_ROWS_MAX);
	ck_assert_uint_eq(tree.rows_left_out, 7);
	ck_assert_uint_eq(tree.total_left_out, 14);
	/* Shares are of everything, also of what is left out. */
	ck_assert_uint_eq(tree.node[0].figures.total, 1 + 2 * (LINK_TREE_ROWS_MAX + 6));
	link_tree_release(&tree);
}
END_TEST

Suite *link_tree_suite(void)
{
	Suite *suite = suite_create("link_tree");
	TCase *tests = tcase_create("link_tree");

	tcase_add_test(tests, common_beginnings_meet);
	tcase_add_test(tests, equal_totals_go_by_name);
	tcase_add_test(tests, a_window_cuts_waits);
	tcase_add_test(tests, a_tree_is_bounded);
	suite_add_tcase(suite, tests);
	return suite;
}
