/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "present/picture/svg_text.h"
#include "suites.h"

START_TEST(any_bytes_become_character_data)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{"plain", "plain"},
		{"a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c'"},
		{"]]>", "]]&gt;"},
		{"\x01\n\x7f\xff", "\\x01\\x0a\\x7f\\xff"},
		{"\xc3\xa9\xe4\xb8\xad", "\xc3\xa9\xe4\xb8\xad"},
		{"\xe2\x80\xae", "\\xe2\\x80\\xae"},
		{"\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", "\\xef\\xbf\\xbe\\xef\\xbf\\xbf\xef\xbf\xbd"},
		{"", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buffer shown;

		buffer_init(&shown, 1000);
		svg_text_append(&shown, cases[i].text);
		ck_assert_str_eq(shown.text, cases[i].shown);
		buffer_release(&shown);
	}
}
END_TEST

START_TEST(text_is_cut_to_its_room)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *shown;
	} cases[] = {
		{"schedule", 8, "schedule"}, {"schedule", 7, "sched.."}, {"schedule", 3, "s.."},
		{"schedule", 2, ""},         {"ab", 2, ""},              {"ab", 3, "ab"},
		{"schedule", 0, ""},         {"", 10, ""},
		/* two columns each */
		{"\xe4\xb8\xad\xe4\xb8\xad", 4, "\xe4\xb8\xad\xe4\xb8\xad"},
		{"\xe4\xb8\xad\xe4\xb8\xad", 3, ".."},
		{"a\xe4\xb8\xad\xe4\xb8\xad", 4, "a.."},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buffer shown;

		buffer_init(&shown, 1000);
		svg_text_cut(&shown, cases[i].text, cases[i].columns);
		ck_assert_str_eq(shown.text, cases[i].shown);
		buffer_release(&shown);
	}
}
END_TEST

START_TEST(lines_break_at_blanks)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{"one two", "one two\n"},
		{"one two three", "one two\nthree\n"},
		{"one twothree", "one\ntwothree\n"},
		{"onetwothreefour", "onetwoth\nreefour\n"},
		{"12345678 9", "12345678\n9\n"},
		{"", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buffer shown;

		buffer_init(&shown, 1000);
		svg_text_wrap(&shown, cases[i].text, 8);
		ck_assert_str_eq(shown.text, cases[i].shown);
		buffer_release(&shown);
	}
}
END_TEST

Suite *svg_text_suite(void)
{
	Suite *suite = suite_create("svg_text");
	TCase *tests = tcase_create("svg_text");

	tcase_add_test(tests, any_bytes_become_character_data);
	tcase_add_test(tests, text_is_cut_to_its_room);
	tcase_add_test(tests, lines_break_at_blanks);
	suite_add_tcase(suite, tests);
	return suite;
}
