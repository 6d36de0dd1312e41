/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/object_names.h"

#include <stdio.h>

#include "suites.h"

#define FILES 1000

static struct intern names;
static struct file_names files;

static void files_setup(void)
{
	intern_init(&names);
	files = (struct file_names){0};
}

static void files_teardown(void)
{
	tally_release(&files.tally);
	intern_release(&names);
}

static const char *path_of(uint32_t dev, uint64_t inode)
{
	return intern_text(&names, file_names_find(&files, dev, inode));
}

START_TEST(each_file_has_its_path)
{
	char path[32];

	ck_assert_uint_eq(file_names_find(&files, 1, 1), 0);
	for (uint32_t i = 1; i <= FILES; i++) {
		(void)snprintf(path, sizeof(path), "/file%u", i);
		file_names_add(&files, &names, i % 3, i, path);
	}
	for (uint32_t i = 1; i <= FILES; i++) {
		(void)snprintf(path, sizeof(path), "/file%u", i);
		ck_assert_str_eq(path_of(i % 3, i), path);
		ck_assert_uint_eq(file_names_find(&files, (i + 1) % 3, i), 0);
	}
}
END_TEST

START_TEST(of_several_paths_the_first_counts)
{
	file_names_add(&files, &names, 8, 77, "/a/lock");
	file_names_add(&files, &names, 8, 77, "/b/lock");
	ck_assert_str_eq(path_of(8, 77), "/a/lock");
}
END_TEST

/* A number stays the file's, also if its path comes later. */
START_TEST(files_have_numbers)
{
	uint16_t number = file_names_number(&files, 8, 77);

	ck_assert_uint_eq(number, 1);
	ck_assert_uint_eq(file_names_number(&files, 8, 78), 2);
	ck_assert_uint_eq(file_names_number(&files, 8, 77), number);
	ck_assert_uint_eq(file_names_at(&files, number)->path, 0);
	ck_assert_uint_eq(file_names_find(&files, 8, 77), 0);
	file_names_add(&files, &names, 8, 77, "/a");
	ck_assert_str_eq(intern_text(&names, file_names_at(&files, number)->path), "/a");
	ck_assert_uint_eq(file_names_at(&files, number)->inode, 77);
	ck_assert_uint_eq(file_names_at(&files, number)->dev, 8);
	ck_assert_ptr_null(file_names_at(&files, 0));
	ck_assert_ptr_null(file_names_at(&files, 3));
}
END_TEST

START_TEST(too_many_files_have_no_number)
{
	for (uint32_t i = 1; i <= FILE_NUMBER_MAX; i++)
		ck_assert_uint_eq(file_names_number(&files, 8, i), i);
	ck_assert_uint_eq(file_names_number(&files, 8, FILE_NUMBER_MAX + 1), 0);
	ck_assert_uint_eq(file_names_number(&files, 8, FILE_NUMBER_MAX), FILE_NUMBER_MAX);
	ck_assert_uint_eq(file_names_at(&files, FILE_NUMBER_MAX)->inode, FILE_NUMBER_MAX);
	/* its path may still be known */
	file_names_add(&files, &names, 8, FILE_NUMBER_MAX + 1, "/last");
	ck_assert_str_eq(path_of(8, FILE_NUMBER_MAX + 1), "/last");
	ck_assert_uint_eq(file_names_number(&files, 8, FILE_NUMBER_MAX + 1), 0);
}
END_TEST

Suite *file_names_suite(void)
{
	Suite *suite = suite_create("file_names");
	TCase *tests = tcase_create("file_names");

	tcase_add_checked_fixture(tests, files_setup, files_teardown);
	tcase_add_test(tests, each_file_has_its_path);
	tcase_add_test(tests, of_several_paths_the_first_counts);
	tcase_add_test(tests, files_have_numbers);
	tcase_add_test(tests, too_many_files_have_no_number);
	suite_add_tcase(suite, tests);
	return suite;
}
