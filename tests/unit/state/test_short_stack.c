/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which stacks of programs end too early, by the names of their functions. */
#include "graph/logs/short_stacks.h"

#include "suites.h"

START_TEST(a_function_that_others_call_is_no_end)
{
	ck_assert(short_stack_is_cut("read"));
	ck_assert(short_stack_is_cut("epoll_wait;uv__io_poll"));
	ck_assert(short_stack_is_cut("maintain"));
	ck_assert(short_stack_is_cut("starts"));
}
END_TEST

START_TEST(a_begin_of_a_program_or_thread_is_an_end)
{
	ck_assert(!short_stack_is_cut("read;main"));
	ck_assert(!short_stack_is_cut("start_thread"));
	ck_assert(!short_stack_is_cut("worker;clone3"));
	ck_assert(!short_stack_is_cut("futex_wait;__libc_start_main"));
	ck_assert(!short_stack_is_cut("main.constprop.0"));
	ck_assert(!short_stack_is_cut("runtime.futex;runtime.mcall"));
}
END_TEST

START_TEST(a_caller_without_a_name_may_be_where_a_thread_began)
{
	ck_assert(!short_stack_is_cut("read;libc.so.6+0x26d68"));
	ck_assert(short_stack_is_cut("libc.so.6+0x26d68"));
}
END_TEST

START_TEST(longer_stacks_show_where_they_come_from)
{
	ck_assert(!short_stack_is_cut("read;g_main_poll;g_main_loop_run"));
}
END_TEST

START_TEST(what_is_not_known_is_not_judged)
{
	ck_assert(!short_stack_is_cut(""));
	ck_assert(!short_stack_is_cut("[not mapped]"));
}
END_TEST

Suite *short_stack_suite(void)
{
	Suite *suite = suite_create("short_stack");
	TCase *tests = tcase_create("short_stack");

	tcase_add_test(tests, a_function_that_others_call_is_no_end);
	tcase_add_test(tests, a_begin_of_a_program_or_thread_is_an_end);
	tcase_add_test(tests, a_caller_without_a_name_may_be_where_a_thread_began);
	tcase_add_test(tests, longer_stacks_show_where_they_come_from);
	tcase_add_test(tests, what_is_not_known_is_not_judged);
	suite_add_tcase(suite, tests);
	return suite;
}
