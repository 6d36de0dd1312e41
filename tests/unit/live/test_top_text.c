/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data/array.h"
#include "base/text/utf8.h"
#include "live/top_output.h"
#include "live/top_view.h"
#include "sample_shots.h"
#include "suites.h"

/* The caller frees it. */
static char *shown(const struct presenter_options *options, const struct top_shot *shot)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	top_text_put(out, options, shot);
	(void)fclose(out);
	ck_assert_uint_eq(strlen(text), length);
	return text;
}

static void check_shown(const struct presenter_options *options, const struct top_shot *shot,
                        const char *expected)
{
	char *text = shown(options, shot);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void zone_set(void)
{
	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
}

START_TEST(rows_have_the_order_of_a_column)
{
	static const struct {
		enum top_sort sort;
		const char *word, *order;
	} orders[] = {
		{TOP_SORT_WAITING, "waiting", "dbac"}, {TOP_SORT_QUEUED, "queued", "bdac"},
		{TOP_SORT_RUNNING, "running", "acdb"}, {TOP_SORT_WAITS, "waits", "cdba"},
		{TOP_SORT_LONGEST, "longest", "adbc"}, {TOP_SORT_NAME, "name", "abcd"},
	};
	/* as a shot has them: kernel threads last */
	const struct top_row row[] = {
		{.name = "d", .waiting = 9, .runnable = 3, .running = 1, .waits = 5, .longest = 3},
		{.name = "b", .waiting = 4, .runnable = 7, .running = 0, .waits = 5, .longest = 2},
		{.name = "a", .waiting = 4, .runnable = 3, .running = 8, .waits = 1, .longest = 4},
		{.name = "c", .waiting = 90, .runnable = 0, .running = 8, .waits = 6, .is_kernel = true},
	};
	const struct top_shot shot = {.row = row, .row_count = ARRAY_SIZE(row)};

	ck_assert_uint_eq(ARRAY_SIZE(orders), TOP_SORT_COUNT);
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct top_row *sorted = top_sort_rows(&shot, orders[i].sort);

		ck_assert_str_eq(top_sort_word(orders[i].sort), orders[i].word);
		for (size_t k = 0; k < ARRAY_SIZE(row); k++)
			ck_assert_int_eq(sorted[k].name[0], orders[i].order[k]);
		free(sorted);
	}
	free(top_sort_rows(&(struct top_shot){.row_count = 0}, TOP_SORT_NAME));
}
END_TEST

START_TEST(a_block_is_a_head_and_a_table)
{
	const struct presenter_options options = {.utf8 = true};
	const struct top_shot shot = sample_shot();

	check_shown(&options, &shot,
	            "ftwait top  board7  6.18.44  2 CPUs  00:41:07  own CPU 1.4 %\n"
	            "51,204 events/s, 3 lost | waiting for lock 61 %, disk 39 %\n"
	            "6 tasks queued for 2 CPUs; waits p50 1.2 ms, p99 48.0 ms, max 212.4 ms  |▂▄█|\n"
	            "LONGEST  postgres[77] in D for 3.412 s: disk vda, behind jbd2/vda-8[211]\n"
	            "\n"
	            " WAITING    QUEUED   RUNNING  WAITS   LONGEST  TASK        FOR"
	            "                     BEHIND\n"
	            "612.3 ms   41.0 ms   82.1 ms  1,214   48.2 ms  mysqld      lock big_lock, 7 times"
	            "  mysqld\n"
	            "388.0 ms    3.1 ms         0     17  212.4 ms  jbd2/vda-8  disk vda, 17 times"
	            "      -\n"
	            "\n");
}
END_TEST

START_TEST(an_empty_interval_is_a_block)
{
	const struct top_shot shot = sample_shot_empty();

	check_shown(&(struct presenter_options){0}, &shot,
	            "ftwait top  1 CPU\n"
	            "0 events/s, 0 lost | no waits\n"
	            "0 tasks queued for 1 CPU; no wait ended\n"
	            "LONGEST  no task waits now\n"
	            "\n"
	            "(none)\n"
	            "\n");
}
END_TEST

START_TEST(one_row_without_a_cause)
{
	struct top_shot shot = sample_shot_crowd(TOP_BY_TASK);
	char *text;

	shot.row_count = 1;
	text = shown(&(struct presenter_options){0}, &shot);
	ck_assert_ptr_nonnull(strstr(
		text, "\n\n WAITING    QUEUED   RUNNING  WAITS   LONGEST  TASK           FOR"
		      "  BEHIND\n"
		      " 50.0 ms         0         0      1   50.0 ms  worker-0[100]  -    -\n"
		      "\n"));
	free(text);
}
END_TEST

/* Columns of times keep their places from block to block. */
START_TEST(times_keep_their_columns)
{
	struct top_shot shot = sample_shot();
	char *large = shown(&(struct presenter_options){0}, &shot), *small;
	struct top_row row = {.name = "a", .task.tid = -1, .waiting = 1, .waits = 1};

	shot.row = &row;
	shot.row_count = 1;
	small = shown(&(struct presenter_options){0}, &shot);
	ck_assert_int_eq(strstr(large, "TASK  ") - strstr(large, " WAITING"),
	                 strstr(small, "TASK  ") - strstr(small, " WAITING"));
	free(large);
	free(small);
}
END_TEST

static size_t count_of(const char *text, const char *what)
{
	size_t count = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		count++;
	}
	return count;
}

START_TEST(rows_are_limited)
{
	static const struct {
		unsigned top;
		size_t rows;
		const char *left; /* NULL: none */
	} cases[] = {
		{0, SAMPLE_ROWS, NULL},
		{1, 1, "\n... 49 more (--top 0 shows all)\n\n"},
		{38, 38, "\n... 12 more (--top 0 shows all)\n\n"},
		{SAMPLE_ROWS - 1, SAMPLE_ROWS - 1, "\n... 1 more (--top 0 shows all)\n\n"},
		{SAMPLE_ROWS, SAMPLE_ROWS, NULL},
		{SAMPLE_ROWS + 1, SAMPLE_ROWS, NULL},
	};
	const struct top_shot shot = sample_shot_crowd(TOP_BY_COMM);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = shown(&(struct presenter_options){.top = cases[i].top}, &shot);

		ck_assert_uint_eq(count_of(text, "worker-"), cases[i].rows);
		if (cases[i].left)
			ck_assert_ptr_nonnull(strstr(text, cases[i].left));
		else
			ck_assert_ptr_null(strstr(text, " more"));
		free(text);
	}
}
END_TEST

START_TEST(rows_are_headed_by_what_they_are)
{
	struct top_shot shot = sample_shot_crowd(TOP_BY_CGROUP);
	struct top_row nowhere = shot.row[0];
	char *text = shown(&(struct presenter_options){0}, &shot);

	ck_assert_ptr_nonnull(strstr(text, "  CGROUP "));
	ck_assert_ptr_nonnull(strstr(text, "  worker-49 "));
	free(text);
	nowhere.name = "";
	shot.row = &nowhere;
	shot.row_count = 1;
	text = shown(&(struct presenter_options){0}, &shot);
	ck_assert_ptr_nonnull(strstr(text, " ms  -       -    -\n"));
	free(text);
}
END_TEST

START_TEST(a_note_stands_below_the_head)
{
	struct top_shot shot = sample_shot_empty();
	char *text;

	shot.note = "own CPU above 2 %: interval now 2 s";
	shot.has_open = true;
	shot.open = sample_shot().open;
	shot.open.is_since_begin = true;
	text = shown(&(struct presenter_options){0}, &shot);
	ck_assert_ptr_nonnull(strstr(text, "LONGEST  postgres[77] in D for over 3.412 s: disk vda, "
	                                   "behind jbd2/vda-8[211]\n"
	                                   "own CPU above 2 %: interval now 2 s\n\n(none)\n"));
	free(text);
}
END_TEST

/* Without colour, no byte is one that a terminal obeys; what is no ASCII goes, too, if asked. */
START_TEST(names_of_any_bytes_are_shown)
{
	static const enum top_by all[] = {TOP_BY_COMM, TOP_BY_TASK, TOP_BY_CGROUP};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct top_shot shot = sample_shot_hostile(all[i]);
		char *text = shown(&(struct presenter_options){.is_ascii = true}, &shot);

		ck_assert_uint_eq(count_of(text, "\n"), 9);
		ck_assert_uint_ge(count_of(text, "\\x1b]0;x\\x07\"\\"), 8);
		for (const char *at = text; *at; at++)
			ck_assert(*at == '\n' || (*at >= ' ' && *at < 0x7f));
		free(text);
	}
}
END_TEST

/* Takes the escape sequences of colours, which end in "m" and take no columns, out of the line. */
static void colors_remove(char *line)
{
	char *begin, *end;

	while ((begin = strchr(line, '\033'))) {
		end = strchr(begin, 'm');
		ck_assert_ptr_nonnull(end);
		memmove(begin, end + 1, strlen(end));
	}
}

static void check_width(const struct top_shot *shot, unsigned width, bool is_colored)
{
	const struct presenter_options options = {.width = width, .utf8 = true,
	                                          .color = is_colored};
	char *text = shown(&options, shot), *rest = text, *line;

	ck_assert((strchr(text, '\033') != NULL) == is_colored);
	while ((line = strsep(&rest, "\n"))) {
		colors_remove(line);
		ck_assert(utf8_columns(line) <= width);
	}
	free(text);
}

START_TEST(no_line_is_wider_than_the_terminal)
{
	const struct top_shot shot = sample_shot(), empty = sample_shot_empty();
	const struct top_shot crowd = sample_shot_crowd(TOP_BY_TASK);
	const struct top_shot hostile = sample_shot_hostile(TOP_BY_CGROUP);

	for (unsigned width = 30; width <= 200; width++) {
		check_width(&shot, width, /* is_colored= */ false);
		check_width(&shot, width, /* is_colored= */ true);
		check_width(&empty, width, /* is_colored= */ false);
		check_width(&crowd, width, /* is_colored= */ false);
		check_width(&hostile, width, /* is_colored= */ false);
	}
}
END_TEST

/* The task, its waiting time and what for are there at 40 columns; all is at 100. */
START_TEST(a_narrow_terminal_has_what_matters)
{
	const struct top_shot shot = sample_shot();
	char *text = shown(&(struct presenter_options){.width = 40}, &shot);

	ck_assert_ptr_nonnull(strstr(text, "612.3 ms"));
	ck_assert_ptr_nonnull(strstr(text, "mysqld"));
	ck_assert_ptr_nonnull(strstr(text, "lock big_lock"));
	ck_assert_ptr_null(strstr(text, "RUNNING"));
	free(text);
	text = shown(&(struct presenter_options){.width = 100}, &shot);
	ck_assert_ptr_nonnull(strstr(text, "RUNNING"));
	ck_assert_ptr_nonnull(strstr(text, "BEHIND"));
	free(text);
}
END_TEST

/* FOR names the task where BEHIND, which names it, is left out. */
START_TEST(a_narrow_terminal_names_the_task_behind)
{
	const struct top_row row = {
		.name = "a-name-of-15-by", .task.tid = -1, .waiting = 1, .waits = 1,
		.has_cause = true, .cause_waits = 1, .has_behind = true,
		.cause = {.kind = CAUSE_TASK, .has_waker = true, .purpose = "a pipe",
		          .waker = {.tid = 9, .comm = "the-one-that-is"}},
		.behind = {.tid = 9, .comm = "the-one-that-is"},
	};
	struct top_shot shot = sample_shot_empty();
	char *text;

	shot.row = &row;
	shot.row_count = 1;
	text = shown(&(struct presenter_options){.width = 100}, &shot);
	ck_assert_ptr_nonnull(strstr(text, "  a-name-of-15-by  a pipe  the-one-that-is\n"));
	free(text);
	text = shown(&(struct presenter_options){.width = 40}, &shot);
	ck_assert_ptr_null(strstr(text, "BEHIND"));
	ck_assert_ptr_nonnull(strstr(text, "task the-on"));
	free(text);
}
END_TEST

START_TEST(lost_events_are_marked)
{
	struct top_shot shot = sample_shot();
	const struct presenter_options options = {.color = true};
	char *text = shown(&options, &shot);

	ck_assert_ptr_nonnull(strstr(text, "\n\033[1;31m51,204 events/s, 3 lost"));
	free(text);
	shot.lost = 0;
	text = shown(&options, &shot);
	ck_assert_ptr_nonnull(strstr(text, "\n51,204 events/s, 0 lost"));
	ck_assert_ptr_nonnull(strstr(text, "\n\033[1mLONGEST\033[0m  postgres[77] in D"));
	free(text);
}
END_TEST

Suite *top_text_suite(void)
{
	Suite *suite = suite_create("top_text");
	TCase *tests = tcase_create("top_text");

	tcase_add_checked_fixture(tests, zone_set, NULL);
	tcase_add_test(tests, rows_have_the_order_of_a_column);
	tcase_add_test(tests, a_block_is_a_head_and_a_table);
	tcase_add_test(tests, an_empty_interval_is_a_block);
	tcase_add_test(tests, one_row_without_a_cause);
	tcase_add_test(tests, times_keep_their_columns);
	tcase_add_test(tests, rows_are_limited);
	tcase_add_test(tests, rows_are_headed_by_what_they_are);
	tcase_add_test(tests, a_note_stands_below_the_head);
	tcase_add_test(tests, names_of_any_bytes_are_shown);
	tcase_add_test(tests, no_line_is_wider_than_the_terminal);
	tcase_add_test(tests, a_narrow_terminal_has_what_matters);
	tcase_add_test(tests, a_narrow_terminal_names_the_task_behind);
	tcase_add_test(tests, lost_events_are_marked);
	suite_add_tcase(suite, tests);
	return suite;
}
