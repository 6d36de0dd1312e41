/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/plain_bytes.h"
#include "suites.h"

/* Each byte at each place of texts that are shorter and longer than what is looked at at once. */
START_TEST(every_other_byte_ends_what_is_plain)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		bool is_plain = byte >= 0x20 && byte < 0x7f && byte != ',' && byte != '"';

		for (size_t length = 1; length <= 20; length++) {
			for (size_t at = 0; at < length; at++) {
				char text[20];

				memset(text, 'x', sizeof(text));
				text[at] = (char)byte;
				ck_assert(plain_bytes(text, length, ',', '"') ==
				            (is_plain ? length : at));
			}
		}
	}
}
END_TEST

/* A byte must not count for its neighbours: subtracting borrows from them. */
START_TEST(neighbours_do_not_count)
{
	for (unsigned first = 0x20; first < 0x7f; first++) {
		for (unsigned second = 0x20; second < 0x7f; second++) {
			char text[8];

			for (size_t at = 0; at < sizeof(text); at++)
				text[at] = (char)(at % 2 ? second : first);
			ck_assert(plain_bytes(text, sizeof(text), '\0', '\0') == sizeof(text));
		}
	}
}
END_TEST

START_TEST(nothing_is_read_beyond)
{
	static const char text[] = "abc,";

	ck_assert_uint_eq(plain_bytes(text, 0, ',', '"'), 0);
	ck_assert_uint_eq(plain_bytes(text, 3, ',', '"'), 3);
	ck_assert_uint_eq(plain_bytes(text, 4, ',', '"'), 3);
	ck_assert_uint_eq(plain_bytes(text, 4, '\0', '\0'), 4);
}
END_TEST

Suite *plain_bytes_suite(void)
{
	Suite *suite = suite_create("plain_bytes");
	TCase *tests = tcase_create("plain_bytes");

	tcase_add_test(tests, every_other_byte_ends_what_is_plain);
	tcase_add_test(tests, neighbours_do_not_count);
	tcase_add_test(tests, nothing_is_read_beyond);
	suite_add_tcase(suite, tests);
	return suite;
}
