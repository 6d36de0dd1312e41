/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/output_guard.h"
#include "base/xalloc.h"
#include "suites.h"

static char folder[64];
static struct buffer why;

static void setup(void)
{
	(void)snprintf(folder, sizeof(folder), "/tmp/ftwait-unit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	buffer_init(&why, 1000);
}

static void teardown(void)
{
	_cleanup_(freep) char *command = xasprintf("rm -r %s", folder);

	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(system(command), 0);
	buffer_release(&why);
}

START_TEST(rule)
{
	enum { US = 1000, OWNER = 0, STRANGER = 65534 };
	static const struct {
		mode_t folder, type;
		uid_t file_owner;
		bool is_planted;
	} rows[] = {
		{01777, S_IFREG, STRANGER, true},
		{01777, S_IFIFO, STRANGER, true},
		{01777, S_IFLNK, STRANGER, true},
		{01777, S_IFCHR, STRANGER, true},
		{01777, S_IFSOCK, STRANGER, true},
		/* a directory is refused as one */
		{01777, S_IFDIR, STRANGER, false},
		{01777, S_IFREG, US, false},
		{01777, S_IFLNK, OWNER, false},
		/* nobody else can put anything there, or all can replace it anyway */
		{01755, S_IFIFO, STRANGER, false},
		{0777, S_IFIFO, STRANGER, false},
		/* a group's folder: links are followed there by the kernel too */
		{01775, S_IFIFO, STRANGER, true},
		{01775, S_IFLNK, STRANGER, false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stat dir = {.st_mode = S_IFDIR | rows[i].folder, .st_uid = OWNER};
		struct stat file = {.st_mode = rows[i].type | 0644, .st_uid = rows[i].file_owner};

		ck_assert_msg(output_is_planted(&dir, &file, US) == rows[i].is_planted, "row %zu",
		              i);
	}
}
END_TEST

/* Opens and says whether it is the file of that name. */
static bool opens(const char *path, int flags, const char *expected)
{
	_cleanup_(closep) int fd = output_guard_open(path, O_WRONLY | flags, &why);
	struct stat opened, named;

	return fd >= 0 && fstat(fd, &opened) == 0 && stat(expected, &named) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

START_TEST(links_are_followed)
{
	ck_assert_int_eq(mkdir("sub", 0700), 0);
	ck_assert_int_eq(symlink("sub/second", "first"), 0);
	ck_assert_int_eq(symlink("../file", "sub/second"), 0);
	ck_assert(opens("first", O_CREAT, "file"));
	ck_assert(opens("first", 0, "file"));
	ck_assert(opens("sub/../first", 0, "file"));
	ck_assert_int_eq(output_guard_check("first", &why), 0);
}
END_TEST

START_TEST(what_is_there_is_neither_made_nor_emptied)
{
	struct stat file;
	FILE *out = fopen("file", "we");

	ck_assert_ptr_nonnull(out);
	ck_assert_int_gt(fprintf(out, "precious"), 0);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_int_eq(output_guard_open("file", O_WRONLY | O_CREAT, &why), -EEXIST);
	ck_assert(opens("file", 0, "file"));
	ck_assert_int_eq(stat("file", &file), 0);
	ck_assert_int_eq(file.st_size, 8);
}
END_TEST

START_TEST(errors_are_those_of_open)
{
	static const struct {
		const char *path;
		int error;
	} rows[] = {
		{"", -ENOENT},    {"nothing", -ENOENT}, {"no/folder", -ENOENT},
		{"sub", -EISDIR}, {"sub/", -EISDIR},    {"..", -EISDIR},
		{"loop", -ELOOP}, {"file/x", -ENOTDIR}, {"file/", -ENOTDIR},
	};

	ck_assert_int_eq(mkdir("sub", 0700), 0);
	ck_assert_int_eq(symlink("loop", "loop"), 0);
	ck_assert(opens("file", O_CREAT, "file"));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ck_assert_msg(output_guard_open(rows[i].path, O_WRONLY, &why) == rows[i].error,
		              "%s", rows[i].path);
		ck_assert_int_eq(output_guard_check(rows[i].path, &why), 0);
		ck_assert_str_eq(why.text, "");
	}
}
END_TEST

START_TEST(devices_and_open_files)
{
	_cleanup_(closep) int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	_cleanup_(freep) char *name = xasprintf("/dev/fd/%d", fd);

	ck_assert_int_ge(fd, 0);
	ck_assert(opens("/dev/null", 0, "/dev/null"));
	ck_assert_int_eq(output_guard_check("/dev/null", &why), 0);
	ck_assert_int_eq(output_guard_check("file", &why), 0);
	ck_assert_int_eq(output_guard_check(name, &why), 1);
	ck_assert(opens(name, 0, "file"));
	ck_assert_int_eq(unlink("file"), 0);
	ck_assert(opens(name, 0, name));
}
END_TEST

Suite *output_guard_suite(void)
{
	Suite *suite = suite_create("output_guard");
	TCase *tcase = tcase_create("output_guard");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, rule);
	tcase_add_test(tcase, links_are_followed);
	tcase_add_test(tcase, what_is_there_is_neither_made_nor_emptied);
	tcase_add_test(tcase, errors_are_those_of_open);
	tcase_add_test(tcase, devices_and_open_files);
	suite_add_tcase(suite, tcase);
	return suite;
}
