/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/kernel/kernel_numbers.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "base/data/array.h"
#include "suites.h"

static void check_name(const char *arch, bool is_compat, int64_t number, const char *name)
{
	const char *found = syscall_name(arch, is_compat, number);

	ck_assert_msg(found && strcmp(found, name) == 0, "%s%s: %lld is %s, not %s", arch,
	              is_compat ? " compat" : "", (long long)number, name, found ? found : "none");
}

/* Calls that machines have in different places, the newest, and those at the edges of tables. */
START_TEST(numbers_are_those_of_the_trace)
{
	static const struct {
		const char *arch;
		bool is_compat;
		int64_t read, futex, fsync, execve, statx;
	} rows[] = {
		{"x86_64", false, 0, 202, 74, 59, 332},    {"x86_64", true, 3, 240, 118, 11, 383},
		{"i686", false, 3, 240, 118, 11, 383},     {"i386", true, 3, 240, 118, 11, 383},
		{"aarch64", false, 63, 98, 82, 221, 291},  {"aarch64", true, 3, 240, 118, 11, 397},
		{"armv7l", false, 3, 240, 118, 11, 397},   {"armv5tel", false, 3, 240, 118, 11, 397},
		{"riscv64", false, 63, 98, 82, 221, 291},  {"riscv32", false, 63, 98, 82, 221, 291},
		{"loongarch64", false, 63, 98, 82, 221, 291},
		{"ppc", false, 3, 221, 118, 11, 383},      {"ppc64le", false, 3, 221, 118, 11, 383},
		{"s390x", false, 3, 238, 118, 11, 379},    {"s390", false, 3, 238, 118, 11, 379},
		{"mips", false, 4003, 4238, 4118, 4011, 4366},
		{"mips64", false, 5000, 5194, 5072, 5057, 5326},
		{"mips64", false, 6000, 6194, 6072, 6057, 6330},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		check_name(rows[i].arch, rows[i].is_compat, rows[i].read, "read");
		check_name(rows[i].arch, rows[i].is_compat, rows[i].futex, "futex");
		check_name(rows[i].arch, rows[i].is_compat, rows[i].fsync, "fsync");
		check_name(rows[i].arch, rows[i].is_compat, rows[i].execve, "execve");
		check_name(rows[i].arch, rows[i].is_compat, rows[i].statx, "statx");
	}
	check_name("x86_64", false, 470, "listns");
	check_name("mips64", false, 6470, "listns");
	check_name("x86_64", false, SYSCALL_X32_BIT, "read");
	check_name("x86_64", false, SYSCALL_X32_BIT + 512, "rt_sigaction");
	check_name("riscv32", false, 422, "futex_time64");
}
END_TEST

START_TEST(the_rest_has_no_name)
{
	static const int64_t none[] = {INT64_MIN, -1, 471, 4999, INT32_MAX, INT64_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		ck_assert_ptr_null(syscall_name("x86_64", false, none[i]));
		ck_assert_ptr_null(syscall_name("mips64", false, none[i]));
	}
	ck_assert_ptr_null(syscall_name(NULL, false, 0));
	ck_assert_ptr_null(syscall_name("ia64", false, 3));
	ck_assert_ptr_null(syscall_name("", true, 3));
	ck_assert_ptr_null(syscall_name("mips", false, 3));
}
END_TEST

START_TEST(numbers_of_a_name)
{
	int64_t number[SYSCALL_NUMBERS_MAX];

	ck_assert_uint_eq(syscall_numbers("x86_64", "futex", number), 1);
	ck_assert_int_eq(number[0], 202);
	ck_assert_uint_eq(syscall_numbers("mips64", "futex", number), 3);
	ck_assert_int_eq(number[0], 4238);
	ck_assert_int_eq(number[1], 5194);
	ck_assert_int_eq(number[2], 6194);
	ck_assert_uint_eq(syscall_numbers("x86_64", "ioctl", number), 2);
	ck_assert_uint_eq(syscall_numbers("aarch64", "poll", number), 0);
	ck_assert_uint_eq(syscall_numbers(NULL, "read", number), 0);
	ck_assert(syscall_has_compat("x86_64") && syscall_has_compat("aarch64"));
	ck_assert(!syscall_has_compat("mips64") && !syscall_has_compat(NULL));
}
END_TEST

/* What the headers of this machine say, where its ABI is that of its kernel. */
START_TEST(own_numbers_are_in_the_table)
{
	struct utsname name;
	bool is_compat;

	ck_assert_int_eq(uname(&name), 0);
	is_compat = sizeof(long) == 4 && syscall_has_compat(name.machine);
	if (!syscall_name(name.machine, is_compat, SYS_read))
		return;
	check_name(name.machine, is_compat, SYS_read, "read");
	check_name(name.machine, is_compat, SYS_exit_group, "exit_group");
	check_name(name.machine, is_compat, SYS_execve, "execve");
	check_name(name.machine, is_compat, SYS_openat, "openat");
	check_name(name.machine, is_compat, SYS_epoll_ctl, "epoll_ctl");
	check_name(name.machine, is_compat, SYS_getrandom, "getrandom");
}
END_TEST

Suite *syscall_names_suite(void)
{
	Suite *suite = suite_create("syscall_names");
	TCase *tests = tcase_create("syscall_names");

	tcase_add_test(tests, numbers_are_those_of_the_trace);
	tcase_add_test(tests, the_rest_has_no_name);
	tcase_add_test(tests, numbers_of_a_name);
	tcase_add_test(tests, own_numbers_are_in_the_table);
	suite_add_tcase(suite, tests);
	return suite;
}
