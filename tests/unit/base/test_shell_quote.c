/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text/shell_quote.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "suites.h"

static const char *const words[] = {
	"plain", "two words", "", "it's", "a\\b", "*?[", "\"", "$HOME `id`", "caf\xc3\xa9",
	"\x1b[31m", "\xff\n\t", "'", "\\", "\\x41", "a\x01'b\\",
};

/* What is quoted is read as it was; a shell reads it alike. */
START_TEST(what_is_quoted_is_read)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(freep) char **split = NULL;
	size_t count;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		buffer_puts(&line, i % 2 ? "  " : " ");
		shell_quote_append(&line, words[i]);
	}
	buffer_putc(&line, ' ');
	split = shell_words_split(line.text, &count);
	ck_assert_ptr_nonnull(split);
	ck_assert_uint_eq(count, sizeof(words) / sizeof(*words));
	for (size_t i = 0; i < count; i++)
		ck_assert_str_eq(split[i], words[i]);
	ck_assert_ptr_null(split[count]);
}
END_TEST

START_TEST(backslashes_stand_for_themselves)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(freep) char **split = NULL;
	size_t count;

	shell_word_write(&line, "a b'c*\\");
	split = shell_words_split(line.text, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(split[0], "a b'c*\\");
}
END_TEST

START_TEST(an_open_quote_is_no_line)
{
	size_t count;

	ck_assert_ptr_null(shell_words_split("--comm 'a b", &count));
	ck_assert_ptr_null(shell_words_split("$'a\\'", &count));
}
END_TEST

Suite *shell_quote_suite(void)
{
	Suite *suite = suite_create("shell_quote");
	TCase *tests = tcase_create("shell_quote");

	tcase_add_test(tests, what_is_quoted_is_read);
	tcase_add_test(tests, backslashes_stand_for_themselves);
	tcase_add_test(tests, an_open_quote_is_no_line);
	suite_add_tcase(suite, tests);
	return suite;
}
