/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "present/presenter.h"
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

START_TEST(page_leads_nowhere)
{
	static const char *const words[] = {
		"http:", "https:", "@import", "import(", "fetch(", " src=", "<link", "url(",
	};
	char *text = sample_render("html", &(struct presenter_options){0});

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		ck_assert_msg(!strstr(text, words[i]), "%s", words[i]);
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
	tcase_add_test(tests, page_leads_nowhere);
	tcase_add_test(tests, nothing_recorded_is_a_page_too);
	tcase_add_test(tests, names_are_text);
	suite_add_tcase(suite, tests);
	return suite;
}
