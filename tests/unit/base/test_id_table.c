/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/id_table.h"

#include "suites.h"

static const uint64_t ids[] = {
	0, 1, 1023, 1024, 32768, ID_TABLE_DIRECT - 1, ID_TABLE_DIRECT, INT32_MAX, UINT64_MAX,
};
#define ID_COUNT (sizeof(ids) / sizeof(ids[0]))

START_TEST(numbers_of_all_sizes_are_found_again)
{
	struct id_table table;

	id_table_init(&table);
	for (uint32_t i = 0; i < ID_COUNT; i++) {
		ck_assert_uint_eq(id_table_get(&table, ids[i]), ID_TABLE_NONE);
		id_table_put(&table, ids[i], i);
	}
	for (uint32_t i = 0; i < ID_COUNT; i++)
		ck_assert_uint_eq(id_table_get(&table, ids[i]), i);
	ck_assert_uint_eq(id_table_get(&table, 2), ID_TABLE_NONE);
	id_table_release(&table);
}
END_TEST

START_TEST(the_last_value_counts)
{
	struct id_table table;

	id_table_init(&table);
	for (uint32_t i = 0; i < ID_COUNT; i++) {
		id_table_put(&table, ids[i], 7);
		id_table_put(&table, ids[i], 0);
		ck_assert_uint_eq(id_table_get(&table, ids[i]), 0);
	}
	id_table_release(&table);
}
END_TEST

START_TEST(what_is_dropped_is_not_found)
{
	struct id_table table;

	id_table_init(&table);
	for (uint32_t i = 0; i < ID_COUNT; i++) {
		id_table_drop(&table, ids[i]); /* it is not there */
		id_table_put(&table, ids[i], i);
		id_table_drop(&table, ids[i]);
		ck_assert_uint_eq(id_table_get(&table, ids[i]), ID_TABLE_NONE);
	}
	id_table_release(&table);
}
END_TEST

Suite *id_table_suite(void)
{
	Suite *suite = suite_create("id_table");
	TCase *tcase = tcase_create("id_table");

	tcase_add_test(tcase, numbers_of_all_sizes_are_found_again);
	tcase_add_test(tcase, the_last_value_counts);
	tcase_add_test(tcase, what_is_dropped_is_not_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
