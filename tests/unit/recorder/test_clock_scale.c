/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/clock_reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suites.h"

static char folder[] = "/tmp/ftwait-unit.XXXXXX";
static char path[64];
static struct buffer why;

static void setup(void)
{
	FILE *file;

	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/trace_clock", folder);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs("local global counter uptime perf [mono] boot ppc-tb x86-tsc\n", file),
	                 0);
	ck_assert_int_eq(fclose(file), 0);
	buffer_init(&why, 1000);
}

static void teardown(void)
{
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(rmdir(folder), 0);
	buffer_release(&why);
}

START_TEST(nanoseconds_need_no_scale)
{
	static const char *const names[] = {"local", "global", "perf", "mono", "mono_raw", "boot",
	                                    "tai"};
	struct clock_scale scale = {1, 1};

	ck_assert_int_eq(clock_scale_find(folder, names[_i], &scale, &why), 0);
	ck_assert_uint_eq(scale.mult, 0);
	ck_assert_str_eq(why.text, "");
}
END_TEST

START_TEST(others_are_refused)
{
	static const char *const names[] = {"counter", "uptime", "ppc-tb", "s390-tod", "sundial"};
	const char *mend;
	struct clock_scale scale;

	ck_assert_int_eq(clock_scale_find(folder, names[_i], &scale, &why), -ENOTSUP);
	ck_assert_ptr_nonnull(strstr(why.text, names[_i]));
	mend = strrchr(why.text, ';');
	ck_assert_ptr_nonnull(mend);
	ck_assert_str_eq(mend, "; use one of: local global perf mono boot");
}
END_TEST

/* What perf tells depends on the machine. */
START_TEST(cycles_are_scaled_or_refused)
{
	struct clock_scale scale;
	int r = clock_scale_find(folder, "x86-tsc", &scale, &why);

	if (r == 0) {
		ck_assert_uint_ne(scale.mult, 0);
		ck_assert_uint_lt(scale.shift, 64);
		ck_assert_str_eq(why.text, "");
	} else {
		ck_assert_int_eq(r, -ENOTSUP);
		ck_assert_ptr_nonnull(strstr(why.text, "counts processor cycles"));
		ck_assert_ptr_nonnull(strstr(why.text, "; use one of: local global perf mono boot"));
	}
}
END_TEST

START_TEST(pages_are_read)
{
	struct perf_event_mmap_page page = {.lock = 4, .time_mult = 820000000, .time_shift = 31};
	struct clock_scale scale;

	ck_assert_int_eq(clock_scale_of_page(&page, &scale), -ENOTSUP);
	page.cap_user_time = 1;
	ck_assert_int_eq(clock_scale_of_page(&page, &scale), 0);
	ck_assert_uint_eq(scale.mult, 820000000);
	ck_assert_uint_eq(scale.shift, 31);
	page.lock = 5; /* being written, for ever */
	ck_assert_int_eq(clock_scale_of_page(&page, &scale), -ENOTSUP);
	page.lock = 6;
	page.time_mult = 0;
	ck_assert_int_eq(clock_scale_of_page(&page, &scale), -ENOTSUP);
}
END_TEST

Suite *clock_scale_suite(void)
{
	Suite *suite = suite_create("clock_scale");
	TCase *tests = tcase_create("clock_scale");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, nanoseconds_need_no_scale, 0, 7);
	tcase_add_loop_test(tests, others_are_refused, 0, 5);
	tcase_add_test(tests, cycles_are_scaled_or_refused);
	tcase_add_test(tests, pages_are_read);
	suite_add_tcase(suite, tests);
	return suite;
}
