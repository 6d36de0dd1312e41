/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/time_shift.h"

#include <errno.h>
#include <string.h>

#include "base/byte_order.h"
#include "suites.h"

/* Two CPUs with a sample each, and bits. */
#define BYTES (16 + 2 * (4 + 24) + 2 * 8)
#define BITS  (BYTES - 2 * 8)

static void store(uint8_t *to, size_t bytes, uint64_t value)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> (byte_order_is_big() ? bytes - 1 - i : i) * 8);
}

static void option_make(uint8_t option[BYTES], uint64_t offset)
{
	memset(option, 0, BYTES);
	store(option, 8, 4711);
	store(option + 12, 4, 2);
	for (size_t cpu = 0; cpu < 2; cpu++) {
		uint8_t *at = option + 16 + cpu * 28;

		store(at, 4, 1);
		store(at + 4, 8, 1000);
		store(at + 12, 8, offset);
		store(at + 20, 8, 3);
	}
}

/* libtracecmd ignores the factor of a single sample. */
START_TEST(single_sample_is_a_difference)
{
	struct time_shift shift;
	uint8_t option[BYTES];

	option_make(option, (uint64_t)-300);
	ck_assert_int_eq(time_shift_read(&shift, option, BYTES, false), 0);
	ck_assert_uint_eq(shift.host_id, 4711);
	ck_assert(time_shift_has_all(&shift, 2));
	ck_assert(!time_shift_has_all(&shift, 3));
	ck_assert_uint_eq(time_shift_apply(&shift, 1, 1000), 700);
	ck_assert_uint_eq(time_shift_apply(&shift, 1, 10), 0);
	ck_assert_uint_eq(time_shift_apply(&shift, 2, 1000), 1000);
	time_shift_release(&shift);
	option_make(option, INT64_MAX);
	ck_assert_int_eq(time_shift_read(&shift, option, BYTES, false), 0);
	ck_assert_uint_eq(time_shift_apply(&shift, 0, UINT64_MAX - 5), UINT64_MAX);
	time_shift_release(&shift);
}
END_TEST

/* An older trace-cmd wrote no bits. */
START_TEST(cut_option_makes_no_sense)
{
	struct time_shift shift;
	uint8_t option[BYTES];

	option_make(option, 1);
	for (size_t size = 0; size < BYTES; size++) {
		int expected = size == BITS ? 0 : -EBADMSG;

		ck_assert_int_eq(time_shift_read(&shift, option, size, false), expected);
		time_shift_release(&shift);
	}
}
END_TEST

START_TEST(absurd_numbers_make_no_sense)
{
	static const struct {
		size_t at, bytes;
		uint64_t value;
	} cases[] = {
		{12, 4, UINT32_MAX}, {16, 4, UINT32_MAX}, {36, 8, 0}, {BITS, 8, 64},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct time_shift shift;
		uint8_t option[BYTES];

		option_make(option, 1);
		store(option + cases[i].at, cases[i].bytes, cases[i].value);
		ck_assert_int_eq(time_shift_read(&shift, option, BYTES, false), -EBADMSG);
		ck_assert_uint_eq(shift.count, 0);
	}
}
END_TEST

/* One CPU with two samples, a second apart, between which the difference changes by that much. */
static void option_make_rise(uint8_t option[16 + 4 + 48], uint64_t flags, uint64_t rise)
{
	memset(option, 0, 16 + 4 + 48);
	store(option, 8, 4711);
	store(option + 8, 4, flags);
	store(option + 12, 4, 1);
	store(option + 16, 4, 2);
	store(option + 20, 8, 5000000000);
	store(option + 28, 8, 6000000000);
	store(option + 36, 8, (uint64_t)-70000000000);
	store(option + 44, 8, (uint64_t)-70000000000 + rise);
	store(option + 52, 8, 1);
	store(option + 60, 8, 1);
}

/* Without -C, trace-cmd 3.1.6 to 3.4 compare the counter of one machine with the nanoseconds of the
   other one. A slow network makes an error of some 10 ms; that is no reason to refuse it. */
START_TEST(clocks_of_two_kinds_are_told_apart)
{
	static const struct {
		uint64_t flags, rise;
		int expected;
	} cases[] = {
		{1, (uint64_t)-615000000, -ERANGE}, {1, 1600000000, -ERANGE},
		{1, (uint64_t)INT64_MIN, -ERANGE},  {1, 40000000, 0},
		{1, (uint64_t)-40000000, 0},        {0, (uint64_t)-615000000, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct time_shift shift;
		uint8_t option[16 + 4 + 48];

		option_make_rise(option, cases[i].flags, cases[i].rise);
		ck_assert_int_eq(time_shift_read(&shift, option, sizeof(option), false),
		                 cases[i].expected);
		ck_assert_uint_eq(shift.count, cases[i].expected ? 0 : 1);
		time_shift_release(&shift);
	}
}
END_TEST

/* A clock is one for all CPUs, but trace-cmd measures it on each by itself. With 20 ms between the
   measurements of two CPUs, a task would run before it is woken. */
START_TEST(errors_of_measurement_do_not_part_cpus)
{
	struct time_shift shift;
	uint8_t option[BYTES];

	option_make(option, 300);
	store(option + 8, 4, 1);
	store(option + 16 + 28 + 12, 8, 20000300);
	ck_assert_int_eq(time_shift_read(&shift, option, BYTES, false), 0);
	ck_assert_uint_eq(time_shift_apply(&shift, 0, 1000), 1300);
	ck_assert_uint_eq(time_shift_apply(&shift, 1, 1000), 1300);
	ck_assert_uint_eq(time_shift_apply(&shift, 7, 1000), 1300);
	ck_assert(time_shift_has_all(&shift, 8));
	ck_assert_uint_eq(time_shift_spread(&shift), 20000000);
	time_shift_release(&shift);
}
END_TEST

START_TEST(first_cpu_may_have_no_samples)
{
	struct time_shift shift;
	uint8_t option[16 + 4 + 28] = {0};

	store(option, 8, 4711);
	store(option + 8, 4, 1);
	store(option + 12, 4, 2);
	store(option + 20, 4, 1);
	store(option + 24, 8, 1000);
	store(option + 32, 8, 300);
	store(option + 40, 8, 1);
	ck_assert_int_eq(time_shift_read(&shift, option, sizeof(option), false), 0);
	ck_assert_uint_eq(time_shift_apply(&shift, 0, 1000), 1300);
	ck_assert_uint_eq(time_shift_apply(&shift, 1, 1000), 1300);
	ck_assert_uint_eq(time_shift_spread(&shift), 0);
	time_shift_release(&shift);
}
END_TEST

Suite *time_shift_suite(void)
{
	Suite *suite = suite_create("time_shift");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, single_sample_is_a_difference);
	tcase_add_test(tcase, cut_option_makes_no_sense);
	tcase_add_test(tcase, absurd_numbers_make_no_sense);
	tcase_add_test(tcase, clocks_of_two_kinds_are_told_apart);
	tcase_add_test(tcase, errors_of_measurement_do_not_part_cpus);
	tcase_add_test(tcase, first_cpu_may_have_no_samples);
	suite_add_tcase(suite, tcase);
	return suite;
}
