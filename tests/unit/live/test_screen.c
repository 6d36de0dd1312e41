/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "property/random.h"
#include "suites.h"
#include "vt.h"

/* Sends what has changed to the terminal; returns how many bytes that took. */
static size_t vt_update(struct screen *screen, struct vt *vt)
{
	_cleanup_(buffer_release) struct buffer bytes = {0};

	buffer_init(&bytes, SCREEN_BYTES_MAX);
	screen_flush(screen, &bytes);
	ck_assert(!bytes.is_cut);
	vt_write(vt, bytes.text, bytes.length);
	return bytes.length;
}

START_TEST(only_changes_are_sent)
{
	_cleanup_(screen_freep) struct screen *screen = screen_new(3, 20, true);
	_cleanup_(vt_release) struct vt vt = vt_new(3, 20);
	_cleanup_(buffer_release) struct buffer bytes = {0};
	static const struct {
		const char *text, *expected;
	} steps[] = {
		{"612.3 ms mysqld", "\033[m\033[H\033[2J\033[2H612.3 ms mysqld"},
		{"612.3 ms mysqld", ""},
		{"598.1 ms mysqld", "\033[2H598.1"},
		{"598.1 ms nginx", "\033[2;10Hnginx\033[K"},
		{"498.1 ms nginy", "\033[2H4\033[12Cy"},
		{"", "\033[2H\033[K"},
	};

	buffer_init(&bytes, SCREEN_BYTES_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		buffer_clear(&bytes);
		screen_begin(screen);
		ck_assert_uint_eq(screen_put(screen, 1, 0, 20, SCREEN_NORMAL, steps[i].text),
		                  strlen(steps[i].text));
		screen_flush(screen, &bytes);
		ck_assert_str_eq(bytes.text, steps[i].expected);
		vt_write(&vt, bytes.text, bytes.length);
		ck_assert_str_eq(vt_row(&vt, 0), "");
		ck_assert_str_eq(vt_row(&vt, 1), steps[i].text);
	}
}
END_TEST

START_TEST(styles_are_set_where_they_change)
{
	_cleanup_(screen_freep) struct screen *screen = screen_new(1, 20, true);
	_cleanup_(buffer_release) struct buffer bytes = {0};

	buffer_init(&bytes, SCREEN_BYTES_MAX);
	(void)screen_put(screen, 0, 0, 20, SCREEN_BOLD, "a");
	(void)screen_put(screen, 0, 1, 20, SCREEN_BOLD | SCREEN_RED, "bc");
	(void)screen_put(screen, 0, 3, 20, SCREEN_DIM, "d");
	(void)screen_put(screen, 0, 4, 20, SCREEN_NORMAL, "e");
	screen_add_style(screen, 0, 5, 20, SCREEN_REVERSE);
	screen_flush(screen, &bytes);
	ck_assert_str_eq(bytes.text, "\033[m\033[H\033[2J\033[1H\033[1ma\033[31mbc\033[0;2md\033[me"
	                             "\033[7m               \033[m");
}
END_TEST

START_TEST(no_text_is_obeyed)
{
	static const struct {
		bool is_utf8;
		const char *text, *expected;
	} cases[] = {
		{true, "a\033[2J\n\r\tb\x7f", "a?[2J???b?"},
		{true, "\x9b" "31m\xff\xc3", "?31m??"},
		{true, "caf\u00e9 \u6570\u636e \u202e", "caf? ?? ?"},
		{true, "▁▂▃▄▅▆▇█│├└─…", "▁▂▃▄▅▆▇█│├└─…"},
		{false, "▁▂▃▄▅▆▇█│├└─…", "_.-=+*%#||`-~"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(screen_freep) struct screen *screen = screen_new(2, 30, cases[i].is_utf8);
		_cleanup_(vt_release) struct vt vt = vt_new(2, 30);

		(void)screen_put(screen, 0, 0, 30, SCREEN_NORMAL, cases[i].text);
		(void)vt_update(screen, &vt);
		ck_assert_str_eq(vt_row(&vt, 0), cases[i].expected);
		ck_assert_str_eq(vt_row(&vt, 1), "");
	}
}
END_TEST

START_TEST(nothing_is_drawn_outside)
{
	_cleanup_(screen_freep) struct screen *screen = screen_new(2, 5, false);
	_cleanup_(vt_release) struct vt vt = vt_new(2, 5);

	ck_assert_uint_eq(screen_put(screen, 0, 3, 100, SCREEN_NORMAL, "abcdef"), 2);
	ck_assert_uint_eq(screen_put(screen, 0, 5, 100, SCREEN_NORMAL, "abcdef"), 0);
	ck_assert_uint_eq(screen_put(screen, 2, 0, 100, SCREEN_NORMAL, "abcdef"), 0);
	ck_assert_uint_eq(screen_put(screen, SIZE_MAX, SIZE_MAX, SIZE_MAX, SCREEN_NORMAL, "a"), 0);
	ck_assert_uint_eq(screen_put(screen, 1, 1, 3, SCREEN_NORMAL, "abcdef"), 3);
	screen_add_style(screen, 7, 7, SIZE_MAX, SCREEN_BOLD);
	(void)vt_update(screen, &vt);
	ck_assert_str_eq(vt_row(&vt, 0), "   ab");
	ck_assert_str_eq(vt_row(&vt, 1), " abc");
}
END_TEST

START_TEST(sizes_have_bounds)
{
	static const size_t sizes[][4] = {
		{0, 0, 1, 1}, {1, 1, 1, 1}, {500, 500, 500, 500}, {65535, 501, 500, 500},
	};
	_cleanup_(screen_freep) struct screen *screen = screen_new(24, 80, true);

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t rows = sizes[i][2], columns = sizes[i][3];
		_cleanup_(vt_release) struct vt vt = vt_new(rows, columns);

		screen_resize(screen, sizes[i][0], sizes[i][1]);
		ck_assert_uint_eq(screen_rows(screen), rows);
		ck_assert_uint_eq(screen_columns(screen), columns);
		(void)screen_put(screen, rows - 1, columns - 1, 1, SCREEN_REVERSE, "#");
		(void)vt_update(screen, &vt);
		ck_assert_str_eq(vt.cell[rows * columns - 1].text, "#");
	}
}
END_TEST

static void draw_at_random(struct screen *screen, struct random *random)
{
	static const char *const texts[] = {
		"612.3 ms", "mysqld", "", "   ", "|▁█▃|", "lock rwsem, 5 times", "caf\u00e9\n\033[7m",
		"a long text that does not fit into every row of a narrow terminal, but in others",
	};
	unsigned count = random_below(random, 30);

	if (random_chance(random, 30))
		screen_begin(screen);
	for (unsigned i = 0; i < count; i++) {
		size_t row = random_below(random, screen_rows(screen) + 1);
		size_t column = random_below(random, screen_columns(screen) + 1);
		size_t columns = random_below(random, screen_columns(screen) + 10);

		if (random_chance(random, 20))
			screen_add_style(screen, row, column, columns, random_below(random, 16));
		else
			(void)screen_put(screen, row, column, columns,
			                 random_chance(random, 50) ? random_below(random, 16) : 0,
			                 texts[random_below(random, ARRAY_SIZE(texts))]);
	}
}

/* What a terminal shows after many changes is what a new one shows after one drawing; SEED=... in
   the environment repeats a run. */
START_TEST(changes_add_up_to_the_drawing)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct random random = {seed};

	for (int run = 0; run < 200; run++) {
		size_t rows = 1 + random_below(&random, 12);
		size_t columns = 1 + random_below(&random, 90);
		_cleanup_(screen_freep) struct screen *screen = screen_new(rows, columns, true);
		struct vt vt = vt_new(rows, columns);

		for (int step = 0; step < 10; step++) {
			struct vt other;

			if (random_chance(&random, 5)) {
				vt_release(&vt);
				rows = 1 + random_below(&random, 12);
				columns = 1 + random_below(&random, 90);
				vt = vt_new(rows, columns);
				screen_resize(screen, rows, columns);
			}
			other = vt_new(rows, columns);
			draw_at_random(screen, &random);
			(void)vt_update(screen, &vt);
			screen_forget(screen);
			(void)vt_update(screen, &other);
			ck_assert_msg(vt_equal(&vt, &other), "SEED=%" PRIu64 ": run %d, step %d",
			              seed, run, step);
			ck_assert_msg(vt_update(screen, &vt) == 0, "SEED=%" PRIu64 ": nothing changed",
			              seed);
			vt_release(&other);
		}
		vt_release(&vt);
	}
}
END_TEST

Suite *screen_suite(void)
{
	Suite *suite = suite_create("screen");
	TCase *tests = tcase_create("screen");

	tcase_add_test(tests, only_changes_are_sent);
	tcase_add_test(tests, styles_are_set_where_they_change);
	tcase_add_test(tests, no_text_is_obeyed);
	tcase_add_test(tests, nothing_is_drawn_outside);
	tcase_add_test(tests, sizes_have_bounds);
	tcase_add_test(tests, changes_add_up_to_the_drawing);
	suite_add_tcase(suite, tests);
	return suite;
}
