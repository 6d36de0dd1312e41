/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data/array.h"
#include "base/text/utf8.h"
#include "present/text/text_table.h"
#include "property/random.h"
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

/* A column is blank if no row has a value in it; the last column has none in one row only. */
START_TEST(a_column_of_blank_cells_goes_first)
{
	static const char *const titles[] = {"NAME", "USEFUL", "SPARE"};
	struct sheet sheet;

	sheet.text = NULL;
	sheet.out = open_memstream(&sheet.text, &sheet.length);
	text_table_begin(&sheet.table, sheet.out, /* has_header= */ true);
	for (unsigned i = 0; i < ARRAY_SIZE(titles); i++)
		text_table_column(&sheet.table, titles[i], TEXT_FIGURE)->rank =
			i == 1 ? TEXT_RANK_USEFUL : i == 2 ? TEXT_RANK_SPARE : 0;
	sheet.table.width = 15;
	for (unsigned i = 0; i < 3; i++) {
		text_table_cell(&sheet.table, "a");
		text_table_cell_of(&sheet.table, "0", true);
		if (i == 1)
			text_table_cell(&sheet.table, "7");
		else
			text_table_cell_of(&sheet.table, "-", true);
		text_table_row_end(&sheet.table);
	}
	sheet_check(&sheet, "NAME  SPARE\n"
	                    "   a      -\n"
	                    "   a      7\n"
	                    "   a      -\n");
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

START_TEST(wide_characters_are_aligned)
{
	struct sheet sheet;

	sheet_begin(&sheet, /* has_header= */ true);
	row(&sheet, "数据库[12]", "1", "x");
	row(&sheet, "e\u0301[3]", "1", "x");
	sheet_check(&sheet, "name        n  what\n"
	                    "数据库[12]  1  x\n"
	                    "e\u0301[3]        1  x\n");
}
END_TEST

START_TEST(names_keep_their_tid_and_headers_obey_too)
{
	struct sheet sheet;

	sheet_begin(&sheet, /* has_header= */ true);
	sheet.table.width = 40;
	sheet.table.column[2].title = "what this task waited for in the end";
	row(&sheet, "kworker/u8:2-flush[12345]", "1", "disk 254,0 (read 4.0 KiB, sector 1)");
	sheet_check(&sheet, "name              n  what this task wai~\n"
	                    "kworker/~[12345]  1  disk 254,0 (read 4~\n");
}
END_TEST

START_TEST(a_terminal_of_ascii_gets_ascii)
{
	struct sheet sheet;

	sheet_begin(&sheet, /* has_header= */ false);
	sheet.table.is_ascii = true;
	row(&sheet, "数据库[12]", "1", "x");
	row(&sheet, "caf\u00e9s[3]", "1", "x");
	sheet_check(&sheet, "???[12]   1  x\n"
	                    "caf?s[3]  1  x\n");
}
END_TEST

/* The last text gives way first; figures come last. */
START_TEST(rows_after_the_lookahead_fit_too)
{
	struct sheet sheet;
	static const char first[] = "abcd       1  x\n";
	const char *last;

	sheet_begin(&sheet, /* has_header= */ false);
	sheet.table.width = 20;
	for (int i = 0; i < TEXT_TABLE_LOOKAHEAD; i++)
		row(&sheet, "abcd", "1", "x");
	(void)fflush(sheet.out);
	ck_assert_uint_eq(sheet.length, TEXT_TABLE_LOOKAHEAD * strlen(first));
	last = sheet.text + TEXT_TABLE_LOOKAHEAD * strlen(first);
	row(&sheet, "a", "1,000", "a cause");
	row(&sheet, "a very long name[1]", "1,000,000", "a cause");
	row(&sheet, "a", "1,000,000,000,000,000", "a cause");
	(void)fflush(sheet.out);
	ck_assert_str_eq(last, "a          1,000  a~\n"
	                       "a ver~[1]  1,000,000\n"
	                       "a          1,000,00~\n");
	ck_assert(text_table_end(&sheet.table));
	(void)fclose(sheet.out);
	free(sheet.text);
}
END_TEST

START_TEST(prose_of_a_last_column_is_folded)
{
	struct sheet sheet;

	sheet_begin(&sheet, /* has_header= */ false);
	sheet.table.width = 20;
	sheet.table.folds_last = true;
	row(&sheet, "ab", "1", "what is folded is prose");
	sheet_check(&sheet, "ab  1  what is\n"
	                    "       folded is\n"
	                    "       prose\n");
}
END_TEST

/* Text of up to so many characters, of one, two and no columns. */
static void random_text(struct random *random, unsigned most, struct buffer *to)
{
	static const char *const characters[] = {
		"a", "B", "7", " ", "[", ":", "/", "]", "\u00e9", "数", "库", "\u0301", "🐧",
	};

	buffer_clear(to);
	for (unsigned left = random_below(random, most + 1); left > 0; left--)
		buffer_puts(to, characters[random_below(random, ARRAY_SIZE(characters))]);
}

static void random_columns(struct random *random, struct text_table *table)
{
	static const char *const titles[] = {"A", "TASK", "P50 / P99 / MAX", "WHO HAD IT"};

	for (unsigned left = 1 + random_below(random, 14); left > 0; left--) {
		enum text_form form = (enum text_form)random_below(random, TEXT_BAR + 1);
		const char *title = titles[random_below(random, ARRAY_SIZE(titles))];
		struct text_column *column = text_table_column(table, title, form);

		column->rank = random_chance(random, 30) ? 0 : random_below(random, 15);
		column->is_stand_in = table->column_count > 1 && !column[-1].is_stand_in &&
		                      random_chance(random, 10);
	}
}

static void random_rows(struct random *random, struct text_table *table, unsigned count)
{
	struct buffer text;

	buffer_init(&text, 1000);
	for (; count > 0; count--) {
		for (size_t i = 0; i < table->column_count; i++) {
			random_text(random, random_chance(random, 5) ? 60 : 12, &text);
			text_table_cell(table, text.text);
		}
		text_table_row_end(table);
	}
	buffer_release(&text);
}

static void check_lines(char *text, size_t width, unsigned rows, uint64_t seed)
{
	unsigned lines = 0;
	char *next;

	for (char *line = text; *line; line = next) {
		size_t length = strcspn(line, "\n");

		line[length] = '\0';
		next = line + length + 1;
		lines++;
		ck_assert_msg(utf8_columns(line) <= width, "SEED=%" PRIu64 ": wider than %zu: %s",
		              seed, width, line);
	}
	ck_assert_msg(lines == rows + 1, "SEED=%" PRIu64 ": %u lines", seed, lines);
}

/* SEED=... in the environment repeats a run. */
START_TEST(no_line_is_wider_than_the_terminal)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct random random = {seed};

	for (int run = 0; run < 200; run++) {
		unsigned rows = run % 20 ? 1 + random_below(&random, 30)
		                         : TEXT_TABLE_LOOKAHEAD + 50;
		struct text_table table;
		char *text = NULL;
		size_t length;
		FILE *out = open_memstream(&text, &length);

		text_table_begin(&table, out, /* has_header= */ true);
		table.width = 20 + random_below(&random, 181);
		table.ellipsis = random_chance(&random, 50) ? "…" : "~";
		random_columns(&random, &table);
		random_rows(&random, &table, rows);
		ck_assert(text_table_end(&table));
		(void)fclose(out);
		check_lines(text, table.width, rows, seed);
		free(text);
	}
}
END_TEST

Suite *text_table_suite(void)
{
	Suite *suite = suite_create("text_table");
	TCase *tests = tcase_create("text_table");

	tcase_add_test(tests, a_column_of_blank_cells_goes_first);
	tcase_add_test(tests, columns_are_aligned_without_trailing_blanks);
	tcase_add_test(tests, no_rows_no_header);
	tcase_add_test(tests, the_last_column_is_cut_at_the_width);
	tcase_add_test(tests, widths_stand_after_the_lookahead);
	tcase_add_test(tests, wide_characters_are_aligned);
	tcase_add_test(tests, names_keep_their_tid_and_headers_obey_too);
	tcase_add_test(tests, a_terminal_of_ascii_gets_ascii);
	tcase_add_test(tests, rows_after_the_lookahead_fit_too);
	tcase_add_test(tests, prose_of_a_last_column_is_folded);
	tcase_add_test(tests, no_line_is_wider_than_the_terminal);
	suite_add_tcase(suite, tests);
	return suite;
}
