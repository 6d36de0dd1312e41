/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/paths/flame_path.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static struct flame_path path;

static void path_setup(void)
{
	flame_path_init(&path);
}

static void path_teardown(void)
{
	flame_path_release(&path);
}

/* What a presenter was given, ";" between. */
static void take_path(void *state, const struct path *given)
{
	struct buffer *to = state;

	buffer_clear(to);
	for (size_t i = 0; i < given->count; i++)
		buffer_printf(to, "%s%d:%s", i ? ";" : "", given->frame[i].kind,
		              given->frame[i].text);
	buffer_printf(to, " %llu", (unsigned long long)given->figures.total);
}

static void check_shown(const char *expected)
{
	static const struct paths_hooks paths = {.path = take_path};
	static const struct presenter presenter = {.paths = &paths};
	struct buffer got;
	const struct output to = {&presenter, &got};

	buffer_init(&got, BUFFER_LIMIT_DEFAULT);
	flame_path_show(&path, &(struct figures){.total = 12}, &to);
	ck_assert_str_eq(got.text, expected);
	buffer_release(&got);
}

START_TEST(frames_in_order)
{
	flame_path_add(&path, SHOWN_TASK, "task");
	flame_path_add_piece(&path, SHOWN_KERNEL, "innermost", 5);
	flame_path_add(&path, SHOWN_MARK, "");
	check_shown("0:task;2:inner;4: 12");
	/* shown again: the same */
	check_shown("0:task;2:inner;4: 12");
	flame_path_clear(&path);
	flame_path_add(&path, SHOWN_USER, "other");
	check_shown("3:other 12");
}
END_TEST

/* The texts move while they grow. */
START_TEST(many_frames)
{
	const char *text;

	for (size_t i = 0; i < 3000; i++)
		flame_path_add(&path, SHOWN_KERNEL, i % 2 ? "odd" : "even");
	ck_assert_uint_eq(path.count, 3000);
	text = path.text.text;
	for (size_t i = 0; i < path.count; i++, text += strlen(text) + 1)
		ck_assert_str_eq(text, i % 2 ? "odd" : "even");
}
END_TEST

START_TEST(ends_of_chains)
{
	flame_path_add_end(&path, &(struct chain_link){.comm = "a", .state = "running"});
	ck_assert_uint_eq(path.count, 0);
	flame_path_add_end(&path, &(struct chain_link){.comm = "a", .state = "waiting"});
	flame_path_add_end(&path, &(struct chain_link){.comm = "a", .state = "runnable"});
	check_shown("1:[still waiting at the end];1:[runnable] 12");
}
END_TEST

Suite *flame_path_suite(void)
{
	Suite *suite = suite_create("flame_path");
	TCase *tests = tcase_create("flame_path");

	tcase_add_checked_fixture(tests, path_setup, path_teardown);
	tcase_add_test(tests, frames_in_order);
	tcase_add_test(tests, many_frames);
	tcase_add_test(tests, ends_of_chains);
	suite_add_tcase(suite, tests);
	return suite;
}
