/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/file_io.h"
#include "suites.h"

START_TEST(what_is_there_is_read_and_the_end_is_reported)
{
	_cleanup_(fclosep) FILE *file = tmpfile();
	int fd = file ? fileno(file) : -1;
	char got[8] = "";

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "abcdef", 6), 6);
	ck_assert_int_eq(file_read_at(fd, got, 3, 2), 3);
	ck_assert_mem_eq(got, "cde", 3);
	ck_assert_int_eq(file_read_at(fd, got, sizeof(got), 4), 2);
	ck_assert_int_eq(file_read_at(fd, got, sizeof(got), 6), 0);
	ck_assert_int_eq(file_read_at(fd, got, sizeof(got), UINT64_MAX), -EINVAL);
	ck_assert_int_eq(file_read_at(-1, got, sizeof(got), 0), -EBADF);
	ck_assert_int_eq(file_read_all_at(fd, got, 6, 0), 0);
	ck_assert_int_eq(file_read_all_at(fd, got, 7, 0), -EIO);
	ck_assert_int_eq(file_read_all_at(-1, got, 1, 0), -EBADF);
}
END_TEST

Suite *file_read_suite(void)
{
	Suite *suite = suite_create("file_read");
	TCase *tests = tcase_create("file_read");

	tcase_add_test(tests, what_is_there_is_read_and_the_end_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
