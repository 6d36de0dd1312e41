/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file/file_io.h"
#include "suites.h"

static char path[] = "/tmp/ftwait-lock.XXXXXX", moved[64];
static int fd;

static void setup(void)
{
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	(void)snprintf(moved, sizeof(moved), "%s.moved", path);
}

static void teardown(void)
{
	(void)close(fd);
	(void)unlink(path);
	(void)unlink(moved);
}

START_TEST(one_open_file_has_it)
{
	int other = open(path, O_RDONLY | O_CLOEXEC);

	ck_assert_int_ge(other, 0);
	ck_assert_int_eq(file_lock(fd), 0);
	ck_assert_int_eq(file_lock(fd), 0);
	ck_assert_int_eq(file_lock(other), -EBUSY);
	(void)close(fd);
	fd = -1;
	ck_assert_int_eq(file_lock(other), 0);
	(void)close(other);
}
END_TEST

START_TEST(what_has_no_locks_is_free)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(file_lock(ends[0]), 0);
	ck_assert_int_eq(file_lock(-1), 0);
	(void)close(ends[0]);
	(void)close(ends[1]);
}
END_TEST

START_TEST(a_name_may_pass_to_another_file)
{
	int other;

	ck_assert(file_is_at(fd, path));
	ck_assert_int_eq(rename(path, moved), 0);
	ck_assert(!file_is_at(fd, path));
	ck_assert(file_is_at(fd, moved));
	other = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ck_assert(!file_is_at(fd, path));
	ck_assert(file_is_at(other, path));
	(void)close(other);
}
END_TEST

Suite *file_lock_suite(void)
{
	Suite *suite = suite_create("file_lock");
	TCase *tests = tcase_create("file_lock");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, one_open_file_has_it);
	tcase_add_test(tests, what_has_no_locks_is_free);
	tcase_add_test(tests, a_name_may_pass_to_another_file);
	suite_add_tcase(suite, tests);
	return suite;
}
