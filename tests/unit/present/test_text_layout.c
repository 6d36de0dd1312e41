/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/data/array.h"
#include "present/text/text_table.h"
#include "suites.h"

#define SPARE(n)  (TEXT_RANK_SPARE + (n) - 1)
#define USEFUL(n) (TEXT_RANK_USEFUL + (n) - 1)

/* Like those of --waits. */
static const struct text_column waits[] = {
	{.title = "BEGIN", .form = TEXT_FIGURE, .rank = USEFUL(1), .width = 8},
	{.title = "RUN", .form = TEXT_FIGURE, .rank = SPARE(1), .width = 8},
	{.title = "WAITED", .form = TEXT_FIGURE, .width = 10},
	{.title = "TASK", .form = TEXT_NAME, .width = 24},
	{.title = "CONF", .form = TEXT_FIXED, .rank = SPARE(2), .width = 4},
	{.title = "CAUSE", .form = TEXT_CAUSE, .width = 70},
};

/* "WAITED 10, TASK 24": what is shown, and how wide. */
static void check_layout(const struct text_column *columns, size_t count, size_t width,
                         const char *expected)
{
	struct text_column laid[8];
	struct buffer text;

	ck_assert_uint_le(count, ARRAY_SIZE(laid));
	memcpy(laid, columns, count * sizeof(*columns));
	buffer_init(&text, 1000);
	text_layout(laid, count, width, /* is_open= */ false);
	for (size_t i = 0; i < count; i++)
		if (text_column_is_shown(laid, i))
			buffer_printf(&text, "%s%s %zu", text.length ? ", " : "", laid[i].title,
			              laid[i].shown);
	ck_assert_str_eq(text.text, expected);
	buffer_release(&text);
}

START_TEST(without_a_width_all_is_shown)
{
	check_layout(waits, ARRAY_SIZE(waits), 0,
	             "BEGIN 8, RUN 8, WAITED 10, TASK 24, CONF 4, CAUSE 70");
	check_layout(waits, ARRAY_SIZE(waits), 134,
	             "BEGIN 8, RUN 8, WAITED 10, TASK 24, CONF 4, CAUSE 70");
}
END_TEST

START_TEST(a_long_cause_is_cut_before_a_column_goes)
{
	check_layout(waits, ARRAY_SIZE(waits), 100,
	             "BEGIN 8, RUN 8, WAITED 10, TASK 24, CONF 4, CAUSE 36");
}
END_TEST

START_TEST(spare_columns_go_before_texts_suffer)
{
	check_layout(waits, ARRAY_SIZE(waits), 99,
	             "BEGIN 8, WAITED 10, TASK 24, CONF 4, CAUSE 45");
	check_layout(waits, ARRAY_SIZE(waits), 89, "BEGIN 8, WAITED 10, TASK 24, CAUSE 41");
}
END_TEST

START_TEST(useful_columns_go_after_texts_are_cut)
{
	check_layout(waits, ARRAY_SIZE(waits), 80, "BEGIN 8, WAITED 10, TASK 24, CAUSE 32");
	check_layout(waits, ARRAY_SIZE(waits), 64, "BEGIN 8, WAITED 10, TASK 16, CAUSE 24");
	check_layout(waits, ARRAY_SIZE(waits), 63, "WAITED 10, TASK 21, CAUSE 28");
}
END_TEST

START_TEST(in_the_end_nothing_reads_well_but_all_fits)
{
	check_layout(waits, ARRAY_SIZE(waits), 40, "WAITED 10, TASK 11, CAUSE 15");
	check_layout(waits, ARRAY_SIZE(waits), 30, "WAITED 10, TASK 8, CAUSE 12");
}
END_TEST

/* A narrow column that went before a wide one comes back where it has room then. */
START_TEST(what_went_in_vain_comes_back)
{
	static const struct text_column columns[] = {
		{.title = "A", .form = TEXT_FIGURE, .rank = SPARE(1), .width = 4},
		{.title = "B", .form = TEXT_FIGURE, .rank = SPARE(2), .width = 40},
		{.title = "C", .form = TEXT_FIGURE, .width = 20},
	};

	check_layout(columns, ARRAY_SIZE(columns), 50, "A 4, C 20");
}
END_TEST

START_TEST(a_stand_in_is_there_where_its_column_is_not)
{
	static const struct text_column columns[] = {
		{.title = "TASK", .form = TEXT_NAME, .width = 20},
		{.title = "P50 / P99 / MAX", .form = TEXT_FIXED, .rank = SPARE(7), .width = 35},
		{.title = "MAX", .form = TEXT_FIGURE, .rank = USEFUL(1), .is_stand_in = true,
		 .width = 10},
	};

	check_layout(columns, ARRAY_SIZE(columns), 57, "TASK 20, P50 / P99 / MAX 35");
	check_layout(columns, ARRAY_SIZE(columns), 56, "TASK 20, MAX 10");
	check_layout(columns, ARRAY_SIZE(columns), 30, "TASK 18, MAX 10");
	check_layout(columns, ARRAY_SIZE(columns), 20, "TASK 20");
}
END_TEST

START_TEST(columns_of_one_rank_go_together)
{
	static const struct text_column columns[] = {
		{.title = "READS", .form = TEXT_FIGURE, .rank = SPARE(1), .width = 5},
		{.title = "BUSY", .form = TEXT_FIGURE, .width = 6},
		{.title = "WRITES", .form = TEXT_FIGURE, .rank = SPARE(1), .width = 6},
	};

	check_layout(columns, ARRAY_SIZE(columns), 21, "READS 5, BUSY 6, WRITES 6");
	check_layout(columns, ARRAY_SIZE(columns), 20, "BUSY 6");
}
END_TEST

/* Even a useful column that is blank goes before a spare one, and before texts are cut. */
START_TEST(blank_columns_go_first)
{
	static const struct text_column columns[] = {
		{.title = "SPARE", .form = TEXT_FIGURE, .rank = SPARE(1), .width = 8},
		{.title = "NONE", .form = TEXT_FIGURE, .rank = USEFUL(2), .is_blank = true, .width = 8},
		{.title = "NIL", .form = TEXT_FIGURE, .rank = USEFUL(1), .is_blank = true, .width = 8},
		{.title = "RUNNING", .form = TEXT_FIGURE, .is_blank = true, .width = 8},
		{.title = "CAUSE", .form = TEXT_CAUSE, .width = 36},
	};

	check_layout(columns, ARRAY_SIZE(columns), 76,
	             "SPARE 8, NONE 8, NIL 8, RUNNING 8, CAUSE 36");
	check_layout(columns, ARRAY_SIZE(columns), 75, "SPARE 8, NONE 8, RUNNING 8, CAUSE 36");
	check_layout(columns, ARRAY_SIZE(columns), 65, "SPARE 8, RUNNING 8, CAUSE 36");
	check_layout(columns, ARRAY_SIZE(columns), 55, "RUNNING 8, CAUSE 36");
	check_layout(columns, ARRAY_SIZE(columns), 0,
	             "SPARE 8, NONE 8, NIL 8, RUNNING 8, CAUSE 36");
}
END_TEST

START_TEST(the_only_column_stays)
{
	static const struct text_column column = {
		.title = "A", .form = TEXT_FIGURE, .rank = SPARE(1), .width = 40,
	};

	check_layout(&column, 1, 20, "A 40");
}
END_TEST

static void check_open(size_t width, size_t task, size_t cause)
{
	struct text_column columns[] = {
		{.title = "TASK", .form = TEXT_NAME, .width = 8},
		{.title = "CAUSE", .form = TEXT_CAUSE, .width = 20},
	};

	text_layout(columns, ARRAY_SIZE(columns), width, /* is_open= */ true);
	ck_assert_uint_eq(columns[0].shown, task);
	ck_assert_uint_eq(columns[1].shown, cause);
}

START_TEST(unknown_rows_get_what_is_left)
{
	check_open(40, 13, 25);
	check_open(100, 24, 36);
	check_open(0, 8, 20);
}
END_TEST

Suite *text_layout_suite(void)
{
	Suite *suite = suite_create("text_layout");
	TCase *tests = tcase_create("text_layout");

	tcase_add_test(tests, without_a_width_all_is_shown);
	tcase_add_test(tests, a_long_cause_is_cut_before_a_column_goes);
	tcase_add_test(tests, spare_columns_go_before_texts_suffer);
	tcase_add_test(tests, useful_columns_go_after_texts_are_cut);
	tcase_add_test(tests, in_the_end_nothing_reads_well_but_all_fits);
	tcase_add_test(tests, what_went_in_vain_comes_back);
	tcase_add_test(tests, a_stand_in_is_there_where_its_column_is_not);
	tcase_add_test(tests, columns_of_one_rank_go_together);
	tcase_add_test(tests, blank_columns_go_first);
	tcase_add_test(tests, the_only_column_stays);
	tcase_add_test(tests, unknown_rows_get_what_is_left);
	suite_add_tcase(suite, tests);
	return suite;
}
