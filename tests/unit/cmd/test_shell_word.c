/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cmd/shell_word.h"
#include "suites.h"

static const struct {
	const char *raw, *meaning;
	char quote;     /* that is open */
	size_t open_at; /* SIZE_MAX: at the end */
} readings[] = {
	{"", "", '\0', SIZE_MAX},
	{"plain", "plain", '\0', SIZE_MAX},
	{"a\\ b", "a b", '\0', SIZE_MAX},
	{"'a b'c", "a bc", '\0', SIZE_MAX},
	{"a\"b c\"", "ab c", '\0', SIZE_MAX},
	{"\"a\\$\\x\\\"\"", "a$\\x\"", '\0', SIZE_MAX},
	{"'a\\'", "a\\", '\0', SIZE_MAX},
	{"\"it's", "it's", '"', 0},
	{"ab'c d", "abc d", '\'', 2},
	{"'a'\\''b'", "a'b", '\0', SIZE_MAX},
	{"'a'\"b", "ab", '"', 3},
	{"$(touch x)", "$(touch x)", '\0', SIZE_MAX},
	{"~x", "~x", '\0', SIZE_MAX},
	{"\\~/x", "~/x", '\0', SIZE_MAX},
	{"end\\", "end\\", '\0', SIZE_MAX},
};

START_TEST(words_mean_what_a_shell_reads)
{
	const char *raw = readings[_i].raw;
	size_t open_at = readings[_i].open_at;
	char quote;
	char *text = shell_word_read(raw, strlen(raw), &quote);

	ck_assert_str_eq(text, readings[_i].meaning);
	ck_assert_int_eq(quote, readings[_i].quote);
	ck_assert_uint_eq(shell_word_open_quote(raw), open_at == SIZE_MAX ? strlen(raw) : open_at);
	free(text);
}
END_TEST

START_TEST(home_is_known)
{
	char quote, *text;

	(void)setenv("HOME", "/home of/me", 1);
	text = shell_word_read("~/x", 3, &quote);
	ck_assert_str_eq(text, "/home of/me/x");
	free(text);
}
END_TEST

/* What is written behind a quote or none is read as it was. */
START_TEST(what_is_written_is_read_again)
{
	static const char *const texts[] = {
		"plain", "a b", "$(touch x)", "`x`", "it's", "\"", "\\", "!a", "a;b|c&d>e<f", "*?[x]",
		"~/x", "#x", "-rf", "\xe4\xb8\xad", "'", "{a,b}", "a:b@c=d%e",
	};
	static const char *const quotes[] = {"", "\"", "'"};
	const char *open = quotes[_i];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char quote, *text;
		struct buffer raw;

		buffer_init(&raw, 1000);
		buffer_puts(&raw, open);
		shell_word_write(&raw, texts[i], *open);
		text = shell_word_read(raw.text, raw.length, &quote);
		ck_assert_str_eq(text, texts[i]);
		ck_assert_int_eq(quote, *open);
		free(text);
		buffer_release(&raw);
	}
}
END_TEST

Suite *shell_word_suite(void)
{
	Suite *suite = suite_create("shell_word");
	TCase *tests = tcase_create("shell_word");

	tcase_add_loop_test(tests, words_mean_what_a_shell_reads, 0,
	                    sizeof(readings) / sizeof(*readings));
	tcase_add_test(tests, home_is_known);
	tcase_add_loop_test(tests, what_is_written_is_read_again, 0, 3);
	suite_add_tcase(suite, tests);
	return suite;
}
