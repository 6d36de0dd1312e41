/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/browse/page.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "ftwait/report.h"
#include "live/keys.h"
#include "suites.h"

#define ROWS    5
#define COLUMNS 20

struct shown_page {
	struct page page;
	struct screen *screen;
};

static void shown_release(struct shown_page *shown)
{
	page_release(&shown->page);
	screen_freep(&shown->screen);
}

/* In the text "{OPTIONS}" stands for a link, as in no report. */
static void take(struct shown_page *shown, const char *text)
{
	char *bytes = strdup(text);

	ck_assert_ptr_nonnull(bytes);
	for (char *at = bytes; *at; at++)
		*at = (char)(*at == '{' ? LINK_BEGIN : *at == '}' ? LINK_END : *at);
	page_take(&shown->page, bytes, strlen(bytes));
	free(bytes);
}

static void draw_rows(struct shown_page *shown, size_t rows)
{
	screen_begin(shown->screen);
	page_draw(&shown->page, shown->screen, 0, rows);
}

static struct shown_page show(const char *text)
{
	struct shown_page shown = {.screen = screen_new(ROWS, COLUMNS, false)};

	page_init(&shown.page);
	take(&shown, text);
	draw_rows(&shown, ROWS);
	return shown;
}

/* Types the keys, of which each draws. */
static void type(struct shown_page *shown, const int *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ck_assert(page_key(&shown->page, keys[i]));
		draw_rows(shown, ROWS);
	}
}

/* Eleven lines with links in 2, 4 and 10. */
static const char eleven[] = "0\n1\n{a}2\n3\n{b}4\n5\n6\n7\n8\n9\n{c}10\n";

START_TEST(the_cursor_goes_from_link_to_link)
{
	_cleanup_(shown_release) struct shown_page shown = show(eleven);
	static const struct {
		int key;
		size_t top;
		const char *next; /* NULL: the cursor is on no line of the screen */
	} steps[] = {
		{KEY_UP, 0, "a"},        {KEY_DOWN, 0, "b"},    {'j', 1, "b"},
		{KEY_DOWN, 2, "b"},      {KEY_DOWN, 3, "b"},    {KEY_DOWN, 4, "b"},
		{KEY_DOWN, 5, NULL},     {KEY_DOWN, 6, "c"},    {KEY_DOWN, 6, "c"},
		{KEY_UP, 5, NULL},       {'k', 4, "b"},         {KEY_UP, 3, "b"},
		{KEY_UP, 2, "a"},        {KEY_UP, 1, "a"},      {KEY_UP, 0, "a"},
		{KEY_UP, 0, "a"},        {KEY_PAGE_DOWN, 4, "b"}, {' ', 6, "c"},
		{KEY_PAGE_DOWN, 6, "c"}, {KEY_PAGE_UP, 2, "a"}, {KEY_PAGE_UP, 0, "a"},
		{KEY_END, 6, "c"},       {KEY_HOME, 0, "a"},
	};

	ck_assert_str_eq(page_next(&shown.page), "a");
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		type(&shown, &steps[i].key, 1);
		ck_assert_msg(shown.page.top == steps[i].top, "step %zu: top %zu", i,
		              shown.page.top);
		ck_assert_pstr_eq(page_next(&shown.page), steps[i].next);
	}
	ck_assert(!page_key(&shown.page, 'x'));
	ck_assert(!page_key(&shown.page, KEY_ENTER));
}
END_TEST

START_TEST(steps_go_to_links_beyond_the_screen)
{
	_cleanup_(shown_release) struct shown_page shown = show(eleven);

	ck_assert(!page_step(&shown.page, true));
	ck_assert(page_step(&shown.page, false));
	ck_assert(page_step(&shown.page, false));
	ck_assert_str_eq(page_next(&shown.page), "c");
	ck_assert(!page_step(&shown.page, false));
	ck_assert_str_eq(page_next(&shown.page), "c");
	ck_assert(page_step(&shown.page, true));
	ck_assert_str_eq(page_next(&shown.page), "b");
}
END_TEST

static const char *row_text(struct shown_page *shown, size_t row)
{
	return shown->page.line[shown->page.shown[row]].text;
}

START_TEST(a_filter_shows_lines_with_its_text)
{
	_cleanup_(shown_release) struct shown_page shown =
		show("Head\n{a}cc1 one\n{b}AS two\n{c}cc1 three\nas four\n");

	ck_assert(page_step(&shown.page, false));
	page_set_filter(&shown.page, "as");
	ck_assert_uint_eq(shown.page.shown_count, 2);
	ck_assert_str_eq(row_text(&shown, 0), "AS two");
	ck_assert_str_eq(row_text(&shown, 1), "as four");
	ck_assert_str_eq(page_next(&shown.page), "b");
	page_set_filter(&shown.page, "cc1");
	ck_assert_str_eq(page_next(&shown.page), "c"); /* the next one */
	page_set_filter(&shown.page, "one");
	ck_assert_str_eq(page_next(&shown.page), "a"); /* there is none behind it */
	page_set_filter(&shown.page, "nothing has this");
	ck_assert_uint_eq(shown.page.shown_count, 0);
	ck_assert_ptr_null(page_next(&shown.page));
	type(&shown, (const int[]){KEY_DOWN, KEY_UP, KEY_PAGE_DOWN, KEY_PAGE_UP, KEY_END, KEY_HOME},
	     6);
	page_set_filter(&shown.page, "");
	ck_assert_uint_eq(shown.page.shown_count, 5);
	ck_assert_str_eq(page_next(&shown.page), "a");
}
END_TEST

START_TEST(another_text_keeps_the_place)
{
	_cleanup_(shown_release) struct shown_page shown = show(eleven);

	ck_assert(page_step(&shown.page, false));
	ck_assert(page_step(&shown.page, false));
	draw_rows(&shown, ROWS);
	ck_assert_uint_eq(shown.page.top, 6);
	take(&shown, "wider\n{x}2\n{y}4\n{z}10\nend\n");
	draw_rows(&shown, ROWS);
	ck_assert_uint_eq(shown.page.top, 0);
	ck_assert_str_eq(page_next(&shown.page), "z");
	take(&shown, "{x}2\n{y}4\n"); /* the last one, where there are fewer */
	ck_assert_str_eq(page_next(&shown.page), "y");
	take(&shown, "nothing\n");
	draw_rows(&shown, ROWS);
	ck_assert_ptr_null(page_next(&shown.page));
	page_set_filter(&shown.page, "4");
	take(&shown, eleven); /* so does its filter */
	ck_assert_uint_eq(shown.page.shown_count, 1);
	ck_assert_str_eq(page_next(&shown.page), "b");
}
END_TEST

START_TEST(a_text_may_have_no_link_or_no_line)
{
	static const char *const texts[] = {"", "\n", "\n\n\n\n\n\n\n", "one", "1\n2\n3\n4\n5\n6\n7\n"};
	static const int keys[] = {KEY_DOWN, KEY_DOWN, KEY_UP, KEY_END, KEY_DOWN, KEY_PAGE_UP,
	                           KEY_PAGE_DOWN, KEY_HOME};
	_cleanup_(shown_release) struct shown_page shown = show(texts[_i]);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		type(&shown, &keys[i], 1);
		ck_assert_ptr_null(page_next(&shown.page));
		ck_assert(!page_step(&shown.page, i % 2));
	}
	ck_assert_uint_eq(shown.page.top, 0);
	type(&shown, (const int[]){KEY_DOWN, KEY_DOWN, KEY_DOWN}, 3);
	ck_assert_uint_eq(shown.page.top,
	                  shown.page.count > ROWS ? shown.page.count - ROWS : 0);
}
END_TEST

static struct buffer sent(struct shown_page *shown)
{
	struct buffer bytes;

	buffer_init(&bytes, SCREEN_BYTES_MAX);
	screen_forget(shown->screen);
	screen_flush(shown->screen, &bytes);
	return bytes;
}

START_TEST(no_byte_of_a_text_reaches_the_terminal_that_it_obeys)
{
	static const char hostile[] = "\036--summary\037a\033[2Jb\0c\rd\x9b" "e\a\n"
	                              "\036never closed\n"
	                              "\037only closed\n"
	                              "\036\037\n"
	                              "x\036--summary\037y";
	_cleanup_(shown_release) struct shown_page shown = show("");
	_cleanup_(buffer_release) struct buffer bytes = {0};

	page_take(&shown.page, hostile, sizeof(hostile) - 1);
	draw_rows(&shown, ROWS);
	ck_assert_uint_eq(shown.page.count, 5);
	ck_assert_str_eq(page_next(&shown.page), "--summary");
	ck_assert_ptr_null(shown.page.line[1].next);
	ck_assert_ptr_null(shown.page.line[2].next);
	ck_assert_str_eq(shown.page.line[3].next, "");
	ck_assert_ptr_null(shown.page.line[4].next); /* not at its begin */
	bytes = sent(&shown);
	ck_assert_ptr_nonnull(strstr(bytes.text, "a?[2Jb?c?d?e?"));
	for (size_t i = 0; i < bytes.length; i++)
		ck_assert(bytes.text[i] >= ' ' || bytes.text[i] == '\033');
	ck_assert_ptr_nonnull(strstr(bytes.text, "?never closed"));
}
END_TEST

/* On a screen without a row for it nothing is under the cursor, and keys do no harm. */
START_TEST(a_screen_may_have_no_room)
{
	_cleanup_(shown_release) struct shown_page shown = show(eleven);
	static const int keys[] = {KEY_DOWN, KEY_UP, KEY_PAGE_DOWN, KEY_PAGE_UP, KEY_END,
	                           KEY_DOWN, KEY_HOME, KEY_UP};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		draw_rows(&shown, 0);
		ck_assert(page_key(&shown.page, keys[i]));
		ck_assert_ptr_null(page_next(&shown.page));
	}
	draw_rows(&shown, ROWS);
	type(&shown, (const int[]){KEY_HOME}, 1);
	ck_assert_str_eq(page_next(&shown.page), "a");
}
END_TEST

Suite *page_suite(void)
{
	Suite *suite = suite_create("page");
	TCase *tests = tcase_create("page");

	tcase_add_test(tests, the_cursor_goes_from_link_to_link);
	tcase_add_test(tests, steps_go_to_links_beyond_the_screen);
	tcase_add_test(tests, a_filter_shows_lines_with_its_text);
	tcase_add_test(tests, another_text_keeps_the_place);
	tcase_add_loop_test(tests, a_text_may_have_no_link_or_no_line, 0, 5);
	tcase_add_test(tests, no_byte_of_a_text_reaches_the_terminal_that_it_obeys);
	tcase_add_test(tests, a_screen_may_have_no_room);
	suite_add_tcase(suite, tests);
	return suite;
}
