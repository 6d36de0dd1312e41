/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs made here, of both classes and byte orders, and damaged ones. */
#include <elf.h>
#include <string.h>

#include "base/data/array.h"
#include "recorder/programs/elf_variables.h"
#include "suites.h"
#include "unit/symbolize/elf_builder.h"

#define MAPPED_AT 0x70000000u
#define DATA      (BUILT_TEXT_ADDRESS + 0x400)

static const struct built_symbol symbols[] = {
	{"first", BUILT_TEXT_ADDRESS, 0x20, STT_FUNC, STB_GLOBAL, false},
	{"__locks", DATA, 0x40, STT_OBJECT, STB_GLOBAL, false},
	{"locks", DATA, 0x40, STT_OBJECT, STB_LOCAL, false},
	{"inner@@VERSION_1", DATA + 0x10, 0x8, STT_OBJECT, STB_GLOBAL, false},
	{"elsewhere", DATA + 0x20, 0x8, STT_OBJECT, STB_GLOBAL, true},
	{"of_thread", DATA + 0x30, 0x8, STT_TLS, STB_GLOBAL, false},
	{"beyond", BUILT_TEXT_ADDRESS + BUILT_TEXT_BYTES, 8, STT_OBJECT, STB_GLOBAL, false},
	{0},
};
static const struct built_symbol exported[] = {
	{"shared", DATA, 0x20, STT_OBJECT, STB_GLOBAL, false},
	{0},
};
static const uint64_t wanted[] = {DATA, DATA + 0x12, DATA + 0x28, DATA + 0x38, DATA + 0x40,
                                  BUILT_TEXT_ADDRESS,
                                  BUILT_TEXT_ADDRESS + BUILT_TEXT_BYTES};

static struct buffer image;
static unsigned reads;
static struct elf_variables variables;
static struct user_place place[ARRAY_SIZE(wanted)];

static void setup(void)
{
	buffer_init(&image, 1u << 20);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		place[i] = (struct user_place){
			MAPPED_AT, 0,
			MAPPED_AT + wanted[i] - BUILT_TEXT_ADDRESS + BUILT_TEXT_OFFSET};
}

static void teardown(void)
{
	buffer_release(&image);
}

static int64_t image_read(void *state, void *to, size_t size, uint64_t offset)
{
	const struct buffer *from = state;
	size_t left = offset < from->length ? from->length - (size_t)offset : 0;

	reads++;
	size = size < left ? size : left;
	if (size > 0)
		memcpy(to, from->text + offset, size);
	return (int64_t)size;
}

static int look(void)
{
	reads = 0;
	return elf_variables_read(&variables, image_read, &image, place, ARRAY_SIZE(place));
}

static void build(struct built_program program, int number)
{
	program.is_narrow = number & 1;
	program.is_big = number & 2;
	program.machine = EM_X86_64;
	buffer_clear(&image);
	elf_build(&program, &image);
}

static void check(size_t at, const char *name, uint64_t offset)
{
	uint64_t within = 0;
	const char *found = elf_variables_name(&variables, &place[at], &within);

	ck_assert_int_eq(found != NULL, name != NULL);
	if (name)
		ck_assert_str_eq(found, name);
	ck_assert_uint_eq(within, offset);
}

START_TEST(variables_are_found)
{
	build((struct built_program){.symbol = symbols, .is_writable = true}, _i);
	ck_assert_int_eq(look(), 0);
	ck_assert(variables.has_all);
	check(0, "locks", 0);
	check(1, "inner", 2);
	check(2, "locks", 0x28);
	check(3, "locks", 0x38);
	check(4, NULL, 0);
	check(5, NULL, 0);
	check(6, NULL, 0);
	elf_variables_release(&variables);
}
END_TEST

START_TEST(constants_are_no_locks)
{
	build((struct built_program){.symbol = symbols}, _i);
	ck_assert_int_eq(look(), 0);
	ck_assert(variables.has_all);
	check(0, NULL, 0);
	elf_variables_release(&variables);
}
END_TEST

/* Its debug file may know more. */
START_TEST(a_stripped_program_has_what_it_exports)
{
	build((struct built_program){.exported = exported, .is_writable = true}, _i);
	ck_assert_int_eq(look(), 0);
	ck_assert(!variables.has_all);
	check(0, "shared", 0);
	check(2, NULL, 0);
	elf_variables_release(&variables);
}
END_TEST

/* Any byte of it may be anything, and it may end anywhere: it comes to an end. */
START_TEST(damage_is_survived)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	const struct built_program program = {.symbol = symbols, .is_writable = true};

	build(program, _i);
	for (size_t at = 0; at < image.length; at++) {
		char good = image.text[at];
		size_t length = image.length;

		if (at >= BUILT_TEXT_OFFSET && at < BUILT_TEXT_OFFSET + BUILT_TEXT_BYTES)
			continue;
		for (size_t i = 0; i < sizeof(values); i++) {
			image.text[at] = (char)values[i];
			(void)look();
			ck_assert_uint_lt(reads, 10000);
			elf_variables_release(&variables);
		}
		image.text[at] = good;
		image.length = at;
		(void)look();
		elf_variables_release(&variables);
		image.length = length;
	}
	ck_assert_int_eq(look(), 0);
	check(0, "locks", 0);
	elf_variables_release(&variables);
}
END_TEST

Suite *elf_variables_suite(void)
{
	Suite *suite = suite_create("elf_variables");
	TCase *tests = tcase_create("elf_variables");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, variables_are_found, 0, 4);
	tcase_add_loop_test(tests, constants_are_no_locks, 0, 4);
	tcase_add_loop_test(tests, a_stripped_program_has_what_it_exports, 0, 4);
	tcase_add_loop_test(tests, damage_is_survived, 0, 4);
	suite_add_tcase(suite, tests);
	return suite;
}
