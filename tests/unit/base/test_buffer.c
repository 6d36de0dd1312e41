/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "suites.h"

START_TEST(buffer_appends_and_grows)
{
	struct buffer buffer;

	buffer_init(&buffer, 1000);
	for (int i = 0; i < 100; i++)
		buffer_printf(&buffer, "%d,", i % 10);
	ck_assert_uint_eq(buffer.length, 200);
	ck_assert_mem_eq(buffer.text, "0,1,2,3,4,5,6,7,8,9,0,", 22);
	ck_assert(!buffer.is_cut);
	buffer_clear(&buffer);
	ck_assert_str_eq(buffer.text, "");
	buffer_release(&buffer);
}
END_TEST

START_TEST(buffer_cuts_at_limit)
{
	struct buffer buffer;

	buffer_init(&buffer, 5);
	buffer_puts(&buffer, "abc");
	buffer_printf(&buffer, "%s", "defgh");
	ck_assert_str_eq(buffer.text, "abcde");
	ck_assert(buffer.is_cut);
	buffer_putc(&buffer, 'x');
	ck_assert_uint_eq(buffer.length, 5);
	buffer_release(&buffer);
}
END_TEST

START_TEST(buffer_puts_numbers_as_printf_does)
{
	static const int64_t numbers[] = {0, 1, -1, 9, -10, INT32_MAX, INT32_MIN, INT64_MAX,
	                                  INT64_MIN};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		char expected[64];
		struct buffer buffer;

		buffer_init(&buffer, 1000);
		buffer_put_i64(&buffer, numbers[i]);
		buffer_putc(&buffer, ' ');
		buffer_put_u64(&buffer, (uint64_t)numbers[i]);
		(void)snprintf(expected, sizeof(expected), "%" PRId64 " %" PRIu64, numbers[i],
		               (uint64_t)numbers[i]);
		ck_assert_str_eq(buffer.text, expected);
		buffer_release(&buffer);
	}
}
END_TEST

START_TEST(buffer_has_room_within_its_limit)
{
	struct buffer buffer;
	char *at;

	buffer_init(&buffer, 100);
	at = buffer_room(&buffer, 100);
	memset(at, 'x', 100);
	buffer_end(&buffer, at + 90);
	ck_assert_uint_eq(buffer.length, 90);
	ck_assert_uint_eq(strlen(buffer.text), 90);
	ck_assert_ptr_nonnull(buffer_room(&buffer, 10));
	ck_assert_ptr_null(buffer_room(&buffer, 11));
	ck_assert(!buffer.is_cut);
	buffer_release(&buffer);
}
END_TEST

/* What is taken back has never been there. */
START_TEST(buffer_takes_back)
{
	struct buffer buffer;

	buffer_init(&buffer, 1000);
	buffer_puts(&buffer, "abcdef");
	buffer_truncate(&buffer, 2);
	ck_assert_str_eq(buffer.text, "ab");
	buffer_putc(&buffer, 'x');
	ck_assert_str_eq(buffer.text, "abx");
	buffer_release(&buffer);
}
END_TEST

/* What is cut is the same whichever way it comes, and whether there is room beyond the limit. */
START_TEST(buffer_cuts_everything_at_limit)
{
	for (size_t limit = 0; limit <= 100; limit++) {
		struct buffer buffer;

		buffer_init(&buffer, limit);
		buffer_puts(&buffer, "ab");
		buffer_put_u64(&buffer, UINT64_MAX);
		buffer_put_i64(&buffer, -7);
		buffer_put_blanks(&buffer, 3);
		buffer_printf(&buffer, "%s%d", "c", 5);
		buffer_puts_clean(&buffer, "plain words, more than eight\n", 29);
		buffer_putc(&buffer, '.');
		ck_assert_uint_eq(buffer.length, limit < 62 ? limit : 62);
		ck_assert_int_eq(buffer.is_cut, limit < 62);
		ck_assert_int_eq(strncmp(buffer.text,
		                         "ab18446744073709551615-7   c5"
		                         "plain words, more than eight\\x0a.",
		                         limit < 62 ? limit : 62), 0);
		ck_assert_int_eq(buffer.text[buffer.length], '\0');
		buffer_release(&buffer);
	}
}
END_TEST

START_TEST(buffer_prints_what_needs_more_room)
{
	struct buffer buffer;

	buffer_init(&buffer, 1000);
	buffer_printf(&buffer, "%062d", 1); /* the last byte that the first room has, */
	buffer_printf(&buffer, "%d", 2);
	buffer_printf(&buffer, "%d", 3);    /* and what does not fit in it */
	buffer_printf(&buffer, "%s", "");
	buffer_printf(&buffer, "%300s", "x");
	ck_assert_uint_eq(buffer.length, 364);
	ck_assert_int_eq(strncmp(buffer.text + 60, "0123  ", 6), 0);
	ck_assert_str_eq(buffer.text + 361, "  x");
	buffer_release(&buffer);
}
END_TEST

START_TEST(buffer_keeps_embedded_zero)
{
	struct buffer buffer;

	buffer_init(&buffer, 10);
	buffer_append(&buffer, "a\0b", 3);
	ck_assert_uint_eq(buffer.length, 3);
	ck_assert_mem_eq(buffer.text, "a\0b", 4);
	buffer_release(&buffer);
}
END_TEST

START_TEST(buffer_cleans_foreign_bytes)
{
	struct buffer buffer;
	const char foreign[] = "a\xff\n\033[1m\x7f\xc3\xa9\xc3";

	buffer_init(&buffer, 100);
	buffer_puts_clean(&buffer, foreign, strlen(foreign));
	ck_assert_str_eq(buffer.text, "a\\xff\\x0a\\x1b[1m\\x7f\xc3\xa9\\xc3");
	buffer_release(&buffer);
}
END_TEST

/* U+009B is "ESC [" to terminals that know 8-bit controls. */
START_TEST(buffer_cleans_c1_controls)
{
	struct buffer buffer;

	buffer_init(&buffer, 100);
	buffer_puts_clean(&buffer, "\xc2\x9b" "1m\xc2\xa0", 6);
	ck_assert_str_eq(buffer.text, "\\xc2\\x9b" "1m\xc2\xa0");
	buffer_release(&buffer);
}
END_TEST

/* U+202E shows what follows backwards, U+2028 ends the line. */
START_TEST(buffer_cleans_directions_and_separators)
{
	struct buffer buffer;
	const char foreign[] = "a\xe2\x80\xae" "b\xe2\x80\xa8" "c\xd8\x9c\xe2\x81\xa6\xe2\x82\xac";

	buffer_init(&buffer, 100);
	buffer_puts_clean(&buffer, foreign, strlen(foreign));
	ck_assert_str_eq(buffer.text, "a\\xe2\\x80\\xae" "b\\xe2\\x80\\xa8" "c\\xd8\\x9c\\xe2\\x81\\xa6"
	                              "\xe2\x82\xac");
	buffer_release(&buffer);
}
END_TEST

Suite *buffer_suite(void)
{
	Suite *suite = suite_create("buffer");
	TCase *tests = tcase_create("buffer");

	tcase_add_test(tests, buffer_appends_and_grows);
	tcase_add_test(tests, buffer_cuts_at_limit);
	tcase_add_test(tests, buffer_puts_numbers_as_printf_does);
	tcase_add_test(tests, buffer_has_room_within_its_limit);
	tcase_add_test(tests, buffer_takes_back);
	tcase_add_test(tests, buffer_cuts_everything_at_limit);
	tcase_add_test(tests, buffer_prints_what_needs_more_room);
	tcase_add_test(tests, buffer_keeps_embedded_zero);
	tcase_add_test(tests, buffer_cleans_foreign_bytes);
	tcase_add_test(tests, buffer_cleans_c1_controls);
	tcase_add_test(tests, buffer_cleans_directions_and_separators);
	suite_add_tcase(suite, tests);
	return suite;
}
