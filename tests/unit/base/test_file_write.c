/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file/file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suites.h"

#define BYTES (1u << 20)

/* A pipe takes 64 KiB at once: all of a megabyte takes many writes. */
START_TEST(all_of_it_is_written)
{
	static char bytes[BYTES], back[BYTES];
	size_t done = 0;
	int pair[2], status;
	pid_t writer;

	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (char)(i * 31 >> 3);
	ck_assert_int_eq(pipe(pair), 0);
	writer = fork();
	if (writer == 0)
		_exit(file_write_all(pair[1], bytes, BYTES) == 0 ? 0 : 1);
	(void)close(pair[1]);
	for (ssize_t got; (got = read(pair[0], back + done, BYTES - done)) > 0;)
		done += (size_t)got;
	ck_assert_uint_eq(done, BYTES);
	ck_assert_mem_eq(back, bytes, BYTES);
	ck_assert_int_eq(waitpid(writer, &status, 0), writer);
	ck_assert_int_eq(status, 0);
	(void)close(pair[0]);
}
END_TEST

/* At its place, whatever the position of the file is. */
START_TEST(it_stands_where_it_should)
{
	FILE *file = tmpfile();
	char back[6];

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(file_write_all_at(fileno(file), "abc", 3, 1 << 20), 0);
	ck_assert_int_eq(file_write_all_at(fileno(file), "def", 3, (1 << 20) + 3), 0);
	ck_assert_int_eq(lseek(fileno(file), 0, SEEK_CUR), 0);
	ck_assert_int_eq(pread(fileno(file), back, 6, 1 << 20), 6);
	ck_assert_mem_eq(back, "abcdef", 6);
	ck_assert_int_eq(file_write_all_at(-1, "abc", 3, 0), -EBADF);
	(void)fclose(file);
}
END_TEST

START_TEST(failure_is_reported)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(file_write_all(fd, "abc", 3), -ENOSPC);
	ck_assert_int_eq(file_write_all(fd, "abc", 0), 0);
	(void)close(fd);
	ck_assert_int_eq(file_write_all(-1, "abc", 3), -EBADF);
}
END_TEST

Suite *file_write_suite(void)
{
	Suite *suite = suite_create("file_write");
	TCase *tests = tcase_create("file_write");

	tcase_add_test(tests, all_of_it_is_written);
	tcase_add_test(tests, it_stands_where_it_should);
	tcase_add_test(tests, failure_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
