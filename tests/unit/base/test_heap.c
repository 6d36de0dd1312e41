/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/heap.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/data/array.h"
#include "suites.h"

#define ITEMS 200

static bool is_less(const uint32_t *a, const uint32_t *b)
{
	return *a < *b;
}

static int compare(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static uint32_t number_after(uint32_t number)
{
	return number * 1103515245 + 12345;
}

/* Fills both with the same numbers, many of them equal; the second in order. */
static void numbers_fill(uint32_t *item, uint32_t *sorted, size_t count)
{
	uint32_t number = (uint32_t)count;

	for (size_t i = 0; i < count; i++) {
		number = number_after(number);
		item[i] = sorted[i] = number >> 16 & 127;
	}
	array_sort(sorted, count, sizeof(*sorted), compare);
}

static void pops_are(uint32_t *item, size_t count, const uint32_t *sorted)
{
	for (size_t i = 0; count; i++) {
		ck_assert_uint_eq(item[0], sorted[i]);
		item[0] = item[--count];
		HEAP_SIFT_DOWN(item, count, 0, is_less);
	}
}

START_TEST(what_is_pushed_leaves_in_order)
{
	uint32_t number[ITEMS], sorted[ITEMS], item[ITEMS];

	for (size_t count = 0; count < ITEMS; count++) {
		numbers_fill(number, sorted, count);
		for (size_t i = 0; i < count; i++) {
			item[i] = number[i];
			HEAP_SIFT_UP(item, i, is_less);
		}
		pops_are(item, count, sorted);
	}
}
END_TEST

START_TEST(any_array_becomes_a_heap)
{
	uint32_t item[ITEMS], sorted[ITEMS];

	for (size_t count = 0; count < ITEMS; count++) {
		numbers_fill(item, sorted, count);
		for (size_t at = count / 2; at-- > 0;)
			HEAP_SIFT_DOWN(item, count, at, is_less);
		pops_are(item, count, sorted);
	}
}
END_TEST

/* As when streams are merged: the first one is replaced by what comes after it. */
START_TEST(the_first_may_be_replaced)
{
	uint32_t item[] = {1, 2, 3, 4, 5};

	for (uint32_t next = 6; next < 50; next++) {
		ck_assert_uint_eq(item[0], next - 5);
		item[0] = next;
		HEAP_SIFT_DOWN(item, ARRAY_SIZE(item), 0, is_less);
	}
}
END_TEST

Suite *heap_suite(void)
{
	Suite *suite = suite_create("heap");
	TCase *tests = tcase_create("heap");

	suite_add_tcase(suite, tests);
	tcase_add_test(tests, what_is_pushed_leaves_in_order);
	tcase_add_test(tests, any_array_becomes_a_heap);
	tcase_add_test(tests, the_first_may_be_replaced);
	return suite;
}
