/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "present/text/text_timeline.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data/array.h"
#include "suites.h"

struct picture {
	struct text_page page;
	struct text_timeline *timeline;
	char *text;
	size_t size;
};

/* 17 columns: 10 for pictures. */
static void picture_begin(struct picture *picture, nsec_t end, bool utf8, bool color)
{
	const struct presenter_options options = {.width = 17, .utf8 = utf8, .color = color};
	FILE *out = open_memstream(&picture->text, &picture->size);

	ck_assert_ptr_nonnull(out);
	text_page_init(&picture->page, out, &options);
	picture->timeline = text_timeline_begin(&picture->page, 0, end);
}

static void row(struct picture *picture, const char *comm)
{
	const struct task task = {.tid = 7, .tgid = -1, .comm = comm};

	text_timeline_row(picture->timeline, &(struct picture_row){.task = &task});
}

static void put(struct picture *picture, nsec_t begin, nsec_t end, const char *state, int kind,
                bool is_on_path)
{
	text_timeline_segment(picture->timeline,
	                      &(struct state_segment){.begin = begin, .end = end, .state = state,
	                                              .kind = kind, .is_on_path = is_on_path});
}

static void picture_end(struct picture *picture)
{
	text_timeline_end(picture->timeline, &(struct instant_form){0});
	text_page_release(&picture->page);
	(void)fclose(picture->page.out);
}

static void check_has(const struct picture *picture, const char *text)
{
	ck_assert_msg(strstr(picture->text, text), "no \"%s\" in:\n%s", text, picture->text);
}

START_TEST(a_column_shows_what_filled_most_of_it)
{
	struct picture picture;

	picture_begin(&picture, 1000, false, false);
	row(&picture, "a");
	put(&picture, 0, 100, "running", -1, true);
	put(&picture, 100, 160, "runnable", -1, true);
	put(&picture, 160, 200, "running", -1, true);
	put(&picture, 200, 440, "waiting", CAUSE_DISK, true);
	put(&picture, 440, 600, "waiting", CAUSE_TASK, false);
	put(&picture, 600, 700, "running", -1, false);
	put(&picture, 700, 800, "stopped", -1, false);
	/* nothing of it for a column: it was not there */
	put(&picture, 900, 1000, "unknown", -1, false);
	row(&picture, "b");
	picture_end(&picture);
	check_has(&picture, "|#=DDTt+x ?|\n");
	check_has(&picture, "|          |\n");
	free(picture.text);
}
END_TEST

START_TEST(a_trigger_is_pointed_at)
{
	static const struct {
		nsec_t at;
		const char *row; /* NULL: none */
	} cases[] = {
		{0, "|^         |\n"}, {99, "|^         |\n"}, {100, "| ^        |\n"},
		{1000, "|         ^|\n"}, {1001, NULL}, {NSEC_NEVER, NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct picture picture;

		picture_begin(&picture, 1000, false, false);
		row(&picture, "a");
		put(&picture, 0, 1000, "running", -1, true);
		text_timeline_trigger(picture.timeline, cases[i].at);
		picture_end(&picture);
		if (cases[i].row)
			check_has(&picture, cases[i].row);
		else
			ck_assert_ptr_null(strchr(picture.text, '^'));
		free(picture.text);
	}
}
END_TEST

/* Times of day need more room than seconds. */
START_TEST(the_axis_has_times_of_day)
{
	static const struct realtime realtime = {{{.time = 0, .real = 1795662725000000000}}, 1};
	const struct presenter_options options = {.width = 68};
	struct picture picture;
	FILE *out = open_memstream(&picture.text, &picture.size);

	ck_assert_int_eq(setenv("TZ", "UTC0", 1), 0);
	tzset();
	text_page_init(&picture.page, out, &options);
	picture.timeline = text_timeline_begin(&picture.page, 0, 49000000000);
	row(&picture, "a");
	put(&picture, 0, 49000000000, "running", -1, true);
	text_timeline_end(picture.timeline, &(struct instant_form){.realtime = &realtime});
	text_page_release(&picture.page);
	(void)fclose(out);
	check_has(&picture, "                  |03:12:05               |03:12:29\n");
	free(picture.text);
}
END_TEST

START_TEST(letters_are_explained)
{
	struct picture picture;

	picture_begin(&picture, 1000, true, false);
	row(&picture, "a");
	put(&picture, 0, 500, "running", -1, true);
	put(&picture, 500, 1000, "waiting", -1, false);
	picture_end(&picture);
	check_has(&picture, "|█████uuuuu|\n");
	check_has(&picture, "█ ▄ running");
	check_has(&picture, "recorded. Of");
	ck_assert_ptr_null(strstr(picture.text, "runnable"));
	free(picture.text);
}
END_TEST

/* Of colours no more than needed, and none is left on. */
START_TEST(colours_change_where_looks_do)
{
	struct picture picture;

	picture_begin(&picture, 1000, false, true);
	row(&picture, "a");
	put(&picture, 0, 500, "running", -1, true);
	put(&picture, 500, 1000, "running", -1, false);
	picture_end(&picture);
	check_has(&picture, "|\033[0;1;32m#####\033[0;32m+++++\033[0m|\n");
	free(picture.text);
}
END_TEST

/* Shorter than its columns, of no length at all, and as long as can be. */
START_TEST(any_length_can_be_drawn)
{
	static const nsec_t lengths[] = {0, 1, 3, 9, 10, 11, UINT64_MAX / 2};
	struct picture picture;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		picture_begin(&picture, lengths[i], false, false);
		row(&picture, "a");
		put(&picture, 0, lengths[i], "running", -1, true);
		picture_end(&picture);
		if (lengths[i] >= 10)
			check_has(&picture, "|##########|\n");
		free(picture.text);
	}
}
END_TEST

Suite *text_timeline_suite(void)
{
	Suite *suite = suite_create("text_timeline");
	TCase *tests = tcase_create("text_timeline");

	tcase_add_test(tests, a_column_shows_what_filled_most_of_it);
	tcase_add_test(tests, a_trigger_is_pointed_at);
	tcase_add_test(tests, the_axis_has_times_of_day);
	tcase_add_test(tests, letters_are_explained);
	tcase_add_test(tests, colours_change_where_looks_do);
	tcase_add_test(tests, any_length_can_be_drawn);
	suite_add_tcase(suite, tests);
	return suite;
}
