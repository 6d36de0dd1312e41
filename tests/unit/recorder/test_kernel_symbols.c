/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/programs/symbol_lists.h"
#include "suites.h"

/* The kernel in order, with data in between; then modules, below and above, in none. */
static const char kallsyms[] =
	"0000000000001000 T _stext\n"
	"0000000000001000 T first\n"
	"0000000000001100 t second\n"
	"0000000000001100 d a_table\n"
	"0000000000001200 t .L0\n"
	"0000000000001300 T third\n"
	"0000000000009000 D data\n"
	"0000000000000500 t low_b\t[low]\n"
	"0000000000000400 t low_a\t[low]\n"
	"0000000000000600 t low_c\t[low]\n"
	"000000000000a200 t high_b\t[high]\n"
	"000000000000a100 t high_a\t[high]\n"
	"000000000000a300 t high_c\t[high]\n";

static int file_of(const char *text)
{
	int fd = memfd_create("kallsyms", 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void check_pick(const char *text, const uint64_t *address, size_t count,
                       const char *expected)
{
	const struct symbol_wishes wishes = {.function = address, .function_count = count};
	struct buffer found;
	int fd = file_of(text);

	buffer_init(&found, BUFFER_LIMIT_DEFAULT);
	ck_assert_int_eq(kernel_symbols_pick_from(fd, &wishes, &found), 0);
	ck_assert_str_eq(found.length ? found.text : "", expected);
	buffer_release(&found);
	(void)close(fd);
}

#define CHECK_PICK(text, expected, ...)                                           \
	do {                                                                      \
		static const uint64_t address_[] = {__VA_ARGS__};                 \
		check_pick(text, address_, ARRAY_SIZE(address_), expected);       \
	} while (0)

START_TEST(the_function_that_an_address_lies_in)
{
	CHECK_PICK(kallsyms, "0000000000001100 t second\n", 0x1100);
	CHECK_PICK(kallsyms, "0000000000001100 t second\n", 0x1250);
	CHECK_PICK(kallsyms, "0000000000001100 t second\n", 0x1101, 0x12ff);
	CHECK_PICK(kallsyms, "0000000000001300 T third\n", 0x1300);
	CHECK_PICK(kallsyms, "", 0x3ff);
}
END_TEST

/* Only where it begins: what lies in it has a name that nobody knows. */
START_TEST(variables_by_their_address)
{
	static const uint64_t function[] = {0x1101};
	static const uint64_t object[] = {0x1000, 0x1100, 0x8fff, 0x9000, 0x9001};
	const struct symbol_wishes wishes = {function, 1, object, ARRAY_SIZE(object)};
	struct buffer found;
	int fd = file_of(kallsyms);

	buffer_init(&found, BUFFER_LIMIT_DEFAULT);
	ck_assert_int_eq(kernel_symbols_pick_from(fd, &wishes, &found), 0);
	ck_assert_str_eq(found.text, "0000000000001100 t second\n0000000000001100 d a_table\n"
	                             "0000000000009000 D data\n");
	buffer_release(&found);
	(void)close(fd);
}
END_TEST

START_TEST(all_names_of_an_address)
{
	CHECK_PICK(kallsyms, "0000000000001000 T _stext\n0000000000001000 T first\n", 0x1001);
}
END_TEST

START_TEST(modules_stand_in_no_order)
{
	CHECK_PICK(kallsyms, "0000000000000400 t low_a\t[low]\n0000000000000500 t low_b\t[low]\n",
	           0x4ff, 0x500);
	CHECK_PICK(kallsyms,
	           "0000000000000600 t low_c\t[low]\n0000000000001100 t second\n"
	           "000000000000a100 t high_a\t[high]\n000000000000a200 t high_b\t[high]\n"
	           "000000000000a300 t high_c\t[high]\n",
	           0x6ff, 0x1150, 0xa1ff, 0xa200, 0xa300);
}
END_TEST

START_TEST(hidden_addresses_name_nothing)
{
	CHECK_PICK("0000000000000000 T first\n0000000000000000 t second\n", "", 0x10, 0x1000);
	CHECK_PICK("", "", 0x10);
	check_pick(kallsyms, NULL, 0, "");
}
END_TEST

/* By a model: for each address the greatest begin at or below it. */
START_TEST(any_order_gives_the_same)
{
	enum { FUNCTIONS = 300, ADDRESSES = 200, ROUNDS = 50 };
	unsigned seed = 1;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t begin[FUNCTIONS], address[ADDRESSES], before = 0;
		struct buffer text, expected;
		unsigned runs = (unsigned)round % 5 + 1;

		buffer_init(&text, BUFFER_LIMIT_DEFAULT);
		buffer_init(&expected, BUFFER_LIMIT_DEFAULT);
		for (size_t i = 0; i < FUNCTIONS; i++) {
			begin[i] = 16 + i * 16;
			address[i % ADDRESSES] = 0;
		}
		/* some runs, each in order, one within the other */
		for (unsigned run = 0; run < runs; run++)
			for (size_t i = run; i < FUNCTIONS; i += runs)
				buffer_printf(&text, "%016llx t f%zu\n",
				              (unsigned long long)begin[i], i);
		for (size_t i = 0; i < ADDRESSES; i++) {
			before += (uint64_t)rand_r(&seed) % 60;
			address[i] = before;
		}
		before = 0;
		for (size_t i = 0; i < ADDRESSES; i++) {
			uint64_t owner = address[i] / 16 * 16;

			if (owner > 16 * FUNCTIONS)
				owner = 16 * FUNCTIONS;
			if (owner != before && owner > 0)
				buffer_printf(&expected, "%016llx t f%llu\n",
				              (unsigned long long)owner,
				              (unsigned long long)owner / 16 - 1);
			before = owner;
		}
		check_pick(text.text, address, ADDRESSES, expected.text);
		buffer_release(&text);
		buffer_release(&expected);
	}
}
END_TEST

/* Lines that lie across the pieces in which the file is read. */
START_TEST(a_file_of_many_pieces)
{
	enum { LINES = 20000 };
	struct buffer text;
	uint64_t address[LINES];

	buffer_init(&text, 4 * BUFFER_LIMIT_DEFAULT);
	for (unsigned i = 0; i < LINES; i++) {
		address[i] = 0x1000 + i * 8;
		buffer_printf(&text, "%016llx t function_number_%u\n",
		              (unsigned long long)address[i], i);
	}
	check_pick(text.text, address, LINES, text.text);
	buffer_release(&text);
}
END_TEST

Suite *kernel_symbols_suite(void)
{
	Suite *suite = suite_create("kernel_symbols");
	TCase *tests = tcase_create("kernel_symbols");

	tcase_add_test(tests, the_function_that_an_address_lies_in);
	tcase_add_test(tests, variables_by_their_address);
	tcase_add_test(tests, all_names_of_an_address);
	tcase_add_test(tests, modules_stand_in_no_order);
	tcase_add_test(tests, hidden_addresses_name_nothing);
	tcase_add_test(tests, any_order_gives_the_same);
	tcase_add_test(tests, a_file_of_many_pieces);
	suite_add_tcase(suite, tests);
	return suite;
}
