/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "present/text_table.h"
#include "suites.h"

struct sheet {
	char *text;
	size_t length;
	FILE *out;
	struct text_table table;
};

static void sheet_begin(struct sheet *sheet, bool has_header)
{
	sheet->text = NULL;
	sheet->out = open_memstream(&sheet->text, &sheet->length);
	text_table_begin(&sheet->table, sheet->out, has_header);
	(void)text_table_column(&sheet->table, "name", TEXT_NAME);
	(void)text_table_column(&sheet->table, "n", TEXT_FIGURE);
	(void)text_table_column(&sheet->table, "what", TEXT_CAUSE);
}

static void row(struct sheet *sheet, const char *name, const char *number, const char *what)
{
	text_table_cell(&sheet->table, name);
	text_table_cell(&sheet->table, number);
	text_table_cell(&sheet->table, what);
	text_table_row_end(&sheet->table);
}

static void sheet_check(struct sheet *sheet, const char *expected)
{
	(void)text_table_end(&sheet->table);
	(void)fclose(sheet->out);
	ck_assert_str_eq(sheet->text, expected);
	free(sheet->text);
}

START_TEST(columns_are_aligned_without_trailing_blanks)
{
	struct sheet sheet;

	sheet_begin(&sheet, /* has_header= */ true);
	row(&sheet, "caf\xc3\xa9", "1", "x");
	row(&sheet, "a", "1,000", "longer");
	sheet_check(&sheet, "name      n  what\n"
	                    "caf\xc3\xa9      1  x\n"
	                    "a     1,000  longer\n");
}
END_TEST

START_TEST(no_rows_no_header)
{
	struct sheet sheet;

	sheet_begin(&sheet, /* has_header= */ true);
	ck_assert(!text_table_end(&sheet.table));
	(void)fclose(sheet.out);
	ck_assert_str_eq(sheet.text, "");
	free(sheet.text);
}
END_TEST

START_TEST(the_last_column_is_cut_at_the_width)
{
	struct sheet sheet;

	sheet_begin(&sheet, /* has_header= */ false);
	sheet.table.width = 20;
	row(&sheet, "ab", "1", "\xc3\xa9" "123456789012345");
	row(&sheet, "ab", "1", "1234567890123");
	sheet_check(&sheet, "ab  1  \xc3\xa9" "12345678901~\n"
	                    "ab  1  1234567890123\n");
}
END_TEST

START_TEST(widths_stand_after_the_lookahead)
{
	struct sheet sheet;
	const char *last;

	sheet_begin(&sheet, /* has_header= */ false);
	for (int i = 0; i < TEXT_TABLE_LOOKAHEAD; i++)
		row(&sheet, "ab", "1", "x");
	(void)fflush(sheet.out);
	ck_assert_uint_eq(sheet.length, TEXT_TABLE_LOOKAHEAD * sizeof("ab  1  x"));
	row(&sheet, "a", "10", "x");
	(void)fflush(sheet.out);
	last = sheet.text + TEXT_TABLE_LOOKAHEAD * sizeof("ab  1  x");
	ck_assert_str_eq(last, "a   10  x\n");
	ck_assert(text_table_end(&sheet.table));
	(void)fclose(sheet.out);
	free(sheet.text);
}
END_TEST

Suite *text_table_suite(void)
{
	Suite *suite = suite_create("text_table");
	TCase *tests = tcase_create("text_table");

	tcase_add_test(tests, columns_are_aligned_without_trailing_blanks);
	tcase_add_test(tests, no_rows_no_header);
	tcase_add_test(tests, the_last_column_is_cut_at_the_width);
	tcase_add_test(tests, widths_stand_after_the_lookahead);
	suite_add_tcase(suite, tests);
	return suite;
}
