/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "suites.h"

START_TEST(sequences_follow_rfc_3629)
{
	static const struct {
		const char *text;
		size_t bytes;
	} cases[] = {
		{"a", 1},
		{"\xc3\xa9", 2},
		{"\xe2\x82\xac", 3},
		{"\xf0\x9f\x90\xa7", 4},
		{"\xf4\x8f\xbf\xbf", 4},
		{"\x80", 0},                 /* continuation first */
		{"\xc3", 0},                 /* cut short */
		{"\xc0\xaf", 0},             /* overlong */
		{"\xe0\x80\xaf", 0},
		{"\xed\xa0\x80", 0},         /* surrogate */
		{"\xf4\x90\x80\x80", 0},     /* above U+10FFFF */
		{"\xf8\x88\x80\x80\x80", 0},
		{"\xff", 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_uint_eq(utf8_sequence_bytes(cases[i].text, strlen(cases[i].text)),
		                  cases[i].bytes);
	ck_assert_uint_eq(utf8_sequence_bytes("", 0), 0);
}
END_TEST

START_TEST(controls_are_what_is_obeyed)
{
	static const uint32_t controls[] = {
		0x00, 0x1f, 0x7f, 0x80, 0x9b, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029,
		0x202a, 0x202e, 0x2066, 0x2069,
	};
	static const uint32_t others[] = {
		' ', '~', 0xa0, 0x61b, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a, 0x1f427,
	};

	for (size_t i = 0; i < ARRAY_SIZE(controls); i++)
		ck_assert_msg(utf8_is_control(controls[i]), "U+%04x", controls[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ck_assert_msg(!utf8_is_control(others[i]), "U+%04x", others[i]);
}
END_TEST

START_TEST(columns_are_characters)
{
	ck_assert_uint_eq(utf8_columns(""), 0);
	ck_assert_uint_eq(utf8_columns("├─ a"), 4);
}
END_TEST

Suite *utf8_suite(void)
{
	Suite *suite = suite_create("utf8");
	TCase *tests = tcase_create("utf8");

	tcase_add_test(tests, sequences_follow_rfc_3629);
	tcase_add_test(tests, controls_are_what_is_obeyed);
	tcase_add_test(tests, columns_are_characters);
	suite_add_tcase(suite, tests);
	return suite;
}
