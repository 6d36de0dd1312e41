/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/sparse_array.h"

#include <stdlib.h>

#include "suites.h"

START_TEST(what_is_asked_for_is_made_once)
{
	struct sparse_array array;
	uint64_t *object;

	sparse_array_init(&array, sizeof(*object));
	ck_assert_ptr_null(sparse_array_find(&array, 0));
	object = sparse_array_get(&array, 1000);
	ck_assert_uint_eq(*object, 0);
	*object = 7;
	ck_assert_ptr_eq(sparse_array_get(&array, 1000), object);
	ck_assert_ptr_eq(sparse_array_find(&array, 1000), object);
	ck_assert_ptr_null(sparse_array_find(&array, 999));
	ck_assert_ptr_null(sparse_array_find(&array, 1u << 20));
	ck_assert_uint_eq(array.count, 1);
	sparse_array_release(&array);
}
END_TEST

START_TEST(objects_stay_where_they_are)
{
	struct sparse_array array;
	uint32_t *first, *object;

	sparse_array_init(&array, sizeof(*object));
	first = sparse_array_get(&array, 5);
	*first = 5;
	for (uint32_t number = 0; number < 5000; number++) {
		object = sparse_array_get(&array, number);
		*object = number;
	}
	ck_assert_ptr_eq(sparse_array_find(&array, 5), first);
	for (uint32_t number = 0; number < 5000; number++) {
		object = sparse_array_find(&array, number);
		ck_assert_uint_eq(*object, number);
	}
	sparse_array_release(&array);
}
END_TEST

START_TEST(what_was_dropped_is_used_again)
{
	struct sparse_array array;
	uint64_t *object;

	sparse_array_init(&array, sizeof(*object));
	sparse_array_drop(&array, 3); /* it is not there */
	for (uint32_t round = 0; round < 10000; round++) {
		object = sparse_array_get(&array, round % 100);
		ck_assert_uint_eq(*object, 0);
		*object = UINT64_MAX;
		sparse_array_drop(&array, round % 100);
		ck_assert_ptr_null(sparse_array_find(&array, round % 100));
	}
	ck_assert_uint_eq(array.count, 0);
	ck_assert_uint_eq(array.place_count, 1);
	sparse_array_release(&array);
}
END_TEST

START_TEST(each_is_seen_once_though_it_is_dropped)
{
	struct sparse_array array;
	uint32_t place, number, *object, seen = 0;

	sparse_array_init(&array, sizeof(*object));
	for (number = 0; number < 300; number++)
		*(uint32_t *)sparse_array_get(&array, number * 3) = number;
	for (number = 0; number < 300; number += 2)
		sparse_array_drop(&array, number * 3);
	SPARSE_ARRAY_EACH(&array, place, number, object) {
		ck_assert_uint_eq(number, *object * 3);
		ck_assert_uint_eq(*object % 2, 1);
		sparse_array_drop(&array, number);
		seen++;
	}
	ck_assert_uint_eq(seen, 150);
	ck_assert_uint_eq(array.count, 0);
	SPARSE_ARRAY_EACH(&array, place, number, object)
		ck_abort_msg("one was left");
	sparse_array_release(&array);
}
END_TEST

Suite *sparse_array_suite(void)
{
	Suite *suite = suite_create("sparse_array");
	TCase *tcase = tcase_create("sparse_array");

	tcase_add_test(tcase, what_is_asked_for_is_made_once);
	tcase_add_test(tcase, objects_stay_where_they_are);
	tcase_add_test(tcase, what_was_dropped_is_used_again);
	tcase_add_test(tcase, each_is_seen_once_though_it_is_dropped);
	suite_add_tcase(suite, tcase);
	return suite;
}
