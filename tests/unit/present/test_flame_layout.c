/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "present/picture/flame_layout.h"
#include "sample_paths.h"
#include "suites.h"

struct asked {
	const char *notation;
	nsec_t total;
};

static struct flame_tree tree;
static struct flame_layout layout;
static struct buffer shown;

/* "LEVEL text begin+total self" of each frame, in order. */
static const char *laid_out(const struct asked *asked, size_t count)
{
	flame_tree_init(&tree, FLAME_NODES_MAX);
	for (size_t i = 0; i < count; i++) {
		struct sample_path sample;
		char text[100];
		struct path path = sample_path(&sample, text, sizeof(text), asked[i].notation,
		                               asked[i].total, 1);

		flame_tree_add(&tree, &path);
	}
	flame_layout_make(&layout, &tree);
	buffer_init(&shown, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < layout.count; i++) {
		const struct flame_frame *frame = &layout.frame[i];

		buffer_printf(&shown, "%u ", frame->level);
		if (frame->folded)
			buffer_printf(&shown, "(%u)", frame->folded);
		buffer_printf(&shown, "%s %llu+%llu %llu\n", intern_text(&tree.names, frame->name),
		              (unsigned long long)frame->begin, (unsigned long long)frame->total,
		              (unsigned long long)frame->self);
	}
	return shown.text;
}

static void layout_forget(void)
{
	buffer_release(&shown);
	flame_layout_release(&layout);
	flame_tree_release(&tree);
}

START_TEST(siblings_stand_in_the_order_of_their_texts)
{
	static const struct asked asked[] = {
		{"sh;cat", 100}, {"sh;awk;c:[disk]", 50}, {"sh;awk", 5}, {"cat", 845},
	};

	ck_assert_str_eq(laid_out(asked, ARRAY_SIZE(asked)),
	                 "0 all 0+1000 0\n"
	                 "1 cat 0+845 845\n"
	                 "1 sh 845+155 0\n"
	                 "2 awk 845+55 5\n"
	                 "3 [disk] 845+50 50\n"
	                 "2 cat 900+100 100\n");
	ck_assert_uint_eq(layout.levels, 4);
	ck_assert_uint_eq(layout.folded, 0);
	ck_assert_uint_eq(layout.kinds, 1u << SHOWN_TASK | 1u << SHOWN_CAUSE);
	layout_forget();
}
END_TEST

/* A thousandth is shown, less is not; nothing of the time is lost. */
START_TEST(small_frames_are_folded)
{
	static const struct asked asked[] = {
		{"z", 997600}, {"b;one", 1000}, {"b;two", 999}, {"b;three;four;five", 1}, {"a", 400},
	};

	ck_assert_str_eq(laid_out(asked, ARRAY_SIZE(asked)),
	                 "0 all 0+1000000 0\n"
	                 "1 b 0+2000 0\n"
	                 "2 one 0+1000 1000\n"
	                 "2 (4) 1000+1000 0\n"
	                 "1 z 2000+997600 997600\n"
	                 "1 (1) 999600+400 0\n");
	ck_assert_uint_eq(layout.folded, 5);
	ck_assert_uint_eq(layout.folded_total, 1400);
	layout_forget();
}
END_TEST

START_TEST(a_share_is_not_rounded)
{
	static const struct asked asked[] = {{"big", 1000}, {"small", 1}};

	ck_assert_str_eq(laid_out(asked, ARRAY_SIZE(asked)),
	                 "0 all 0+1001 0\n1 big 0+1000 1000\n1 (1) 1000+1 0\n");
	layout_forget();
}
END_TEST

START_TEST(nothing_has_no_frames)
{
	ck_assert_str_eq(laid_out(NULL, 0), "");
	ck_assert_uint_eq(layout.total, 0);
	ck_assert_uint_eq(layout.levels, 0);
	layout_forget();
}
END_TEST

START_TEST(sums_at_the_end_of_time)
{
	static const struct asked asked[] = {{"a", UINT64_MAX - 2}, {"b;c", UINT64_MAX}};

	ck_assert_str_eq(laid_out(asked, ARRAY_SIZE(asked)),
	                 "0 all 0+18446744073709551615 0\n"
	                 "1 a 0+18446744073709551613 18446744073709551613\n"
	                 "1 (2) 18446744073709551613+2 0\n");
	layout_forget();
}
END_TEST

/* Whether the children of each frame lie within it, side by side, and fill it but for its self. */
static bool layout_tiles(void)
{
	nsec_t filled[64] = {0};
	bool is_whole = true;

	for (size_t i = layout.count; i-- > 0;) {
		const struct flame_frame *frame = &layout.frame[i];

		if (!frame->folded && filled[frame->level + 1] + frame->self != frame->total)
			is_whole = false;
		filled[frame->level + 1] = 0;
		filled[frame->level] += frame->total;
	}
	return is_whole;
}

static unsigned random_next(void)
{
	static unsigned seed = 1;

	seed = seed * 1103515245 + 12345;
	return seed >> 16;
}

START_TEST(random_paths_are_tiled)
{
	for (int round = 0; round < 20; round++) {
		struct path_frame frame[40];

		flame_tree_init(&tree, FLAME_NODES_MAX);
		for (int i = 0; i < 500; i++) {
			static const char *const texts[] = {"a", "b", "c", "d", "e", "f"};
			size_t count = 1 + random_next() % ARRAY_SIZE(frame);
			struct figures figures = {.total = random_next() % 100000};

			for (size_t at = 0; at < count; at++)
				frame[at] = (struct path_frame){texts[random_next() % 6],
				                                random_next() % 5};
			flame_tree_add(&tree, &(struct path){frame, count, figures});
		}
		flame_layout_make(&layout, &tree);
		ck_assert_uint_eq(layout.frame[0].total, tree.node[FLAME_ROOT].total);
		ck_assert_uint_gt(layout.folded, 0);
		ck_assert(layout_tiles());
		flame_layout_release(&layout);
		flame_tree_release(&tree);
	}
}
END_TEST

Suite *flame_layout_suite(void)
{
	Suite *suite = suite_create("flame_layout");
	TCase *tests = tcase_create("flame_layout");

	tcase_add_test(tests, siblings_stand_in_the_order_of_their_texts);
	tcase_add_test(tests, small_frames_are_folded);
	tcase_add_test(tests, a_share_is_not_rounded);
	tcase_add_test(tests, nothing_has_no_frames);
	tcase_add_test(tests, sums_at_the_end_of_time);
	tcase_add_test(tests, random_paths_are_tiled);
	suite_add_tcase(suite, tests);
	return suite;
}
