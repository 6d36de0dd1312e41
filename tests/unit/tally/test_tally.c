/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tally/tally.h"

#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "suites.h"

struct sum {
	struct key {
		uint32_t task, cpu;
	} key;
	uint64_t total;
};

struct stays {
	TALLY(tally, struct sum, stay, count);
};

static void stay_add(struct tally *stays, uint32_t task, uint32_t cpu, uint64_t time)
{
	struct sum *sum = tally_row(stays, &(struct key){task, cpu});

	if (sum)
		sum->total += time;
}

START_TEST(sums_by_key)
{
	struct stays stays;
	const struct sum *found;

	tally_init(&stays.tally, sizeof(struct sum), sizeof(struct key), TALLY_NO_LIMIT);
	stay_add(&stays.tally, 7, 0, 10);
	stay_add(&stays.tally, 7, 1, 1);
	stay_add(&stays.tally, 7, 0, 5);
	ck_assert_uint_eq(stays.count, 2);
	ck_assert_uint_eq(stays.stay[0].total, 15);
	found = tally_find(&stays.tally, &(struct key){7, 1});
	ck_assert_ptr_eq(found, &stays.stay[1]);
	ck_assert_uint_eq(tally_number(&stays.tally, found), 1);
	ck_assert_ptr_null(tally_find(&stays.tally, &(struct key){8, 1}));
	tally_clear(&stays.tally);
	ck_assert_ptr_null(tally_find(&stays.tally, &(struct key){7, 1}));
	stay_add(&stays.tally, 7, 1, 2);
	ck_assert_uint_eq(stays.stay[0].total, 2);
	tally_release(&stays.tally);
}
END_TEST

/* Keys are compared 8 bytes at once, and the last 4 alone. */
START_TEST(the_end_of_a_key_counts)
{
	struct tally sums;
	struct long_key { uint32_t word[5]; } key = {{1, 2, 3, 4, 5}}, other = {{1, 2, 3, 4, 6}};
	void *row;

	tally_init(&sums, sizeof(key), sizeof(key), TALLY_NO_LIMIT);
	row = tally_row(&sums, &key);
	ck_assert_mem_eq(row, &key, sizeof(key));
	ck_assert_ptr_null(tally_find(&sums, &other));
	ck_assert_ptr_eq(tally_find(&sums, &key), row);
	ck_assert_ptr_ne(tally_row(&sums, &other), tally_find(&sums, &key));
	ck_assert_uint_eq(sums.count, 2);
	tally_release(&sums);
}
END_TEST

/* Rows keep their numbers while others are made, and those beyond the limit are counted. */
START_TEST(rows_are_numbered)
{
	struct tally stays;
	const struct sum *sum;
	uint32_t number = 0;

	tally_init(&stays, sizeof(struct sum), sizeof(struct key), 1000);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 1003; i++)
			stay_add(&stays, i, 2 * i, i);
	ck_assert_uint_eq(stays.count, 1000);
	ck_assert_uint_eq(stays.left_out, 6);
	TALLY_EACH(&stays, sum) {
		ck_assert_uint_eq(sum->key.task, number);
		ck_assert_uint_eq(sum->total, 2 * number++);
	}
	ck_assert_uint_eq(number, 1000);
	tally_release(&stays);
}
END_TEST

START_TEST(no_rows)
{
	struct tally stays;
	const struct sum *sum;

	tally_init(&stays, sizeof(struct sum), 0, 1);
	TALLY_EACH(&stays, sum)
		ck_abort_msg("there is no row");
	sum = tally_add(&stays);
	ck_assert_uint_eq(sum->total, 0);
	ck_assert_ptr_null(tally_add(&stays));
	tally_release(&stays);
}
END_TEST

/* Keys that are alike if their last decimal digit is; all have one hash. */
static bool digit_is_alike(const void *row, const void *wanted)
{
	return ((const struct sum *)row)->key.task % 10 ==
	       ((const struct sum *)wanted)->key.task % 10;
}

START_TEST(keys_of_any_sort)
{
	struct stays digits;

	tally_init(&digits.tally, sizeof(struct sum), sizeof(struct sum), 9);
	for (uint32_t i = 5; i < 105; i++) {
		const struct sum wanted = {.key.task = i, .total = 1000};
		struct sum *sum = tally_row_of(&digits.tally, 42, &wanted, digit_is_alike);

		if (sum)
			sum->total++;
	}
	ck_assert_uint_eq(digits.count, 9);
	ck_assert_uint_eq(digits.tally.left_out, 10);
	ck_assert_uint_eq(digits.stay[8].key.task, 13);
	ck_assert_uint_eq(digits.stay[8].total, 1010);
	tally_release(&digits.tally);
}
END_TEST

static int total_compare(const void *a, const void *b, void *state)
{
	const struct sum *x = a, *y = b;

	++*(unsigned *)state;
	return ORDER_BY(FALLING(x, y, total), RISING(x, y, key.task));
}

START_TEST(sorted)
{
	struct stays stays;
	unsigned compared = 0;

	tally_init(&stays.tally, sizeof(struct sum), sizeof(struct key), TALLY_NO_LIMIT);
	tally_sort(&stays.tally, total_compare, &compared);
	ck_assert_uint_eq(compared, 0);
	stay_add(&stays.tally, 1, 0, 3);
	stay_add(&stays.tally, 3, 0, 5);
	stay_add(&stays.tally, 2, 0, 5);
	tally_sort(&stays.tally, total_compare, &compared);
	ck_assert_uint_eq(stays.stay[0].key.task, 2);
	ck_assert_uint_eq(stays.stay[1].key.task, 3);
	ck_assert_uint_eq(stays.stay[2].key.task, 1);
	tally_release(&stays.tally);
}
END_TEST

Suite *tally_suite(void)
{
	Suite *suite = suite_create("tally");
	TCase *tests = tcase_create("tally");

	tcase_add_test(tests, sums_by_key);
	tcase_add_test(tests, the_end_of_a_key_counts);
	tcase_add_test(tests, rows_are_numbered);
	tcase_add_test(tests, no_rows);
	tcase_add_test(tests, keys_of_any_sort);
	tcase_add_test(tests, sorted);
	suite_add_tcase(suite, tests);
	return suite;
}
