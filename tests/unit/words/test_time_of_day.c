/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "base/data/array.h"
#include "suites.h"
#include "words/time_scale.h"

#define SECOND UINT64_C(1000000000)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)
/* 2026-11-26 03:12:05 in UTC */
#define NIGHT  (1795662725 * SECOND)
/* midnight before that */
#define MIDNIGHT (NIGHT - 3 * HOUR - 725 * SECOND)

#define CENTRAL_EUROPE "CET-1CEST,M3.5.0,M10.5.0/3"

static void zone(const char *name)
{
	ck_assert_int_eq(setenv("TZ", name, 1), 0);
	tzset();
}

static void check_text(struct buffer *text, const char *expected)
{
	ck_assert_str_eq(text->text, expected);
	buffer_clear(text);
}

START_TEST(times_are_those_of_the_zone)
{
	struct buffer text;

	buffer_init(&text, 100);
	zone("UTC0");
	date_append(&text, NIGHT);
	check_text(&text, "2026-11-26 03:12:05 UTC");
	zone(CENTRAL_EUROPE);
	date_append(&text, NIGHT);
	check_text(&text, "2026-11-26 04:12:05 CET");
	date_append(&text, NIGHT - 120 * DAY);
	check_text(&text, "2026-07-29 05:12:05 CEST");
	time_of_day_append(&text, NIGHT + 123456789, NIGHT, 6);
	check_text(&text, "04:12:05.123456");
	time_of_day_append(&text, NIGHT + 123456789, NIGHT, 9);
	check_text(&text, "04:12:05.123456789");
	time_of_day_append(&text, NIGHT + 123456789, NIGHT, 0);
	check_text(&text, "04:12:05");
	/* a day later, the same time comes again */
	time_of_day_append(&text, NIGHT + DAY - 1, NIGHT, 1);
	check_text(&text, "04:12:04.9");
	time_of_day_append(&text, NIGHT + DAY, NIGHT, 1);
	check_text(&text, "2026-11-27T04:12:05.0");
	time_of_day_append(&text, NIGHT - DAY, NIGHT, 1);
	check_text(&text, "2026-11-25T04:12:05.0");
	buffer_release(&text);
}
END_TEST

START_TEST(only_whole_times_are_read)
{
	static const struct {
		const char *text;
		struct day_time expected;
	} good[] = {
		{"03:12", {.hour = 3, .minute = 12}},
		{"23:59:59", {.hour = 23, .minute = 59, .second = 59}},
		{"00:00:00.5", {.fraction = 500000000}},
		{"03:12:05.123456789", {.hour = 3, .minute = 12, .second = 5, .fraction = 123456789}},
		{"03:12:05.1234567891", {.hour = 3, .minute = 12, .second = 5, .fraction = 123456789}},
		{"2026-11-26 03:12", {true, 2026, 11, 26, 3, 12, 0, 0}},
		{"2026-11-26T03:12:05.000000001", {true, 2026, 11, 26, 3, 12, 5, 1}},
	};
	static const char *const bad[] = {
		"", "3", "03", "03:", "3:12", "03:1", "03:12:", "03:12:5", "03:12:05.", "03:12:05x",
		"03:12:05.5s", "24:00", "03:60", "03:12:60", "-3:12", " 03:12", "03:12 ", "03:12:05,5",
		"03:12.5", "0312", "2026-11-26", "2026-11-26 ", "2026-13-26 03:12", "2026-00-26 03:12",
		"2026-11-32 03:12", "1969-11-26 03:12", "2116-11-26 03:12", "2026-11-2603:12",
		"26-11-26 03:12", "02026-11-26 03:12", "2026/11/26 03:12", "mark 03:12",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		const struct day_time *expected = &good[i].expected;
		struct day_time day;

		ck_assert_msg(day_time_read(good[i].text, &day), "%s", good[i].text);
		ck_assert_int_eq(day.has_date, expected->has_date);
		ck_assert_int_eq(day.year, expected->year);
		ck_assert_int_eq(day.month, expected->month);
		ck_assert_int_eq(day.day, expected->day);
		ck_assert_int_eq(day.hour, expected->hour);
		ck_assert_int_eq(day.minute, expected->minute);
		ck_assert_int_eq(day.second, expected->second);
		ck_assert_uint_eq(day.fraction, expected->fraction);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct day_time day = {.hour = 77};

		ck_assert_msg(!day_time_read(bad[i], &day), "%s", bad[i]);
		ck_assert_int_eq(day.hour, 77);
	}
}
END_TEST

static void check_found(const char *text, nsec_t from, nsec_t to, nsec_t expected)
{
	struct day_time day;

	ck_assert(day_time_read(text, &day));
	ck_assert_msg(day_time_find(&day, from, to) == expected, "%s: %llu, not %llu", text,
	              (unsigned long long)day_time_find(&day, from, to),
	              (unsigned long long)expected);
}

START_TEST(the_first_in_the_recording_is_found)
{
	const nsec_t from = NIGHT, to = NIGHT + HOUR; /* 03:12:05 to 04:12:05 */

	zone("UTC0");
	check_found("03:12:05", from, to, NIGHT);
	check_found("03:30", from, to, MIDNIGHT + 3 * HOUR + HOUR / 2);
	check_found("04:12:05.000000001", from, to, to + 1);
	/* none: the nearest */
	check_found("03:12", from, to, NIGHT - 5 * SECOND);
	check_found("03:12:04.999999999", from, to, NIGHT - 1);
	check_found("05:00", from, to, MIDNIGHT + 5 * HOUR);
	check_found("23:00", from, to, MIDNIGHT - HOUR);
	check_found("12:00", from, to, MIDNIGHT + 12 * HOUR);
	/* across midnight */
	check_found("23:59", MIDNIGHT - HOUR, MIDNIGHT + HOUR, MIDNIGHT - 60 * SECOND);
	check_found("00:01", MIDNIGHT - HOUR, MIDNIGHT + HOUR, MIDNIGHT + 60 * SECOND);
	check_found("00:00", MIDNIGHT - HOUR, MIDNIGHT + HOUR, MIDNIGHT);
	/* several days: the first, or that of the date */
	check_found("03:12:04", from, from + 3 * DAY, NIGHT + DAY - SECOND);
	check_found("03:12:06", from, from + 3 * DAY, NIGHT + SECOND);
	check_found("2026-11-28 03:12:06", from, from + 3 * DAY, NIGHT + 2 * DAY + SECOND);
	check_found("2026-11-25T03:12:06", from, to, NIGHT - DAY + SECOND);
}
END_TEST

/* 2026-10-25: clocks go back from 03:00 CEST to 02:00 CET, so that day has 25 hours. */
START_TEST(zones_change_their_clocks)
{
	const nsec_t midnight = MIDNIGHT - 32 * DAY - 2 * HOUR; /* 2026-10-25 00:00 CEST */

	zone(CENTRAL_EUROPE);
	check_found("00:00", midnight, midnight + DAY, midnight);
	check_found("01:30", midnight, midnight + DAY, midnight + HOUR + HOUR / 2);
	check_found("12:00", midnight, midnight + DAY, midnight + 13 * HOUR);
	zone("America/Nowhere");
	check_found("00:00", MIDNIGHT, MIDNIGHT + DAY, MIDNIGHT);
}
END_TEST

START_TEST(instants_are_shown_as_asked)
{
	const struct realtime realtime = {{{.time = 100 * SECOND, .real = NIGHT}}, 1};
	const struct instant_form relative = {.begin = 100 * SECOND};
	const struct instant_form absolute = {.begin = 100 * SECOND, .realtime = &realtime};

	zone("UTC0");
	ck_assert_str_eq(INSTANT_OF(&relative, 112345678901), "12.345678");
	ck_assert_str_eq(INSTANT_OF(&relative, 99999000000), "-0.001000");
	ck_assert_str_eq(INSTANT_OF(&absolute, 112345678901), "03:12:17.345678");
	ck_assert_str_eq(INSTANT_OF(&absolute, 99999000000), "03:12:04.999000");
	ck_assert_str_eq(INSTANT_OF(&absolute, 100 * SECOND + DAY), "2026-11-27T03:12:05.000000");
	ck_assert_str_eq(instant_unit(&relative), " s");
	ck_assert_str_eq(instant_unit(&absolute), "");
}
END_TEST

Suite *time_of_day_suite(void)
{
	Suite *suite = suite_create("time_of_day");
	TCase *tests = tcase_create("time_of_day");

	tcase_add_test(tests, times_are_those_of_the_zone);
	tcase_add_test(tests, only_whole_times_are_read);
	tcase_add_test(tests, the_first_in_the_recording_is_found);
	tcase_add_test(tests, zones_change_their_clocks);
	tcase_add_test(tests, instants_are_shown_as_asked);
	suite_add_tcase(suite, tests);
	return suite;
}
