/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/kernel/kernel_numbers.h"

#include <errno.h>
#include <string.h>

#include "base/data/array.h"
#include "suites.h"

START_TEST(numbers_are_those_of_the_trace)
{
	static const struct {
		const char *arch;
		int again, no_call, timeout, refused, quota, loop;
	} machines[] = {
		{NULL, 11, 38, 110, 111, 122, 40},       {"x86_64", 11, 38, 110, 111, 122, 40},
		{"aarch64", 11, 38, 110, 111, 122, 40},  {"ppc64", 11, 38, 110, 111, 122, 40},
		{"", 11, 38, 110, 111, 122, 40},         {"mip", 11, 38, 110, 111, 122, 40},
		{"alpha", 35, 78, 60, 61, 69, 62},       {"mips", 11, 89, 145, 146, 1133, 90},
		{"mips64", 11, 89, 145, 146, 1133, 90},  {"sparc64", 11, 90, 60, 61, 69, 62},
		{"parisc64", 11, 251, 238, 239, 69, 249},
	};

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		const struct errno_names *names = errno_names_of(machines[i].arch);

		ck_assert_str_eq(errno_name(names, 2), "ENOENT");
		ck_assert_str_eq(errno_name(names, machines[i].again), "EAGAIN");
		ck_assert_str_eq(errno_name(names, machines[i].no_call), "ENOSYS");
		ck_assert_str_eq(errno_name(names, machines[i].timeout), "ETIMEDOUT");
		ck_assert_str_eq(errno_name(names, machines[i].refused), "ECONNREFUSED");
		ck_assert_str_eq(errno_name(names, machines[i].quota), "EDQUOT");
		ck_assert_str_eq(errno_name(names, machines[i].loop), "ELOOP");
		ck_assert_str_eq(errno_name(names, 512), "ERESTARTSYS");
	}
	ck_assert_str_eq(errno_name(errno_names_of("alpha"), 11), "EDEADLK");
	ck_assert_str_eq(errno_name(errno_names_of("x86_64"), 35), "EDEADLK");
	ck_assert_str_eq(errno_name(errno_names_of("sparc"), 78), "EDEADLK");
	ck_assert_str_eq(errno_name(errno_names_of("mips"), 45), "EDEADLK");
	ck_assert_str_eq(errno_name(errno_names_of("parisc"), 45), "EDEADLK");
}
END_TEST

START_TEST(the_rest_has_no_name)
{
	static const int64_t numbers[] = {INT64_MIN, -2, 0, 41, 134, 999, 4095, 65538, INT64_MAX};

	ck_assert_ptr_null(errno_name(errno_names_of("x86_64"), numbers[_i]));
}
END_TEST

/* Each name has one number, and each number one name, on every machine. */
START_TEST(names_are_unique)
{
	static const char *const archs[] = {"alpha", "mips", "parisc", "sparc", "x86_64"};
	const struct errno_names *names = errno_names_of(archs[_i]);
	unsigned count = 0;

	for (int a = 1; a <= ERRNO_MAX; a++) {
		const char *name = errno_name(names, a);

		count += name != NULL;
		for (int b = 1; name && b < a; b++) {
			const char *other = errno_name(names, b);

			ck_assert_msg(!other || strcmp(name, other) != 0, "%s: %s twice", archs[_i],
			              name);
		}
	}
	ck_assert_uint_ge(count, 34 + 96); /* those that all machines have */
}
END_TEST

/* What the headers of this machine say is one of the tables. */
START_TEST(own_numbers_are_in_a_table)
{
	static const char *const archs[] = {"alpha", "mips", "parisc", "sparc", "x86_64"};
	static const struct {
		int number;
		const char *name;
	} own[] = {
		{EAGAIN, "EAGAIN"},       {ENOSYS, "ENOSYS"},       {ETIMEDOUT, "ETIMEDOUT"},
		{EDEADLK, "EDEADLK"},     {ENOTEMPTY, "ENOTEMPTY"}, {ECONNRESET, "ECONNRESET"},
		{ESTALE, "ESTALE"},       {ECANCELED, "ECANCELED"}, {EOWNERDEAD, "EOWNERDEAD"},
		{EOVERFLOW, "EOVERFLOW"}, {EALREADY, "EALREADY"},   {ENODATA, "ENODATA"},
	};
	size_t fitting = 0;

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		const struct errno_names *names = errno_names_of(archs[i]);
		size_t same = 0;

		for (size_t at = 0; at < ARRAY_SIZE(own); at++) {
			const char *name = errno_name(names, own[at].number);

			same += name && strcmp(name, own[at].name) == 0;
		}
		fitting += same == ARRAY_SIZE(own);
	}
	ck_assert_uint_eq(fitting, 1);
}
END_TEST

Suite *errno_names_suite(void)
{
	Suite *suite = suite_create("errno_names");
	TCase *tests = tcase_create("errno_names");

	tcase_add_test(tests, numbers_are_those_of_the_trace);
	tcase_add_loop_test(tests, the_rest_has_no_name, 0, 9);
	tcase_add_loop_test(tests, names_are_unique, 0, 5);
	tcase_add_test(tests, own_numbers_are_in_a_table);
	suite_add_tcase(suite, tests);
	return suite;
}
