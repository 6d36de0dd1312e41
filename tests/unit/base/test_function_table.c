/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/code/function_table.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static struct function_table table;

static void table_begin(void)
{
	function_table_init(&table, 1000);
}

static void table_end(void)
{
	function_table_release(&table);
}

static void add(const char *name, uint64_t begin, uint64_t size, enum function_binding binding)
{
	const struct function_to_add added = {begin, size, UINT64_MAX, binding, name, strlen(name)};

	function_table_add(&table, &added);
}

static const char *name_at(uint64_t address)
{
	const struct function *function = function_table_find(&table, address);

	return function ? function_table_name(&table, function) : "-";
}

START_TEST(test_ranges)
{
	add("second", 0x2000, 0x10, FUNCTION_LOCAL);
	add("first", 0x1000, 0x100, FUNCTION_GLOBAL);
	function_table_sort(&table);
	ck_assert_str_eq(name_at(0), "-");
	ck_assert_str_eq(name_at(0xfff), "-");
	ck_assert_str_eq(name_at(0x1000), "first");
	ck_assert_str_eq(name_at(0x10ff), "first");
	ck_assert_str_eq(name_at(0x1100), "-");
	ck_assert_str_eq(name_at(0x200f), "second");
	ck_assert_str_eq(name_at(0x2010), "-");
	ck_assert_str_eq(name_at(UINT64_MAX), "-");
}
END_TEST

START_TEST(test_empty)
{
	function_table_sort(&table);
	ck_assert_str_eq(name_at(0), "-");
	ck_assert_str_eq(name_at(UINT64_MAX), "-");
}
END_TEST

/* The innermost one; where it has ended, the one around it. */
START_TEST(test_nested)
{
	add("outer", 0x1000, 0x1000, FUNCTION_GLOBAL);
	add("inner", 0x1100, 0x100, FUNCTION_GLOBAL);
	add("innermost", 0x1110, 0x10, FUNCTION_GLOBAL);
	add("later", 0x1300, 0x10, FUNCTION_GLOBAL);
	add("label", 0x1400, 0, FUNCTION_GLOBAL);
	add("overlapping", 0x1ff0, 0x20, FUNCTION_GLOBAL);
	function_table_sort(&table);
	ck_assert_str_eq(name_at(0x1050), "outer");
	ck_assert_str_eq(name_at(0x1100), "inner");
	ck_assert_str_eq(name_at(0x1118), "innermost");
	ck_assert_str_eq(name_at(0x1120), "inner");
	ck_assert_str_eq(name_at(0x1200), "outer");
	ck_assert_str_eq(name_at(0x1308), "later");
	ck_assert_str_eq(name_at(0x1310), "outer");
	ck_assert_str_eq(name_at(0x1408), "outer");
	ck_assert_str_eq(name_at(0x1fff), "overlapping");
	ck_assert_str_eq(name_at(0x200f), "overlapping");
	ck_assert_str_eq(name_at(0x2010), "-");
}
END_TEST

/* As deep as a file says: the search is not as long. */
START_TEST(test_deeply_nested)
{
	for (uint64_t i = 0; i < 1000; i++)
		add("f", 0x1000 + i, 0x10000 - 2 * i, FUNCTION_GLOBAL);
	function_table_sort(&table);
	ck_assert_str_eq(name_at(0x1fff), "f");
	ck_assert_str_eq(name_at(0x1000 + 0x10000 - 1), "-");
}
END_TEST

/* Functions of assembler: to the next function, to the end of the section, not for ever. */
START_TEST(test_sizeless)
{
	const struct function_to_add last = {0x3000, 0, 0x3010, FUNCTION_LOCAL, "last", 4};

	add("label", 0x1000, 0, FUNCTION_GLOBAL);
	add("next", 0x1080, 0x10, FUNCTION_GLOBAL);
	add("alone", 0x10000, 0, FUNCTION_GLOBAL);
	function_table_add(&table, &last);
	function_table_sort(&table);
	ck_assert_str_eq(name_at(0x107f), "label");
	ck_assert_str_eq(name_at(0x1080), "next");
	ck_assert_str_eq(name_at(0x1090), "-");
	ck_assert_str_eq(name_at(0x300f), "last");
	ck_assert_str_eq(name_at(0x3010), "-");
	ck_assert_str_eq(name_at(0x10000 + FUNCTION_SIZELESS_BYTES_MAX - 1), "alone");
	ck_assert_str_eq(name_at(0x10000 + FUNCTION_SIZELESS_BYTES_MAX), "-");
}
END_TEST

/* One that begins where its section has ended, or ends where addresses do. */
START_TEST(test_ends)
{
	const struct function_to_add outside = {0x3010, 8, 0x3010, FUNCTION_LOCAL, "outside", 7};

	function_table_add(&table, &outside);
	add("highest", UINT64_MAX - 7, UINT64_MAX, FUNCTION_GLOBAL);
	function_table_sort(&table);
	ck_assert_str_eq(name_at(0x3010), "-");
	ck_assert_str_eq(name_at(UINT64_MAX - 7), "highest");
	ck_assert_str_eq(name_at(0), "-");
}
END_TEST

/* Names at one address, as C libraries have them; the first is told. */
#define NAMES_MAX 4
struct alias {
	const char *name;
	uint64_t size;
	enum function_binding binding;
};
static const struct alias aliases[][NAMES_MAX] = {
	{{"nanosleep", 8, FUNCTION_WEAK}, {"__nanosleep", 8, FUNCTION_GLOBAL},
         {"__GI___nanosleep", 8, FUNCTION_LOCAL}},
	{{"malloc", 8, FUNCTION_GLOBAL}, {"__libc_malloc", 8, FUNCTION_GLOBAL},
         {"__malloc", 8, FUNCTION_LOCAL}},
	{{"global", 8, FUNCTION_GLOBAL}, {"weak", 8, FUNCTION_WEAK}, {"local", 8, FUNCTION_LOCAL}},
	{{"__sized", 8, FUNCTION_LOCAL}, {"label", 0, FUNCTION_GLOBAL}},
	{{"first", 8, FUNCTION_GLOBAL}},
};

START_TEST(test_best_name)
{
	const struct alias *names = aliases[_i];

	for (size_t first = 0; first < NAMES_MAX; first++) {
		function_table_release(&table);
		table_begin();
		for (size_t i = 0; i < NAMES_MAX; i++) {
			const struct alias *alias = &names[(first + i) % NAMES_MAX];

			if (alias->name)
				add(alias->name, 0x1000, alias->size, alias->binding);
		}
		function_table_sort(&table);
		ck_assert_str_eq(name_at(0x1001), names[0].name);
		ck_assert_uint_eq(table.count, 1);
	}
}
END_TEST

START_TEST(test_names)
{
	static char longest[FUNCTION_NAME_BYTES_MAX + 2];

	memset(longest, 'x', sizeof(longest) - 1);
	add("memcpy@@GLIBC_2.14", 0x1000, 8, FUNCTION_GLOBAL);
	add("memcpy@GLIBC_2.2.5", 0x2000, 8, FUNCTION_GLOBAL);
	add("@odd", 0x3000, 8, FUNCTION_GLOBAL);
	add("", 0x4000, 8, FUNCTION_GLOBAL);
	add(longest, 0x5000, 8, FUNCTION_GLOBAL);
	add(longest + 1, 0x6000, 8, FUNCTION_GLOBAL);
	function_table_sort(&table);
	ck_assert_str_eq(name_at(0x1000), "memcpy");
	ck_assert_str_eq(name_at(0x2000), "memcpy");
	ck_assert_str_eq(name_at(0x3000), "@odd");
	ck_assert_str_eq(name_at(0x4000), "-");
	ck_assert_str_eq(name_at(0x5000), "-");
	ck_assert_str_eq(name_at(0x6000), longest + 1);
}
END_TEST

START_TEST(test_limit)
{
	for (uint64_t i = 0; i < 1100; i++)
		add("f", 0x1000 + i * 16, 16, FUNCTION_GLOBAL);
	function_table_sort(&table);
	ck_assert_uint_eq(table.count, 1000);
}
END_TEST

Suite *function_table_suite(void)
{
	Suite *suite = suite_create("function_table");
	TCase *tcase = tcase_create("function_table");

	tcase_add_checked_fixture(tcase, table_begin, table_end);
	tcase_add_test(tcase, test_ranges);
	tcase_add_test(tcase, test_empty);
	tcase_add_test(tcase, test_nested);
	tcase_add_test(tcase, test_deeply_nested);
	tcase_add_test(tcase, test_sizeless);
	tcase_add_test(tcase, test_ends);
	tcase_add_loop_test(tcase, test_best_name, 0, (int)ARRAY_SIZE(aliases));
	tcase_add_test(tcase, test_names);
	tcase_add_test(tcase, test_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}
