/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "present/presenter.h"
#include "sample_paths.h"
#include "sample_report.h"
#include "suites.h"
#include "xml_check.h"

#define TO (&(struct output){presenter, state})

static void check_well_formed(const char *text)
{
	struct buffer why;

	buffer_init(&why, 200);
	ck_assert_msg(xml_is_well_formed(text, &why), "%s", why.text);
	buffer_release(&why);
}

static void check_has(const char *text, const char *piece)
{
	ck_assert_msg(strstr(text, piece) != NULL, "no \"%s\"", piece);
}

static size_t occurrences(const char *text, const char *piece)
{
	size_t count = 0;

	for (; (text = strstr(text, piece)); text++)
		count++;
	return count;
}

/* Nothing that leads anywhere: the one address is the name of the language. */
static void check_asks_nothing(const char *text)
{
	static const char *const words[] = {"href", "url(", "@import", "import(", "fetch(", "src="};

	ck_assert_uint_eq(occurrences(text, "//www."), 1);
	ck_assert_uint_eq(occurrences(text, "://"), 1);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		ck_assert_msg(!strstr(text, words[i]), "%s", words[i]);
}

START_TEST(sample_is_a_picture)
{
	char *text = sample_render("svg", &(struct presenter_options){0});
	char *again = sample_render("svg", &(struct presenter_options){0});

	check_well_formed(text);
	check_asks_nothing(text);
	ck_assert_str_eq(text, again);
	check_has(text, "<title>run.dat</title>");
	check_has(text, ">run.dat: 1,234 events in 1.000 s, 4 CPUs, kernel 6.1.0</text>");
	check_has(text, ">health: all of the tasks' time is explained; no events lost (1,234 read)</text>");
	check_has(text, ">Who waited for whom</text>");
	check_has(text, ">100 % is 15.840 ms.</text>");
	check_has(text, "<title>all\n15.840 ms, 100.0 %, 5 parts</title>"
	                "<rect x=\"10.00\" y=\"157\" width=\"1180.00\" height=\"16\"");
	check_has(text, "<g class=\"frame\" data-b=\"12840000\" data-w=\"3000700\"><title>"
	                "\\xff sh\n3.000 ms, 18.9 %, 1 part</title><rect x=\"966.47\"");
	check_has(text, "<title>io;wor ker\n12.840 ms, 81.1 %, 4 parts, self 839.400 us</title>");
	check_has(text, ">what it waited for</text>");
	ck_assert_ptr_null(strstr(text, ">function of the kernel</text>"));
	/* prose of sections without paths is not this graph's */
	ck_assert_ptr_null(strstr(text, "A line of prose."));
	free(text);
	free(again);
}
END_TEST

START_TEST(empty_picture_is_whole)
{
	struct health health = {.events_lost = 3};
	char *text = empty_render("svg", &health);

	check_well_formed(text);
	check_has(text, ">There is nothing to show.</text>");
	check_has(text, " fill=\"#c00000\">health: it has no events; 3 events lost (0 read)</text>");
	ck_assert_ptr_null(strstr(text, "class=\"button\""));
	free(text);
	health = (struct health){.input_damaged = true};
	text = empty_render("svg", &health);
	check_has(text, " fill=\"#c00000\">health: the input is damaged");
	free(text);
}
END_TEST

static void view_show(void *state, const char *title, const char *const *notations, size_t count)
{
	const struct presenter *presenter = presenter_find("svg");
	const struct cell prose = {.type = CELL_TEXT, .text = "What <it> says of itself."};

	output_section_begin(TO, "view", title, /* is_list= */ false);
	output_field(TO, NULL, NULL, &prose);
	presenter->lack(state, "Nothing was recorded of stacks.");
	output_paths_begin(TO, title);
	for (size_t i = 0; i < count; i++) {
		struct sample_path sample;
		char text[200];
		struct path path = sample_path(&sample, text, sizeof(text), notations[i], 1000, 2);

		presenter->paths->path(state, &path);
	}
	output_paths_end(TO);
	output_section_end(TO);
}

/* Each view has its own scale, and names are safe whatever they hold. */
START_TEST(views_stand_below_each_other)
{
	static const char *const hostile[] = {
		"<script>alert(1)</script>;k:a&b;m:--;u:\"x\" y='z';c:]]>", "\xff\xfe\x01;k:\xef\xbf\xbf",
	};
	static const char *const plain[] = {"sh;u:main", "sh;k:schedule", "sh;k:schedule"};
	const struct presenter *presenter = presenter_find("svg");
	const char *const files[] = {"a<b>&\x02.dat"};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	void *state = presenter->begin(out, &(struct presenter_options){0},
	                               &(struct trace_summary){.files = files, .file_count = 1});

	view_show(state, "First & foremost", hostile, ARRAY_SIZE(hostile));
	view_show(state, "Second", plain, ARRAY_SIZE(plain));
	view_show(state, "Third", NULL, 0);
	presenter->end(state, &(struct health){0});
	(void)fclose(out);
	check_well_formed(text);
	check_asks_nothing(text);
	ck_assert_uint_eq(occurrences(text, "<script>"), 1);
	ck_assert_uint_eq(occurrences(text, "<g class=\"graph\">"), 2);
	ck_assert_uint_eq(occurrences(text, "<title>all\n"), 2);
	ck_assert_uint_eq(occurrences(text, ">What &lt;it&gt; says of itself.</text>"), 3);
	ck_assert_uint_eq(occurrences(text, ">Nothing was recorded of stacks.</text>"), 3);
	check_has(text, "<title>a&lt;b&gt;&amp;\\x02.dat</title>");
	check_has(text, ">First &amp; foremost</text>");
	check_has(text, "<title>&lt;script&gt;alert(1)&lt;/script&gt;\n1.000 us, 50.0 %, 2 parts</title>");
	check_has(text, "<title>schedule\n2.000 us, 66.7 %, 4 parts</title>");
	ck_assert_uint_eq(occurrences(text, ">There is nothing to show.</text>"), 1);
	free(text);
}
END_TEST

static unsigned number_after(const char *text, const char *before)
{
	const char *at = strstr(text, before);

	ck_assert_ptr_nonnull(at);
	return (unsigned)strtoul(at + strlen(before), NULL, 10);
}

/* All lines and frames are within the picture, and what is folded is told. */
START_TEST(picture_is_as_high_as_it_says)
{
	const struct presenter *presenter = presenter_find("svg");
	struct path_frame frame[600];
	unsigned height, lowest = 0, highest = 1000000;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	void *state = presenter->begin(out, &(struct presenter_options){0},
	                               &(struct trace_summary){0});

	for (size_t i = 0; i < ARRAY_SIZE(frame); i++)
		frame[i] = (struct path_frame){"again", SHOWN_KERNEL};
	output_section_begin(TO, "deep", NULL, /* is_list= */ false);
	output_paths_begin(TO, "Deep");
	presenter->paths->path(state, &(struct path){frame, ARRAY_SIZE(frame), {.total = 1000000}});
	frame[0].text = "small";
	presenter->paths->path(state, &(struct path){frame, 3, {.total = 10}});
	output_paths_end(TO);
	output_section_end(TO);
	presenter->end(state, &(struct health){0});
	(void)fclose(out);
	check_well_formed(text);
	height = number_after(text, " height=\"");
	for (const char *at = text; (at = strstr(at, " y=\"")); at++) {
		unsigned y = (unsigned)strtoul(at + 4, NULL, 10);

		lowest = y > lowest ? y : lowest;
		highest = y < highest ? y : highest;
	}
	ck_assert_uint_gt(highest, 10);
	ck_assert_uint_gt(lowest, 512 * 17);
	ck_assert_uint_lt(lowest + 4, height);
	check_has(text, ">100 % is 1.000 ms. 3 frames below 0.1 % are folded, 10 ns together.</text>");
	check_has(text, ">1 path is cut: a path has at most this many frames: 512.</text>");
	check_has(text, "<g class=\"frame folded\" data-b=\"1000000\" data-w=\"10\">"
	                "<title>(3 frames below 0.1 %)\n10 ns, 0.0 %</title>");
	free(text);
}
END_TEST

Suite *svg_presenter_suite(void)
{
	Suite *suite = suite_create("svg_presenter");
	TCase *tests = tcase_create("svg_presenter");

	tcase_add_test(tests, sample_is_a_picture);
	tcase_add_test(tests, empty_picture_is_whole);
	tcase_add_test(tests, views_stand_below_each_other);
	tcase_add_test(tests, picture_is_as_high_as_it_says);
	suite_add_tcase(suite, tests);
	return suite;
}
