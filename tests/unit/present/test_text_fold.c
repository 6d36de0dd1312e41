/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "present/text/text_fold.h"
#include "suites.h"

static void check_line(const char *text, size_t width, const char *expected)
{
	struct buffer line;

	buffer_init(&line, 1000);
	text_fold_line(&line, text, width);
	ck_assert_str_eq(line.text, expected);
	buffer_release(&line);
}

START_TEST(lines_are_folded_at_blanks)
{
	check_line("one two three four", 9, "one two\n  three\n  four");
	check_line("one two three four", 18, "one two three four");
	check_line("one two three four", 0, "one two three four");
	check_line("", 9, "");
	check_line("   ", 9, "");
}
END_TEST

START_TEST(what_follows_is_indented_further)
{
	check_line("    run queue  2 CPUs, 7 tasks", 20, "    run queue  2\n      CPUs, 7 tasks");
	/* but no line by more than half of the width */
	check_line("            far to the right", 20, "          far to the\n  right");
}
END_TEST

START_TEST(options_stay_together)
{
	check_line("its path: --critical-path=12 --from 1.5 --to 2.5", 44,
	           "its path:\n  --critical-path=12 --from 1.5 --to 2.5");
	check_line("its path: --critical-path=12 --from 1.5 --to 2.5", 28,
	           "its path: --critical-path=12\n  --from 1.5 --to 2.5");
	check_line("more (--top 0 shows all)", 12, "more\n  (--top 0\n  shows all)");
	check_line("with --json, which takes no value", 14,
	           "with --json,\n  which takes\n  no value");
	check_line("--from 1.234567 is longer than the line", 10,
	           "--from\n  1.234567\n  is\n  longer\n  than the\n  line");
}
END_TEST

START_TEST(figures_stay_with_their_unit)
{
	check_line("running 61 %, then 3.600 s", 13, "running 61 %,\n  then\n  3.600 s");
	check_line("it ran for 61 %, or 3 sheets", 14, "it ran for\n  61 %, or 3\n  sheets");
	check_line("took (1.5 ms) x", 10, "took\n  (1.5 ms)\n  x");
	check_line("took (1.5 ms) x", 9, "took (1.5\n  ms) x"); /* where there is room */
}
END_TEST

START_TEST(long_words_are_broken)
{
	check_line("a /very/long/file.dat b", 10, "a\n  /very/lo\n  ng/file.\n  dat b");
	check_line("数据库的名字", 5, "数据\n  库\n  的\n  名\n  字");
	check_line("x\u0301y\u0301z", 2, "x\u0301y\u0301\nz");
}
END_TEST

START_TEST(styles_end_with_each_line)
{
	check_line("\033[1mone two\033[0m three", 7,
	           "\033[1mone two\033[0m\n  three");
	check_line("\033[1mone two three\033[0m", 7,
	           "\033[1mone two\033[0m\n  \033[1mthree\033[0m");
}
END_TEST

START_TEST(a_value_stays_under_itself)
{
	struct buffer line;

	buffer_init(&line, 1000);
	buffer_puts(&line, "title  ");
	text_fold_append(&line, "some words more", 18, 7, 7);
	ck_assert_str_eq(line.text, "title  some words\n       more");
	buffer_release(&line);
}
END_TEST

Suite *text_fold_suite(void)
{
	Suite *suite = suite_create("text_fold");
	TCase *tests = tcase_create("text_fold");

	tcase_add_test(tests, lines_are_folded_at_blanks);
	tcase_add_test(tests, what_follows_is_indented_further);
	tcase_add_test(tests, options_stay_together);
	tcase_add_test(tests, figures_stay_with_their_unit);
	tcase_add_test(tests, long_words_are_broken);
	tcase_add_test(tests, styles_end_with_each_line);
	tcase_add_test(tests, a_value_stays_under_itself);
	suite_add_tcase(suite, tests);
	return suite;
}
