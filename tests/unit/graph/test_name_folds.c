/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/task_names.h"

#include <stdlib.h>
#include <string.h>

#include "graph/walk/chain_tree.h"
#include "suites.h"

static struct intern names;
static struct name_folds folds;

static void folds_setup(void)
{
	intern_init(&names);
	name_folds_init(&folds, &names);
}

static void folds_teardown(void)
{
	name_folds_release(&folds);
	intern_release(&names);
}

static void names_add(const char *const *name, bool is_asked)
{
	for (; *name; name++)
		name_folds_add(&folds, intern_adds(&names, *name), is_asked);
}

static const char *fold_of(const char *name)
{
	return intern_text(&names, name_fold(&folds, intern_adds(&names, name)));
}

START_TEST(stems_end_before_the_digits)
{
	ck_assert_uint_eq(name_stem("worker-12"), strlen("worker-"));
	ck_assert_uint_eq(name_stem("a1b2"), strlen("a1b"));
	ck_assert_uint_eq(name_stem("worker"), 0);
	ck_assert_uint_eq(name_stem("tokio-runtime-w"), 0);
	ck_assert_uint_eq(name_stem("123"), 0);
	ck_assert_uint_eq(name_stem(""), 0);
}
END_TEST

START_TEST(three_of_one_stem_fold)
{
	static const char *const all[] = {
		"worker-1", "worker-22", "worker-3", "loader-1",      "loader-2",        "1",
		"2",        "3",         "main",     "tokio-runtime", "C2 CompilerThre", NULL};

	names_add(all, /* is_asked= */ true);
	ck_assert(name_folds_close(&folds));
	ck_assert_str_eq(fold_of("worker-1"), "worker-*");
	ck_assert_str_eq(fold_of("worker-22"), "worker-*");
	ck_assert_str_eq(fold_of("worker-3"), "worker-*");
	for (size_t i = 3; all[i]; i++) {
		ck_assert_str_eq(fold_of(all[i]), all[i]);
		ck_assert(!name_is_folded(&folds, intern_adds(&names, all[i])));
	}
	ck_assert(name_is_folded(&folds, intern_adds(&names, "worker-*")));
	/* one that was not added */
	ck_assert_str_eq(fold_of("worker-4"), "worker-4");
}
END_TEST

START_TEST(one_name_counts_once)
{
	static const char *const all[] = {"a1", "a2", "a1", "a2", "a1", NULL};

	names_add(all, /* is_asked= */ true);
	names_add(all, /* is_asked= */ false);
	ck_assert(!name_folds_close(&folds));
	ck_assert_str_eq(fold_of("a1"), "a1");
}
END_TEST

START_TEST(few_that_are_asked_for_stay_apart)
{
	static const char *const asked[] = {"a1", "a2", "b1", "b2", "b3", "c1", NULL};
	static const char *const others[] = {"a3", "a4", "a5", "b4", "c2", "c3", NULL};

	names_add(asked, /* is_asked= */ true);
	names_add(others, /* is_asked= */ false);
	ck_assert(name_folds_close(&folds));
	ck_assert_str_eq(fold_of("a1"), "a1");
	ck_assert_str_eq(fold_of("a2"), "a2");
	ck_assert_str_eq(fold_of("a3"), "a*");
	ck_assert_str_eq(fold_of("a5"), "a*");
	ck_assert_str_eq(fold_of("b1"), "b*");
	/* the rest of those that are enough is one with them */
	ck_assert_str_eq(fold_of("b4"), "b*");
	/* neither of them are enough */
	ck_assert_str_eq(fold_of("c1"), "c1");
	ck_assert_str_eq(fold_of("c3"), "c3");
}
END_TEST

START_TEST(without_folds_names_are_themselves)
{
	ck_assert_uint_eq(name_fold(NULL, 7), 7);
	ck_assert(!name_is_folded(NULL, 7));
	ck_assert(!name_folds_close(&folds));
}
END_TEST

/* Three workers wait for 10, 20 and 30 ns: one link, with the sum of all. */
START_TEST(walks_of_a_fold_share_a_link)
{
	struct timeline timeline;
	struct name_folds of_tracks;
	struct chain_tree tree;

	timeline_init(&timeline, /* keep_segments= */ true);
	name_folds_init(&of_tracks, &timeline.names);
	for (uint32_t i = 0; i < 3; i++) {
		char name[] = "worker-1";
		uint32_t track = timeline_add_track(&timeline, (int32_t)i + 100);

		name[strlen(name) - 1] = (char)('1' + i);
		timeline_add_name(&timeline, track, 0, name, strlen(name));
		timeline_add_span(
			&timeline,
			&(struct span){.track = track, .end = 10 + 10 * i, .kind = SEGMENT_WAIT});
		name_folds_add(&of_tracks, timeline.track[track].last_name, true);
	}
	ck_assert(name_folds_close(&of_tracks));
	chain_tree_init(&tree, &timeline, CHAIN_NODES_MAX);
	tree.folds = &of_tracks;
	for (uint32_t track = 0; track < 3; track++)
		chain_tree_add(&tree, track, 0, 10 + 10 * track);
	ck_assert_uint_eq(tree.count, 2);
	ck_assert_str_eq(intern_text(&timeline.names, tree.node[1].comm), "worker-*");
	ck_assert_uint_eq(tree.node[1].total, 60);
	ck_assert_uint_eq(tree.node[1].count, 3);
	ck_assert_uint_eq(tree.node[1].max, 30);
	chain_tree_release(&tree);
	name_folds_release(&of_tracks);
	timeline_release(&timeline);
}
END_TEST

Suite *name_folds_suite(void)
{
	Suite *suite = suite_create("name_folds");
	TCase *tests = tcase_create("name_folds");

	tcase_add_checked_fixture(tests, folds_setup, folds_teardown);
	tcase_add_test(tests, stems_end_before_the_digits);
	tcase_add_test(tests, three_of_one_stem_fold);
	tcase_add_test(tests, one_name_counts_once);
	tcase_add_test(tests, few_that_are_asked_for_stay_apart);
	tcase_add_test(tests, without_folds_names_are_themselves);
	tcase_add_test(tests, walks_of_a_fold_share_a_link);
	suite_add_tcase(suite, tests);
	return suite;
}
