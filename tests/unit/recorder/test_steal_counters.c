/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/machine/machine_notes.h"
#include "suites.h"

static struct steal_counters before, after;
static struct buffer lines;

static void setup(void)
{
	before = (struct steal_counters){0};
	after = (struct steal_counters){0};
	buffer_init(&lines, 10000);
}

static void teardown(void)
{
	steal_counters_release(&before);
	steal_counters_release(&after);
	buffer_release(&lines);
}

static void parse(const char *text, struct steal_counters *to)
{
	_cleanup_(freep) char *copy = xstrdup(text);

	steal_counters_parse(copy, to);
}

/* CPU 2 is off at the end, CPU 3 at the begin; CPU 1 steps back. */
START_TEST(what_was_stolen_between)
{
	parse("cpu  9 9 9 9 9 9 9 77 0 0\ncpu0 1 2 3 4 5 6 7 10 0 0\ncpu1 1 2 3 4 5 6 7 20 0 0\n"
	      "cpu2 1 2 3 4 5 6 7 5 0 0\nintr 8 1 2 3 4 5 6 7 8 9\n", &before);
	parse("cpu  9 9 9 9 9 9 9 99 0 0\ncpu0 2 2 3 4 5 6 7 22 0 0\ncpu1 1 2 3 4 5 6 7 19 0 0\n"
	      "cpu3 1 2 3 4 5 6 7 5 0 0\n", &after);
	steal_counters_describe(&before, &after, 10000000, &lines);
	ck_assert_str_eq(lines.text, "steal 0 120000000\nsteal 1 0\n");
}
END_TEST

START_TEST(a_tick_is_what_the_kernel_says)
{
	parse("cpu0 1 2 3 4 5 6 7 10\n", &before);
	parse("cpu0 1 2 3 4 5 6 7 11", &after);
	steal_counters_describe(&before, &after, 1000000, &lines);
	ck_assert_str_eq(lines.text, "steal 0 1000000\n");
}
END_TEST

START_TEST(what_is_no_counter_is_not_known)
{
	static const char *const texts[] = {
		"", "cpu0", "cpu0 1 2 3 4 5 6 7\n", "cpu0 1 2 3 4 5 6 7 x\n", "cpux 1 2 3 4 5 6 7 8\n",
		"cpu65536 1 2 3 4 5 6 7 8\n", "intr 1 2 3 4 5 6 7 8 9\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		parse(texts[i], &before);
		steal_counters_describe(&before, &before, 10000000, &lines);
		ck_assert_str_eq(lines.text, "");
	}
}
END_TEST

START_TEST(this_kernel_counts)
{
	steal_counters_read(&before);
	ck_assert_uint_gt(before.cpu_count, 0);
	steal_counters_describe(&before, &before, 10000000, &lines);
	ck_assert_ptr_nonnull(strstr(lines.text, " 0\n"));
}
END_TEST

START_TEST(a_flag_shows_the_guest)
{
	static const struct {
		const char *text;
		bool is_guest;
	} cases[] = {
		{"processor\t: 0\nflags\t\t: fpu avx hypervisor lahf_lm\nbugs\t\t: x\n", true},
		{"processor\t: 0\nflags\t\t: fpu hypervisor\n", true},
		{"processor\t: 0\nflags\t\t: fpu hypervisor", true},
		{"processor\t: 0\nflags\t\t: fpu hypervisors nohypervisor\n", false},
		{"processor\t: 0\nflags\t\t: fpu\nbugs\t\t: a hypervisor b\n", false},
		{"processor\t: 0\nFeatures\t: fp hypervisor\n", false},
		{"", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_int_eq(cpuinfo_is_guest(cases[i].text), cases[i].is_guest);
}
END_TEST

Suite *steal_counters_suite(void)
{
	Suite *suite = suite_create("steal_counters");
	TCase *tcase = tcase_create("steal_counters");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, what_was_stolen_between);
	tcase_add_test(tcase, a_tick_is_what_the_kernel_says);
	tcase_add_test(tcase, what_is_no_counter_is_not_known);
	tcase_add_test(tcase, this_kernel_counts);
	tcase_add_test(tcase, a_flag_shows_the_guest);
	suite_add_tcase(suite, tcase);
	return suite;
}
