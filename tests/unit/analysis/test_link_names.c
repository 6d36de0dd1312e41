/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/paths/chain_words.h"

#include <string.h>

#include "suites.h"

#define FIRST_TID 100

static struct timeline timeline;
static struct link_names links;
static struct name_folds folds;
static struct buffer text;

/* worker-1, worker-2, worker-3, worker-3, git, git; each track has its number from FIRST_TID on. */
static void names_setup(void)
{
	static const char *const names[] = {"worker-1", "worker-2", "worker-3",
	                                    "worker-3", "git",      "git"};

	timeline_init(&timeline, /* keep_segments= */ false);
	for (uint32_t i = 0; i < 6; i++) {
		uint32_t track = timeline_add_track(&timeline, FIRST_TID + (int32_t)i);

		timeline_add_name(&timeline, track, 0, names[i], strlen(names[i]));
	}
	link_names_init(&links, &timeline);
	name_folds_init(&folds, &timeline.names);
	buffer_init(&text, 256);
}

static void names_teardown(void)
{
	buffer_release(&text);
	name_folds_release(&folds);
	link_names_release(&links);
	timeline_release(&timeline);
}

static const struct presenter folding = {.folds_names = true};

static void fold_all(void)
{
	bool is_asked[6] = {true, true, true, true, true, true};
	struct resolved resolved = {.is_asked = is_asked};
	struct question question = {.timeline = &timeline, .resolved = &resolved};

	name_folds_release(&folds);
	links.folds = name_folds_of_tasks(&folds, &folding, &question);
	ck_assert_ptr_eq(links.folds, &folds);
}

/* How a link of that name is called of which those tracks had so much. */
static const char *called(const char *name, const struct voter *voter, bool is_own)
{
	buffer_clear(&text);
	(void)link_names_append(&links, intern_adds(&timeline.names, name), voter, is_own, &text);
	return text.text;
}

static struct voter votes(uint64_t first, uint64_t second, uint64_t third)
{
	struct voter voter = {0};

	voter_vote(&voter, 0, first);
	voter_vote(&voter, 1, second);
	voter_vote(&voter, 2, third);
	return voter;
}

START_TEST(a_fold_is_called_by_its_stem)
{
	struct voter even = votes(10, 10, 10), most = votes(40, 10, 10), one = {0}, twin = {0};

	fold_all();
	voter_vote(&one, 1, 10);
	voter_vote(&twin, 3, 10);
	ck_assert_str_eq(called("worker-*", &even, false), "worker-*");
	ck_assert_str_eq(called("worker-*", &even, true), "other worker-* tasks");
	ck_assert_str_eq(called("worker-*", &most, false), "worker-1[100] and others");
	/* it alone is called so; two are called worker-3 */
	ck_assert_str_eq(called("worker-*", &one, false), "worker-2");
	ck_assert_str_eq(called("worker-*", &twin, false), "worker-3[103]");
	ck_assert(link_name_is_of_many(&links, intern_adds(&timeline.names, "worker-*")));
}
END_TEST

/* What it was called when it waited: a name that the fold has. */
START_TEST(a_member_has_its_name_of_the_fold)
{
	struct voter one = {0};

	fold_all();
	timeline_add_name(&timeline, 1, 50, "retired", strlen("retired"));
	voter_vote(&one, 1, 10);
	ck_assert_str_eq(called("worker-*", &one, false), "worker-2");
}
END_TEST

START_TEST(other_names_are_called_as_before)
{
	struct voter one = {0};

	fold_all();
	voter_vote(&one, 4, 10);
	ck_assert_str_eq(called("git", &one, false), "git[104]");
	voter_vote(&one, 5, 5);
	ck_assert_str_eq(called("git", &one, false), "git[104] and others");
	ck_assert(!link_name_is_of_many(&links, intern_adds(&timeline.names, "make")));
}
END_TEST

START_TEST(of_few_asked_tasks_each_is_named)
{
	bool is_asked[6] = {true, true, false, false, false, false};
	struct resolved resolved = {.is_asked = is_asked};
	struct question question = {.timeline = &timeline, .resolved = &resolved};

	name_folds_release(&folds);
	ck_assert_ptr_null(name_folds_of_tasks(&folds, &folding, &question));
	ck_assert_uint_eq(name_fold(&folds, intern_adds(&timeline.names, "worker-1")),
	                  intern_adds(&timeline.names, "worker-1"));
}
END_TEST

Suite *link_names_suite(void)
{
	Suite *suite = suite_create("link_names");
	TCase *tests = tcase_create("link_names");

	tcase_add_checked_fixture(tests, names_setup, names_teardown);
	tcase_add_test(tests, a_fold_is_called_by_its_stem);
	tcase_add_test(tests, a_member_has_its_name_of_the_fold);
	tcase_add_test(tests, other_names_are_called_as_before);
	tcase_add_test(tests, of_few_asked_tasks_each_is_named);
	suite_add_tcase(suite, tests);
	return suite;
}
