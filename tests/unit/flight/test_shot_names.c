/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight/shot_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "suites.h"

static char folder[sizeof("/tmp/ftwait-shots.XXXXXX")];
static struct shot_names names;

static void setup(void)
{
	memcpy(folder, "/tmp/ftwait-shots.XXXXXX", sizeof(folder));
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
	char *command = xasprintf("rm -r '%s'", folder);

	shot_names_release(&names);
	ck_assert_int_eq(system(command), 0);
	free(command);
}

static void make(const char *name, size_t kib)
{
	char *bytes = xcalloc(kib, 1024);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	ck_assert_int_ge(fd, 0);
	memset(bytes, 'x', kib * 1024);
	ck_assert_int_eq(write(fd, bytes, kib * 1024), (ssize_t)(kib * 1024));
	ck_assert_int_eq(fsync(fd), 0);
	ck_assert_int_eq(close(fd), 0);
	free(bytes);
}

static void expect_next(const char *path, const char *next)
{
	char *found;

	shot_names_release(&names);
	shot_names_init(&names, path);
	found = shot_names_path(&names, shot_names_next(&names));
	ck_assert_str_eq(found, next);
	free(found);
}

START_TEST(numbers_stand_before_the_last_dot)
{
	char *path = xasprintf("%s/x.dat", folder), *next = xasprintf("%s/x.1.dat", folder);

	expect_next("slow.dat", "slow.1.dat");
	expect_next("slow", "slow.1");
	expect_next("a.b/slow", "a.b/slow.1");
	expect_next(".slow", ".slow.1");
	expect_next("slow.x.dat", "slow.x.1.dat");
	expect_next(path, next);
	free(path);
	free(next);
}
END_TEST

START_TEST(numbers_go_on_after_those_that_exist)
{
	make("slow.2.dat", 1);
	make("slow.10.dat", 1);
	make("slow.11.da", 1);
	make("slow.x12.dat", 1);
	make("slow.013.dat", 1);
	make("slow.-14.dat", 1);
	make("slow.15x.dat", 1);
	make("slower.16.dat", 1);
	make("slow..dat", 1);
	make("slow.99999999999999999999.dat", 1);
	expect_next("slow.dat", "slow.11.dat");
	ck_assert_uint_eq(names.count, 2);
	ck_assert_uint_eq(names.file[0].number, 2);
}
END_TEST

START_TEST(the_oldest_go)
{
	make("slow.1.dat", 100);
	make("slow.3.dat", 100);
	make("slow.dat", 100);
	shot_names_init(&names, "slow.dat");
	make("slow.4.dat", 100);
	shot_names_add(&names, 4);
	ck_assert_uint_eq(shot_names_trim(&names, 350u << 10), 0);
	ck_assert_uint_eq(shot_names_trim(&names, 250u << 10), 1);
	ck_assert_int_ne(access("slow.1.dat", F_OK), 0);
	ck_assert_int_eq(access("slow.3.dat", F_OK), 0);
	ck_assert_uint_eq(shot_names_trim(&names, 1), 1);
	ck_assert_int_eq(access("slow.4.dat", F_OK), 0);
	ck_assert_int_eq(access("slow.dat", F_OK), 0);
	ck_assert_uint_eq(shot_names_next(&names), 5);
}
END_TEST

Suite *shot_names_suite(void)
{
	Suite *suite = suite_create("shot_names");
	TCase *tests = tcase_create("shot_names");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, numbers_stand_before_the_last_dot);
	tcase_add_test(tests, numbers_go_on_after_those_that_exist);
	tcase_add_test(tests, the_oldest_go);
	suite_add_tcase(suite, tests);
	return suite;
}
