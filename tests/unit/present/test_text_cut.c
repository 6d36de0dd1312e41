/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "present/text/text_fold.h"
#include "suites.h"

START_TEST(texts_are_cut_as_their_form_has_it)
{
	static const struct {
		enum text_form form;
		size_t columns;
		const char *text, *expected;
	} cases[] = {
		{TEXT_NAME, 12, "kworker/u8:2[12345]", "kwor~[12345]"},
		{TEXT_NAME, 19, "kworker/u8:2[12345]", "kworker/u8:2[12345]"},
		{TEXT_NAME, 12, "数据库工作进程[12]", "数据库~[12]"},
		{TEXT_NAME, 16, "2001:db8::1:2:3:443", "2001:db8::1~:443"},
		{TEXT_NAME, 12, "/usr/libexec/gcc/cc1", "/usr/li~/cc1"},
		{TEXT_NAME, 8, "kworker/u8:2[12345]", "kworker~"}, /* its end has no room */
		{TEXT_NAME, 12, "0xffff9d3a00340400", "0xfff~340400"},
		{TEXT_NAME, 6, "a plain name", "a pla~"},
		{TEXT_WORDS, 12, "disk 254,0 (read 4.0 KiB)", "disk 254,0 ~"},
		{TEXT_CAUSE, 1, "disk", "~"},
		{TEXT_CAUSE, 0, "disk", ""},
		{TEXT_LABEL, 5, "├─ 数据", "├─ ~"},
		{TEXT_BAR, 12, "|****************************************|", "|**********|"},
		{TEXT_BAR, 12, "|********************                    |", "|*****     |"},
		{TEXT_BAR, 12, "|*                                       |", "|*         |"},
		{TEXT_BAR, 12, "|                                        |", "|          |"},
		{TEXT_BAR, 2, "|****|", "|~"},
		{TEXT_FIGURE, 2, "12.840 ms", "12.840 ms"},
		{TEXT_FIXED, 2, "0xd0000200", "0xd0000200"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buffer text;

		buffer_init(&text, 1000);
		text_cut_append(&text, cases[i].text, cases[i].form, cases[i].columns, "~");
		ck_assert_str_eq(text.text, cases[i].expected);
		buffer_release(&text);
	}
}
END_TEST

START_TEST(ascii_has_one_sign_a_character)
{
	char text[] = "caf\u00e9 数据 e\u0301 \\xff[12]";

	text_make_ascii(text);
	ck_assert_str_eq(text, "caf? ?? e \\xff[12]");
}
END_TEST

Suite *text_cut_suite(void)
{
	Suite *suite = suite_create("text_cut");
	TCase *tests = tcase_create("text_cut");

	tcase_add_test(tests, texts_are_cut_as_their_form_has_it);
	tcase_add_test(tests, ascii_has_one_sign_a_character);
	suite_add_tcase(suite, tests);
	return suite;
}
