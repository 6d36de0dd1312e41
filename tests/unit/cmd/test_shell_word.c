/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text/shell_quote.h"
#include "suites.h"

static const struct {
	const char *text, *word;
} words[] = {
	{"", ""},
	{"plain", "plain"},
	{"a:b@c=d%e,f/g.h_i-j+k", "a:b@c=d%e,f/g.h_i-j+k"},
	{"a b", "a\\ b"},
	{"$(touch x)", "\\$\\(touch\\ x\\)"},
	{"`x`", "\\`x\\`"},
	{"it's \"a\"", "it\\'s\\ \\\"a\\\""},
	{"\\", "\\\\"},
	{"!a;b|c&d>e<f", "\\!a\\;b\\|c\\&d\\>e\\<f"},
	{"*?[x]{a}", "\\*\\?\\[x\\]\\{a\\}"},
	{"~/x#y", "\\~/x\\#y"},
	{"\xe4\xb8\xad", "\xe4\xb8\xad"},
};

START_TEST(a_shell_reads_the_text)
{
	struct buffer word;

	buffer_init(&word, 1000);
	shell_word_write(&word, words[_i].text);
	ck_assert_str_eq(word.text, words[_i].word);
	buffer_release(&word);
}
END_TEST

Suite *shell_word_suite(void)
{
	Suite *suite = suite_create("shell_word");
	TCase *tests = tcase_create("shell_word");

	tcase_add_loop_test(tests, a_shell_reads_the_text, 0, sizeof(words) / sizeof(*words));
	suite_add_tcase(suite, tests);
	return suite;
}
