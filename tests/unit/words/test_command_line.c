/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/command_line.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static struct buffer text, word;

static void line_setup(void)
{
	buffer_init(&text, 1u << 20);
	buffer_init(&word, 1u << 20);
}

static void line_teardown(void)
{
	buffer_release(&text);
	buffer_release(&word);
}

/* `size`: sizeof of a literal, whose last NUL ends its last word. */
static void check_written(const char *bytes, size_t size, const char *expected)
{
	buffer_clear(&text);
	command_line_write(&text, bytes, size, /* is_whole= */ true);
	ck_assert_str_eq(text.length ? text.text : "", expected);
	ck_assert(text.length == 0 || command_line_is_valid(text.text, text.length));
}

#define CHECK_WRITTEN(bytes, expected) check_written(bytes, sizeof(bytes), expected)

START_TEST(words_are_separated_by_blanks)
{
	CHECK_WRITTEN("make\0-j2", "make -j2");
	CHECK_WRITTEN("sh\0-c\0echo \"a\\b\";\nsleep\t1", "sh -c echo\\040\"a\\134b\";\\012sleep\\0111");
	CHECK_WRITTEN("a\0\0b", "a \\ b");
	CHECK_WRITTEN("\0a", "\\ a");
	CHECK_WRITTEN("caf\xc3\xa9\0\xff\xc3(\x7f\x1b", "caf\xc3\xa9 \\377\\303(\\177\\033");
	/* a title: the rest of the old line is NULs, or it has no NUL */
	CHECK_WRITTEN("nginx: worker process\0\0\0\0", "nginx:\\040worker\\040process");
	check_written("python3", strlen("python3"), "python3");
	check_written("", 0, "");
	check_written("\0\0", 2, "");
}
END_TEST

static void check_next(const char **at, const char *expected, bool is_cut)
{
	bool was_cut;

	ck_assert(command_line_next(at, &word, &was_cut));
	ck_assert_str_eq(word.length ? word.text : "", expected);
	ck_assert_int_eq(was_cut, is_cut);
}

static void check_end(const char *at)
{
	bool is_cut;

	ck_assert(!command_line_next(&at, &word, &is_cut));
}

START_TEST(words_are_read_as_they_were)
{
	static const char line[] = "sh\0-c\0a b\\\n\0\0\xff";
	const char *at;

	command_line_write(&text, line, sizeof(line), /* is_whole= */ true);
	at = text.text;
	check_next(&at, "sh", false);
	check_next(&at, "-c", false);
	check_next(&at, "a b\\\n", false);
	check_next(&at, "", false);
	check_next(&at, "\xff", false);
	check_end(at);
}
END_TEST

START_TEST(a_long_word_is_cut)
{
	char line[2 * COMMAND_LINE_WORD_MAX];
	const char *at;

	memset(line, 'a', sizeof(line));
	/* not within a character */
	memcpy(line + COMMAND_LINE_WORD_MAX - 1, "\xe2\x82\xac", 3);
	line[sizeof(line) - 1] = '\0';
	command_line_write(&text, line, sizeof(line), /* is_whole= */ true);
	line[COMMAND_LINE_WORD_MAX - 1] = '\0';
	at = text.text;
	check_next(&at, line, true);
	check_end(at);
}
END_TEST

static size_t many_words(char *line, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		line[4 * i] = (char)('a' + i % 26);
		line[4 * i + 1] = (char)('a' + i / 26 % 26);
		line[4 * i + 2] = (char)('a' + i / 676 % 26);
		line[4 * i + 3] = '\0';
	}
	return 4 * count;
}

START_TEST(of_a_long_line_both_ends_are_kept)
{
	static char line[4 * 1000];
	const size_t part = COMMAND_LINE_PART_MAX / 4;
	const char *at;

	command_line_write(&text, line, many_words(line, 2 * part), /* is_whole= */ true);
	at = text.text;
	for (size_t i = 0; i < 2 * part; i++)
		check_next(&at, line + 4 * i, false);
	check_end(at);

	buffer_clear(&text);
	command_line_write(&text, line, many_words(line, 1000), /* is_whole= */ true);
	at = text.text;
	for (size_t i = 0; i < part; i++)
		check_next(&at, line + 4 * i, false);
	check_next(&at, "", true);
	for (size_t i = 1000 - part; i < 1000; i++)
		check_next(&at, line + 4 * i, false);
	check_end(at);

	/* its end was not read */
	buffer_clear(&text);
	command_line_write(&text, line, many_words(line, 1000), /* is_whole= */ false);
	at = text.text;
	for (size_t i = 0; i < part; i++)
		check_next(&at, line + 4 * i, false);
	check_next(&at, "", true);
	check_end(at);
}
END_TEST

/* The longest text: each byte is escaped, and each word is cut. */
START_TEST(no_text_is_longer_than_the_limit)
{
	static char line[32768];

	memset(line, '\xff', sizeof(line));
	for (size_t i = COMMAND_LINE_WORD_MAX + 1; i < sizeof(line); i += COMMAND_LINE_WORD_MAX + 2)
		line[i] = '\0';
	command_line_write(&text, line, sizeof(line), /* is_whole= */ true);
	ck_assert(command_line_is_valid(text.text, text.length));
	ck_assert_uint_gt(text.length, COMMAND_LINE_TEXT_MAX / 2);
	buffer_clear(&text);
	memset(line, '\0', sizeof(line));
	line[sizeof(line) - 1] = 'a';
	command_line_write(&text, line, sizeof(line), /* is_whole= */ true);
	ck_assert(command_line_is_valid(text.text, text.length));
}
END_TEST

START_TEST(other_texts_are_rejected)
{
	static const char *const valid[] = {
		"a", "a b", "\\", "\\ a", "a \\", "\\377", "a\\... b", "\\...", "a \\...", "\xff",
		"\\001",
	};
	static const char *const invalid[] = {
		"", " ", " a", "a ", "a  b", "a\\", "a\\ b", "\\0", "\\00", "\\000", "\\400",
		"\\777", "\\08a", "\\a", "\\\\", "\\..", "\\....", "a\\...b", "a\tb", "a\nb", "a\x7f",
		"a\x1b[m", "\\ \\ ", "\\12 a",
	};
	static char longest[COMMAND_LINE_TEXT_MAX + 1];

	for (size_t i = 0; i < ARRAY_SIZE(valid); i++)
		ck_assert_msg(command_line_is_valid(valid[i], strlen(valid[i])), "%s", valid[i]);
	for (size_t i = 0; i < ARRAY_SIZE(invalid); i++)
		ck_assert_msg(!command_line_is_valid(invalid[i], strlen(invalid[i])), "%s",
		              invalid[i]);
	ck_assert(!command_line_is_valid("a\0b", 3));
	memset(longest, 'a', sizeof(longest));
	ck_assert(command_line_is_valid(longest, COMMAND_LINE_TEXT_MAX));
	ck_assert(!command_line_is_valid(longest, COMMAND_LINE_TEXT_MAX + 1));
}
END_TEST

START_TEST(people_see_what_a_shell_takes)
{
	command_line_append(&text, "sh -c echo\\040a;\\012b \\ it's a\\... \\... \\033");
	ck_assert_str_eq(text.text, "sh -c $'echo a;\\x0ab' '' 'it'\\''s' a... ... $'\\x1b'");
}
END_TEST

Suite *command_line_suite(void)
{
	Suite *suite = suite_create("command_line");
	TCase *tests = tcase_create("command_line");

	tcase_add_checked_fixture(tests, line_setup, line_teardown);
	tcase_add_test(tests, words_are_separated_by_blanks);
	tcase_add_test(tests, words_are_read_as_they_were);
	tcase_add_test(tests, a_long_word_is_cut);
	tcase_add_test(tests, of_a_long_line_both_ends_are_kept);
	tcase_add_test(tests, no_text_is_longer_than_the_limit);
	tcase_add_test(tests, other_texts_are_rejected);
	tcase_add_test(tests, people_see_what_a_shell_takes);
	suite_add_tcase(suite, tests);
	return suite;
}
