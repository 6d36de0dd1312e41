/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/paths/flame_path.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static void check_text(const char *frames, unsigned most, const char *expected)
{
	struct buffer text;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	stack_text_append(&text, frames, most);
	ck_assert_str_eq(text.text, expected);
	buffer_release(&text);
}

START_TEST(words_of_a_stack)
{
	check_text("", 3, "");
	check_text("a", 3, "a");
	check_text("a;b;c", 3, "a < b < c");
	check_text("a;b;c;d", 3, "a < b < c < ...");
	check_text("a;b", 1, "a < ...");
}
END_TEST

/* Where it came into the kernel it ends, with whatever the compiler made of the name. */
START_TEST(words_end_at_the_entry)
{
	check_text("vfs_read;ksys_read;do_syscall_64;entry_SYSCALL_64_after_hwframe", 9,
	           "vfs_read < ksys_read");
	check_text("a;do_syscall_64.constprop.0", 9, "a");
	check_text("a;el0_svc;b", 9, "a");
	check_text("worker_thread;kthread;ret_from_fork", 9, "worker_thread");
	check_text("a;b;do_syscall_64", 2, "a < b");
	check_text("a;do_syscall_644", 9, "a < do_syscall_644");
	check_text("a;do_syscall_6", 9, "a < do_syscall_6");
	/* but not what it begins with */
	check_text("kthread;a", 9, "kthread < a");
}
END_TEST

START_TEST(words_are_clean)
{
	check_text("a\033[1m;b", 9, "a\\x1b[1m < b");
}
END_TEST

static void check_main_function(const char *frames, const char *expected)
{
	size_t length = 77;
	const char *at = stack_main_function(frames, &length);

	ck_assert_uint_eq(length, strlen(expected));
	ck_assert_mem_eq(at, expected, length);
	ck_assert(at >= frames && at + length <= frames + strlen(frames));
}

START_TEST(callers_of_plain_sleeps_count)
{
	check_main_function("", "");
	check_main_function("futex_do_wait;do_futex", "futex_do_wait");
	check_main_function("wait_for_completion;flush_work;x", "flush_work");
	check_main_function("__wait_for_common;wait_for_completion_state;call_usermodehelper_exec",
	                    "call_usermodehelper_exec");
	check_main_function("__mutex_lock.constprop.0;do_it", "do_it");
	/* of those that have no caller the outermost */
	check_main_function("__mutex_lock", "__mutex_lock");
	check_main_function("wait_for_common;wait_for_completion", "wait_for_completion");
	check_main_function("wait_for_completions;x", "wait_for_completions");
}
END_TEST

static void check_path(void (*add)(struct flame_path *, enum path_frame_kind, const char *),
                       const char *frames, const char *const *expected, size_t count)
{
	struct flame_path path;
	const char *text;

	flame_path_init(&path);
	add(&path, SHOWN_USER, frames);
	ck_assert_uint_eq(path.count, count);
	text = path.text.text;
	for (size_t i = 0; i < count; i++, text += strlen(text) + 1) {
		ck_assert_str_eq(text, expected[i]);
		ck_assert_int_eq(path.frame[i].kind, SHOWN_USER);
	}
	flame_path_release(&path);
}

START_TEST(stacks_are_paths_either_way)
{
	static const char *const as_is[] = {"inner", "middle", "outer"};
	static const char *const turned[] = {"outer", "middle", "inner"};

	check_path(stack_path_inward, "inner;middle;outer", as_is, 3);
	check_path(stack_path_outward, "inner;middle;outer", turned, 3);
	check_path(stack_path_inward, "inner", as_is, 1);
	check_path(stack_path_outward, "outer", turned, 1);
	check_path(stack_path_inward, "", NULL, 0);
	check_path(stack_path_outward, "", NULL, 0);
}
END_TEST

Suite *stack_words_suite(void)
{
	Suite *suite = suite_create("stack_words");
	TCase *tests = tcase_create("stack_words");

	tcase_add_test(tests, words_of_a_stack);
	tcase_add_test(tests, words_end_at_the_entry);
	tcase_add_test(tests, words_are_clean);
	tcase_add_test(tests, callers_of_plain_sleeps_count);
	tcase_add_test(tests, stacks_are_paths_either_way);
	suite_add_tcase(suite, tests);
	return suite;
}
