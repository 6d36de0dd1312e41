/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "present/presenter.h"
#include "sample_comparison.h"
#include "sample_report.h"
#include "suites.h"

static void check_has(const char *text, const char *piece)
{
	ck_assert_msg(strstr(text, piece) != NULL, "no \"%s\"", piece);
}

START_TEST(sample_is_a_page)
{
	char *text = sample_render("html", &(struct presenter_options){0});
	char *again = sample_render("html", &(struct presenter_options){0});

	ck_assert_str_eq(text, again);
	ck_assert_int_eq(strncmp(text, "<!DOCTYPE html>\n", 16), 0);
	check_has(text, "<title>run.dat - ftwait</title>");
	check_has(text, "<p class=\"trace\">1,234 events in 1.000 s, 4 CPUs, kernel 6.1.0</p>");
	check_has(text, "content=\"default-src 'none'; style-src 'sha256-");
	check_has(text, "<script type=\"text/plain\" id=\"data-meta\">");
	check_has(text, "<script type=\"text/plain\" id=\"data-icicle\">");
	check_has(text, "<h2>Health</h2>");
	check_has(text, "</script>\n</body>\n</html>\n");
	free(text);
	free(again);
}
END_TEST

static void check_leads_nowhere(char *text)
{
	static const char *const words[] = {
		"http:", "https:", "@import", "import(", "fetch(", " src=", "<link", "url(",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		ck_assert_msg(!strstr(text, words[i]), "%s", words[i]);
	free(text);
}

START_TEST(pages_lead_nowhere)
{
	check_leads_nowhere(sample_render("html", &(struct presenter_options){0}));
	check_leads_nowhere(comparison_render("html"));
}
END_TEST

/* The picture stands between the sentences and the table; nothing is there of one recording. */
START_TEST(comparison_is_a_page)
{
	char *text = comparison_render("html"), *again = comparison_render("html");

	ck_assert_str_eq(text, again);
	check_has(text, "<title>2 recordings against 3 - ftwait</title>");
	check_has(text, "<h1>2 recordings against 3</h1>\n</header>\n");
	check_has(text, "<h2>What changed</h2>\n<p>It took &lt;b&gt;.</p>\n</section>\n"
	                "<section id=\"icicle\" hidden>\n");
	check_has(text, "</section>\n<section class=\"view\" id=\"changes\"><h2>Changes</h2>\n"
	                "<div class=\"table\"><table data-key=\"rows\" id=\"diff-rows\">");
	/* only the sure one is marked */
	check_has(text, "<tr><td>no</td><td>&lt;i&gt;</td></tr>\n"
	                "<tr class=\"marked\"><td>yes</td><td>&lt;i&gt;</td></tr>\n");
	check_has(text, "<script type=\"text/plain\" id=\"data-changes\">");
	ck_assert_ptr_null(strstr(text, "id=\"data-meta\""));
	ck_assert_ptr_null(strstr(text, "id=\"data-icicle\""));
	ck_assert_ptr_null(strstr(text, "<section id=\"flow\">"));
	free(text);
	free(again);
}
END_TEST

/* The number of times that a piece of text occurs. */
static size_t count_of(const char *text, const char *piece)
{
	size_t count = 0;

	for (text = strstr(text, piece); text; text = strstr(text + 1, piece))
		count++;
	return count;
}

/* Tables that are only data are none. */
START_TEST(tables_without_heads_are_left_out)
{
	static const struct column columns[] = {{"runs", NULL, CELL_COUNT, 0}};
	const struct presenter *html = presenter_find("html");
	const struct trace_summary trace = {0};
	const struct health health = {0};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	void *page = html->begin(out, &(struct presenter_options){0}, &trace);

	html->section_begin(page, "some", "Some", false);
	html->table_begin(page, "runs", NULL, columns, ARRAY_SIZE(columns), true);
	html->row(page, (struct cell[]){{.type = CELL_COUNT, .count = 5}});
	html->table_end(page);
	html->section_end(page);
	html->end(page, &health);
	(void)fclose(out);
	ck_assert_uint_eq(count_of(text, "<table"), 0);
	free(text);
}
END_TEST

START_TEST(nothing_recorded_is_a_page_too)
{
	struct health health = {.events_lost = 5};
	char *text = empty_render("html", &health);

	check_has(text, "<p class=\"warning\">");
	check_has(text, "id=\"data-lengths\"");
	free(text);
}
END_TEST

/* What a table is made of a cell: markup in a name is text. */
START_TEST(names_are_text)
{
	static const struct column columns[] = {
		{"task", "TASK", CELL_TASK, 0},
		{"time_ns", "TIME", CELL_DURATION, 0},
		{"at_ns", "AT", CELL_INSTANT, 0},
		{"hidden", "HIDDEN", CELL_COUNT, COLUMN_DATA_ONLY},
	};
	const struct cell cells[] = {
		{.type = CELL_TASK, .task = {.tid = 7, .tgid = 7, .comm = "</td><img>\"&"}},
		{.type = CELL_DURATION, .time = 1500},
		{.type = CELL_INSTANT, .time = 1250},
		{.type = CELL_COUNT, .count = 1},
	};
	const struct presenter *html = presenter_find("html");
	const struct trace_summary trace = {
		.begin = 1000, .end = 5000, .instants = {.begin = 1000}};
	struct health health = {0};
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	void *page = html->begin(out, &(struct presenter_options){.top = 20}, &trace);

	html->section_begin(page, "some", "Some <b>", /* is_list= */ false);
	html->table_begin(page, "rows", "Rows", columns, ARRAY_SIZE(columns), false);
	html->row(page, cells);
	html->rows_left(page, 2);
	html->table_end(page);
	html->section_end(page);
	html->end(page, &health);
	(void)fclose(out);
	check_has(text, "<h2>Some &lt;b&gt;</h2>");
	check_has(text, "<table data-key=\"rows\" id=\"some-rows\"><caption>Rows</caption>");
	check_has(text, "<tr><td data-tid=\"7\">&lt;/td&gt;&lt;img&gt;&quot;&amp;[7]</td>"
	                "<td class=\"figure\" data-value=\"1500\">1.500 us</td>"
	                "<td class=\"figure\" data-at=\"250\" data-value=\"250\">");
	ck_assert_ptr_null(strstr(text, "HIDDEN"));
	check_has(text, "<p class=\"left\">2 rows more</p>");
	free(text);
}
END_TEST

Suite *html_presenter_suite(void)
{
	Suite *suite = suite_create("html_presenter");
	TCase *tests = tcase_create("html_presenter");

	tcase_add_test(tests, sample_is_a_page);
	tcase_add_test(tests, pages_lead_nowhere);
	tcase_add_test(tests, comparison_is_a_page);
	tcase_add_test(tests, tables_without_heads_are_left_out);
	tcase_add_test(tests, nothing_recorded_is_a_page_too);
	tcase_add_test(tests, names_are_text);
	suite_add_tcase(suite, tests);
	return suite;
}
