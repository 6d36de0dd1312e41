/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "present/picture/flame_layout.h"
#include "present/picture/svg_graph.h"
#include "sample_paths.h"
#include "suites.h"

static void tree_add(struct flame_tree *tree, const char *notation, nsec_t total, uint64_t count)
{
	struct sample_path sample;
	char text[100];
	struct path path = sample_path(&sample, text, sizeof(text), notation, total, count);

	flame_tree_add(tree, &path);
}

/* The child of that text, of which there must be one at most. */
static const struct flame_node *child_of(const struct flame_tree *tree,
                                         const struct flame_node *parent, const char *text)
{
	const struct flame_node *found = NULL;
	uint32_t at = parent->first_child;

	for (; at != FLAME_NONE; at = tree->node[at].next_sibling) {
		if (strcmp(flame_node_text(tree, at), text) != 0)
			continue;
		ck_assert_ptr_null(found);
		found = &tree->node[at];
	}
	ck_assert_ptr_nonnull(found);
	return found;
}

START_TEST(paths_share_their_beginnings)
{
	struct flame_tree tree;
	const struct flame_node *shell;

	flame_tree_init(&tree, FLAME_NODES_MAX);
	tree_add(&tree, "sh;cat;c:[disk]", 100, 2);
	tree_add(&tree, "cat", 7, 1);
	tree_add(&tree, "sh;cat", 30, 3);
	tree_add(&tree, "sh;cat;c:[disk]", 5, 1);
	tree_add(&tree, "sh;k:read", 1, 1);
	tree_add(&tree, "sh;nothing", 0, 1);
	ck_assert_uint_eq(tree.count, 6);
	ck_assert_uint_eq(tree.node[FLAME_ROOT].total, 143);
	ck_assert_uint_eq(tree.node[FLAME_ROOT].count, 8);
	shell = child_of(&tree, &tree.node[FLAME_ROOT], "sh");
	ck_assert_uint_eq(shell->total, 136);
	ck_assert_uint_eq(child_of(&tree, shell, "cat")->total, 135);
	ck_assert_uint_eq(child_of(&tree, child_of(&tree, shell, "cat"), "[disk]")->count, 3);
	ck_assert_uint_eq(child_of(&tree, shell, "read")->kind, SHOWN_KERNEL);
	ck_assert_uint_eq(child_of(&tree, &tree.node[FLAME_ROOT], "cat")->total, 7);
	flame_tree_release(&tree);
}
END_TEST

START_TEST(one_text_of_two_kinds_is_two_nodes)
{
	struct flame_tree tree;

	flame_tree_init(&tree, FLAME_NODES_MAX);
	tree_add(&tree, "same", 1, 1);
	tree_add(&tree, "u:same", 2, 1);
	tree_add(&tree, "k:same", 3, 1);
	ck_assert_uint_eq(tree.count, 4);
	flame_tree_release(&tree);
}
END_TEST

/* What is deeper belongs to the last frame that there is room for. */
START_TEST(depth_is_bounded)
{
	struct path_frame frame[FLAME_DEPTH_MAX + 10];
	struct flame_tree tree;

	for (size_t i = 0; i < FLAME_DEPTH_MAX + 10; i++)
		frame[i] = (struct path_frame){"again", SHOWN_KERNEL};
	flame_tree_init(&tree, FLAME_NODES_MAX);
	flame_tree_add(&tree, &(struct path){frame, FLAME_DEPTH_MAX, {.total = 5}});
	ck_assert_uint_eq(tree.cut_deep, 0);
	flame_tree_add(&tree, &(struct path){frame, FLAME_DEPTH_MAX + 10, {.total = 7}});
	ck_assert_uint_eq(tree.cut_deep, 1);
	ck_assert_uint_eq(tree.count, FLAME_DEPTH_MAX + 1);
	ck_assert_uint_eq(tree.node[FLAME_DEPTH_MAX].total, 12);
	flame_tree_release(&tree);
}
END_TEST

START_TEST(nodes_are_bounded)
{
	struct flame_tree tree;

	flame_tree_init(&tree, 3);
	tree_add(&tree, "a;b", 1, 1);
	tree_add(&tree, "a;c;d", 20, 1);
	tree_add(&tree, "a;b", 300, 1);
	ck_assert_uint_eq(tree.count, 3);
	ck_assert_uint_eq(tree.cut_full, 1);
	ck_assert_uint_eq(tree.node[1].total, 321);
	ck_assert_uint_eq(tree.node[2].total, 301);
	flame_tree_release(&tree);
}
END_TEST

START_TEST(sums_do_not_wrap)
{
	struct flame_tree tree;

	flame_tree_init(&tree, FLAME_NODES_MAX);
	tree_add(&tree, "a", UINT64_MAX - 2, 1);
	tree_add(&tree, "b", 5, 1);
	tree_add(&tree, "b", 5, 1);
	ck_assert_uint_eq(tree.node[FLAME_ROOT].total, UINT64_MAX);
	ck_assert_uint_eq(child_of(&tree, &tree.node[FLAME_ROOT], "b")->total, 2);
	flame_tree_release(&tree);
}
END_TEST

/* Of black text on it. */
static double contrast(uint32_t color)
{
	double weight[] = {0.0722, 0.7152, 0.2126}, sum = 0;

	for (size_t i = 0; i < 3; i++, color >>= 8)
		sum += weight[i] * pow((color & 0xff) / 255.0, 2.2);
	return (sum + 0.05) / 0.05;
}

/* WCAG 2 asks for a contrast of 4.5; a text has one shade on every run and machine. */
START_TEST(colours_are_steady_and_light)
{
	char text[] = "0123456789";

	ck_assert_uint_eq(flame_color(SHOWN_KERNEL, "schedule"), 0xf7ae3d);
	ck_assert_uint_ne(flame_color(SHOWN_KERNEL, "schedule"), flame_color(SHOWN_KERNEL, "read"));
	ck_assert_uint_ne(flame_color(SHOWN_KERNEL, "read"), flame_color(SHOWN_USER, "read"));
	for (unsigned kind = SHOWN_TASK; kind <= SHOWN_MARK; kind++)
		for (int i = 0; i < 1000; i++) {
			text[i % 10] = (char)('a' + i * 7 % 26);
			ck_assert(contrast(flame_color((enum path_frame_kind)kind, text)) >= 4.5);
		}
}
END_TEST

Suite *flame_tree_suite(void)
{
	Suite *suite = suite_create("flame_tree");
	TCase *tests = tcase_create("flame_tree");

	tcase_add_test(tests, paths_share_their_beginnings);
	tcase_add_test(tests, one_text_of_two_kinds_is_two_nodes);
	tcase_add_test(tests, depth_is_bounded);
	tcase_add_test(tests, nodes_are_bounded);
	tcase_add_test(tests, sums_do_not_wrap);
	tcase_add_test(tests, colours_are_steady_and_light);
	suite_add_tcase(suite, tests);
	return suite;
}
