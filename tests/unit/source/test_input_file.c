/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/xalloc.h"
#include "suites.h"
#include "trace_builder.h"

START_TEST(test_cursor_over_memory)
{
	static const uint8_t bytes[] = {0x12, 0x34, 0x56, 0x78, 'a', 'b', 0, 9};
	struct cursor cursor;

	cursor_init_memory(&cursor, bytes, sizeof(bytes), !byte_order_is_big());
	ck_assert_uint_eq(cursor_u16(&cursor), 0x1234);
	cursor_skip(&cursor, 2);
	ck_assert_str_eq(cursor_string(&cursor, 100), "ab");
	ck_assert_uint_eq(cursor_left(&cursor), 1);
	ck_assert_uint_eq(cursor_u32(&cursor), 0);
	ck_assert_int_eq(cursor.error, -ENODATA);
	/* The first failure sticks. */
	ck_assert_ptr_null(cursor_take(&cursor, 1));
	ck_assert_uint_eq(cursor_left(&cursor), 0);
	cursor_release(&cursor);
}
END_TEST

START_TEST(test_cursor_string_bounds)
{
	struct cursor cursor;

	cursor_init_memory(&cursor, "abcdef", 7, false);
	ck_assert_ptr_null(cursor_string(&cursor, 6));
	ck_assert_int_eq(cursor.error, -EINVAL);
	cursor_init_memory(&cursor, "abcdef", 6, false);
	ck_assert_ptr_null(cursor_string(&cursor, 60));
	ck_assert_int_eq(cursor.error, -ENODATA);
}
END_TEST

/* Pieces of every size, on both sides of the window's border, are what the file has. */
START_TEST(test_cursor_over_file)
{
	size_t size = 300000;
	uint8_t *bytes = xmalloc(size);
	struct input_file file;
	struct buffer why;
	char *path;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(i * 31 >> 3);
	path = trace_builder_write(bytes, size);
	buffer_init(&why, 1000);
	ck_assert_int_eq(input_file_open(path, &file, &why), 0);
	ck_assert_uint_eq(file.bytes, size);
	for (size_t piece = 1; piece < 200000; piece = piece * 3 + 1) {
		struct cursor cursor;
		size_t at = 0;

		cursor_init_file(&cursor, &file, 0, UINT64_MAX, false);
		while (cursor_left(&cursor) >= piece) {
			const uint8_t *taken = cursor_take(&cursor, piece);

			ck_assert_int_eq(memcmp(taken, bytes + at, piece), 0);
			at += piece;
		}
		ck_assert_ptr_null(cursor_take(&cursor, piece));
		ck_assert_int_eq(cursor.error, -ENODATA);
		cursor_release(&cursor);
	}
	input_file_release(&file);
	(void)unlink(path);
	free(path);
	free(bytes);
	buffer_release(&why);
}
END_TEST

START_TEST(test_pipe_is_spooled)
{
	char text[70000], back[70000];
	struct input_file file;
	struct buffer why;
	int pair[2];

	memset(text, 'x', sizeof(text));
	memcpy(text, "\027\010\104tracing", 10);
	buffer_init(&why, 1000);
	ck_assert_int_eq(pipe(pair), 0);
	if (fork() == 0) {
		ssize_t written = write(pair[1], text, sizeof(text));

		_exit(written == (ssize_t)sizeof(text) ? 0 : 1);
	}
	(void)close(pair[1]);
	ck_assert_int_eq(dup2(pair[0], STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(input_file_open("-", &file, &why), 0);
	ck_assert_uint_eq(file.bytes, sizeof(text));
	ck_assert_int_eq(input_file_read(&file, 0, back, sizeof(back)), 0);
	ck_assert_int_eq(memcmp(text, back, sizeof(text)), 0);
	ck_assert_int_eq(input_file_read(&file, 1, back, sizeof(back)), -ENODATA);
	input_file_release(&file);
	buffer_release(&why);
	(void)wait(NULL);
}
END_TEST

Suite *input_file_suite(void)
{
	Suite *suite = suite_create("input_file");
	TCase *all = tcase_create("all");

	tcase_add_test(all, test_cursor_over_memory);
	tcase_add_test(all, test_cursor_string_bounds);
	tcase_add_test(all, test_cursor_over_file);
	tcase_add_test(all, test_pipe_is_spooled);
	suite_add_tcase(suite, all);
	return suite;
}
