/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/data/array.h"
#include "base/text/utf8.h"
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

START_TEST(columns_are_those_of_terminals)
{
	ck_assert_uint_eq(utf8_columns(""), 0);
	ck_assert_uint_eq(utf8_columns("├─ a"), 4);
	ck_assert_uint_eq(utf8_columns("数据库"), 6);
	ck_assert_uint_eq(utf8_columns("ｆｗ"), 4);
	ck_assert_uint_eq(utf8_columns("cafe\u0301"), 4);      /* a joining accent */
	ck_assert_uint_eq(utf8_columns("\u1112\u1161\u11ab"), 2); /* one syllable of Hangul */
	ck_assert_uint_eq(utf8_columns("🐧!"), 3);
	ck_assert_uint_eq(utf8_columns("a\u200db"), 2);
}
END_TEST

/* The ends of ranges, and what stands beside them. */
START_TEST(widths_of_characters)
{
	static const struct {
		uint32_t code;
		unsigned width;
	} cases[] = {
		{'~', 1},    {0x2ff, 1},  {0x300, 0},  {0x36f, 0},   {0x370, 1},   {0x10ff, 1},
		{0x1100, 2}, {0x115f, 2}, {0x1160, 0}, {0x11ff, 0},  {0x1200, 1},  {0x2e80, 2},
		{0x303e, 2}, {0x303f, 1}, {0x3041, 2}, {0x3248, 2},  {0x4dff, 2},  {0x9fff, 2},
		{0xa48c, 2}, {0xac00, 2}, {0xd7a3, 2}, {0xff60, 2},  {0xff61, 1},  {0xffe6, 2},
		{0x1f600, 2}, {0x20000, 2}, {0x2fffd, 2}, {0x3fffd, 2}, {0xe01ef, 0},
		{0xe01f0, 1}, {0x10ffff, 1}, {0xad, 1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(character_width(cases[i].code) == cases[i].width, "U+%04x",
		              cases[i].code);
}
END_TEST

START_TEST(a_prefix_keeps_characters_whole)
{
	ck_assert_uint_eq(utf8_prefix("abc", 2), 2);
	ck_assert_uint_eq(utf8_prefix("abc", 9), 3);
	ck_assert_uint_eq(utf8_prefix("数据", 3), 3);
	ck_assert_uint_eq(utf8_prefix("数据", 1), 0);
	ck_assert_uint_eq(utf8_prefix("e\u0301x", 1), 3); /* with what joins it */
	ck_assert_uint_eq(utf8_prefix("", 0), 0);
}
END_TEST

Suite *utf8_suite(void)
{
	Suite *suite = suite_create("utf8");
	TCase *tests = tcase_create("utf8");

	tcase_add_test(tests, sequences_follow_rfc_3629);
	tcase_add_test(tests, controls_are_what_is_obeyed);
	tcase_add_test(tests, columns_are_those_of_terminals);
	tcase_add_test(tests, widths_of_characters);
	tcase_add_test(tests, a_prefix_keeps_characters_whole);
	suite_add_tcase(suite, tests);
	return suite;
}
