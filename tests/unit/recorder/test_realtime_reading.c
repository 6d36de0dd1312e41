/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/clock_reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "base/data/array.h"
#include "suites.h"

static const struct clock_scale nanoseconds;

static nsec_t now(clockid_t clock)
{
	struct timespec time;

	ck_assert_int_eq(clock_gettime(clock, &time), 0);
	return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec;
}

/* Both values lie between what is read before and after. */
START_TEST(both_clocks_are_read_at_once)
{
	static const struct {
		const char *name;
		clockid_t clock;
	} cases[] = {{"mono", CLOCK_MONOTONIC}, {"boot", CLOCK_BOOTTIME},
	             {"mono_raw", CLOCK_MONOTONIC_RAW}, {"tai", CLOCK_TAI}};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		nsec_t time = now(cases[i].clock), real = now(CLOCK_REALTIME);
		struct realtime_pair pair;

		ck_assert_int_eq(realtime_read("/nowhere", cases[i].name, &nanoseconds, &pair), 0);
		ck_assert_uint_ge(pair.time, time);
		ck_assert_uint_le(pair.time, now(cases[i].clock));
		ck_assert_uint_ge(pair.real, real);
		ck_assert_uint_le(pair.real, now(CLOCK_REALTIME));
		ck_assert_uint_le(pair.within, 1000000000);
	}
}
END_TEST

/* Other clocks are read from the instance. */
START_TEST(the_kernel_prints_its_clock)
{
	char dir[] = "/tmp/ftwait-realtime.XXXXXX", path[100];
	nsec_t real = now(CLOCK_REALTIME);
	struct realtime_pair pair;
	FILE *file;

	ck_assert_int_eq(realtime_read("/nowhere", "local", &nanoseconds, &pair), -ENOENT);
	ck_assert_ptr_nonnull(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/per_cpu", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/per_cpu/cpu0", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/per_cpu/cpu0/stats", dir);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	(void)fputs("entries: 0\noldest event ts:     0.000000\nnow ts:    12.345678\n", file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(realtime_read(dir, "local", &nanoseconds, &pair), 0);
	/* the middle of the microsecond */
	ck_assert_uint_eq(pair.time, 12345678500);
	ck_assert_uint_ge(pair.within, 500);
	ck_assert_uint_ge(pair.real, real);
	ck_assert_uint_le(pair.real, now(CLOCK_REALTIME));
	ck_assert_int_eq(unlink(path), 0);
	(void)snprintf(path, sizeof(path), "%s/per_cpu/cpu0", dir);
	ck_assert_int_eq(rmdir(path), 0);
	(void)snprintf(path, sizeof(path), "%s/per_cpu", dir);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

START_TEST(only_whole_numbers_are_times)
{
	static const struct {
		const char *text;
		struct clock_scale scale;
		int r;
		nsec_t time;
	} cases[] = {
		{"now ts:     1.000001\ndropped events: 0\n", {0, 0}, 0, 1000001000},
		{"now ts: 712282.720500", {0, 0}, 0, 712282720500000},
		{"now ts: 1000\n", {3, 1}, 0, 1500},
		{"now ts: 1.5\n", {3, 1}, -EINVAL, 0},
		{"now ts: \n", {0, 0}, -EINVAL, 0},
		{"now ts: x\n", {0, 0}, -EINVAL, 0},
		{"now ts: 00000000000000000000000000000000001\n", {0, 0}, -EINVAL, 0},
		{"entries: 5\n", {0, 0}, -EINVAL, 0},
		{"", {0, 0}, -EINVAL, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		nsec_t time = 0;

		ck_assert_int_eq(stats_now_parse(cases[i].text, &cases[i].scale, &time),
		                 cases[i].r);
		ck_assert_uint_eq(time, cases[i].time);
	}
}
END_TEST

START_TEST(a_pair_is_a_line)
{
	struct buffer line;

	buffer_init(&line, 100);
	realtime_pair_describe(&(struct realtime_pair){1, 1795662725000000000, 47, 0}, &line);
	ck_assert_str_eq(line.text, "realtime 1 1795662725000000000 47\n");
	buffer_clear(&line);
	realtime_pair_describe(&(struct realtime_pair){1, 1795662725000000000, 47, 12001}, &line);
	ck_assert_str_eq(line.text, "realtime 1 1795662725000000000 47 12001\n");
	buffer_release(&line);
}
END_TEST

START_TEST(time_of_day_that_nothing_keeps_right_has_no_error)
{
	const struct timex kept = {.status = STA_PLL, .maxerror = 12},
	                   lost = {.status = STA_PLL | STA_UNSYNC, .maxerror = 16000000},
	                   moving = {.status = STA_PLL, .offset = -7},
	                   fine = {.status = STA_PLL | STA_NANO, .offset = 7};

	ck_assert_uint_eq(realtime_error(TIME_OK, &kept), 512000);
	ck_assert_uint_eq(realtime_error(TIME_INS, &kept), 512000);
	ck_assert_uint_eq(realtime_error(TIME_OK, &moving), 507000);
	ck_assert_uint_eq(realtime_error(TIME_OK, &fine), 500007);
	ck_assert_uint_eq(realtime_error(TIME_ERROR, &kept), 0);
	ck_assert_uint_eq(realtime_error(TIME_OK, &lost), 0);
	ck_assert_uint_eq(realtime_error(-1, &kept), 0);
}
END_TEST

Suite *realtime_reading_suite(void)
{
	Suite *suite = suite_create("realtime_reading");
	TCase *tests = tcase_create("realtime_reading");

	tcase_add_test(tests, both_clocks_are_read_at_once);
	tcase_add_test(tests, the_kernel_prints_its_clock);
	tcase_add_test(tests, only_whole_numbers_are_times);
	tcase_add_test(tests, a_pair_is_a_line);
	tcase_add_test(tests, time_of_day_that_nothing_keeps_right_has_no_error);
	suite_add_tcase(suite, tests);
	return suite;
}
