/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/kernel/kernel_numbers.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/data/array.h"
#include "suites.h"

START_TEST(numbers_are_those_of_the_trace)
{
	static const struct {
		const char *arch;
		int child, go_on, user1, bus;
	} machines[] = {
		{NULL, 17, 18, 10, 7},        {"x86_64", 17, 18, 10, 7},  {"armv7l", 17, 18, 10, 7},
		{"ppc64", 17, 18, 10, 7},     {"s390x", 17, 18, 10, 7},   {"riscv64", 17, 18, 10, 7},
		{"mips", 18, 25, 16, 10},     {"mips64", 18, 25, 16, 10}, {"alpha", 20, 19, 30, 10},
		{"sparc64", 20, 19, 30, 10},  {"sparc", 20, 19, 30, 10},  {"parisc64", 18, 26, 16, 10},
		{"", 17, 18, 10, 7},          {"m68k", 17, 18, 10, 7},    {"mip", 17, 18, 10, 7},
	};

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		const struct signal_names *names = signal_names_of(machines[i].arch);

		ck_assert_str_eq(signal_name(names, machines[i].child), "SIGCHLD");
		ck_assert_str_eq(signal_name(names, machines[i].go_on), "SIGCONT");
		ck_assert_str_eq(signal_name(names, machines[i].user1), "SIGUSR1");
		ck_assert_str_eq(signal_name(names, machines[i].bus), "SIGBUS");
		ck_assert_str_eq(signal_name(names, 1), "SIGHUP");
		ck_assert_str_eq(signal_name(names, 9), "SIGKILL");
		ck_assert_str_eq(signal_name(names, 15), "SIGTERM");
	}
}
END_TEST

START_TEST(the_rest_has_no_name)
{
	static const int numbers[] = {-2147483647 - 1, -1, 0, 32, 34, 64, 128, 2147483647};

	ck_assert_ptr_null(signal_name(signal_names_of("mips"), numbers[_i]));
	ck_assert_ptr_null(signal_name(signal_names_of(NULL), numbers[_i]));
}
END_TEST

static bool is_in(const struct signal_names *names, const char *name)
{
	for (int number = 1; number < 32; number++)
		if (strcmp(signal_name(names, number), name) == 0)
			return true;
	return false;
}

/* Every machine has these, each number a name of its own. */
START_TEST(tables_are_whole)
{
	static const char *const archs[] = {"mips", "alpha", "sparc", "parisc", "x86_64"};
	static const char *const everywhere[] = {
		"SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",  "SIGTRAP", "SIGABRT", "SIGBUS",
		"SIGFPE",  "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM",
		"SIGTERM", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU",
		"SIGURG",  "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",
		"SIGSYS",
	};
	const struct signal_names *names = signal_names_of(archs[_i]);

	for (size_t i = 0; i < ARRAY_SIZE(everywhere); i++)
		ck_assert_msg(is_in(names, everywhere[i]), "%s: no %s", archs[_i], everywhere[i]);
	for (int a = 1; a < 32; a++)
		for (int b = 1; b < a; b++)
			ck_assert_str_ne(signal_name(names, a), signal_name(names, b));
}
END_TEST

/* What the headers of this machine say is one of the tables. */
START_TEST(own_numbers_are_in_a_table)
{
	static const char *const archs[] = {"mips", "alpha", "sparc", "parisc", "x86_64"};
	size_t fitting = 0;

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		const struct signal_names *names = signal_names_of(archs[i]);

		fitting += strcmp(signal_name(names, SIGCHLD), "SIGCHLD") == 0 &&
		           strcmp(signal_name(names, SIGCONT), "SIGCONT") == 0 &&
		           strcmp(signal_name(names, SIGSYS), "SIGSYS") == 0 &&
		           strcmp(signal_name(names, SIGIO), "SIGIO") == 0;
	}
	ck_assert_uint_ge(fitting, 1);
}
END_TEST

Suite *signal_names_suite(void)
{
	Suite *suite = suite_create("signal_names");
	TCase *tests = tcase_create("signal_names");

	tcase_add_test(tests, numbers_are_those_of_the_trace);
	tcase_add_loop_test(tests, the_rest_has_no_name, 0, 8);
	tcase_add_loop_test(tests, tables_are_whole, 0, 5);
	tcase_add_test(tests, own_numbers_are_in_a_table);
	suite_add_tcase(suite, tests);
	return suite;
}
