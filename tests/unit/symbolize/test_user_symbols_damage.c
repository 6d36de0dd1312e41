/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are damaged, or made to hurt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <elf.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "suites.h"
#include "symbolize/demangle.h"
#include "symfs_fixture.h"
#include "unit/memory_peak.h"

START_TEST(test_bounds)
{
	const char *lines;

	if (is_skipped("bounds"))
		return;
	write_program("bin/prog", &whole_program);
	for (int i = 0; i < USER_SYMBOLS_FILES_MAX - 1; i++) {
		_cleanup_(freep) char *path = xasprintf("/missing/%d", i);

		ck_assert(!user_symbols_find(symbols, path, HEX_ID, 0));
	}
	ck_assert_str_eq(name_of(HEX_ID, 0), "first");
	ck_assert_str_eq(name_of(NULL, 0), "-"); /* one too many */
	ck_assert_str_eq(name_of(HEX_ID, 0), "first");
	lines = lines_reported();
	ck_assert_ptr_eq(strstr(lines, "/missing/0: not found below --symfs\n"), lines);
	ck_assert_ptr_nonnull(strstr(lines, "/missing/30: not found below --symfs\n"
	                                         "at least 4064 more files without names, or with "
	                                         "doubtful ones\n"));
}
END_TEST

START_TEST(test_long_name)
{
	static char name[3000];
	struct built_symbol symbol[] = {
		{name, BUILT_TEXT_ADDRESS, 8, STT_FUNC, STB_GLOBAL, false}, {0}};
	struct built_program program = {.build_id = ID, .symbol = symbol};
	const char *found;

	if (is_skipped("a long name"))
		return;
	memset(name, 'x', sizeof(name) - 1);
	write_program("bin/prog", &program);
	found = name_of(HEX_ID, 0);
	ck_assert_uint_eq(strlen(found), SYMBOL_NAME_MAX);
	ck_assert_str_eq(found + SYMBOL_NAME_MAX - 4, "x...");
}
END_TEST

/* 300 MB of zeros in 44 KB. */
START_TEST(test_mini_debug_bomb)
{
	_cleanup_(freep) char *command =
		xasprintf("head -c 300M /dev/zero | xz -0 > %s/packed 2> /dev/null", symfs_folder);
	_cleanup_(freep) char *path = xasprintf("%s/packed", symfs_folder);
	struct built_program program = stripped_program;
	static char bytes[1u << 18];
	struct buffer packed;
	size_t before;
	FILE *file;

	if (is_skipped("a bomb"))
		return;
	buffer_init(&packed, BUFFER_LIMIT_DEFAULT);
	(void)system(command);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	buffer_append(&packed, bytes, fread(bytes, 1, sizeof(bytes), file));
	ck_assert_int_eq(fclose(file), 0);
	if (packed.length < 1000)
		printf("SKIP user_symbols, a bomb: no xz\n");
	program.packed = &packed;
	write_program("bin/prog", &program);
	before = memory_peak_mib();
	ck_assert_str_eq(name_of(HEX_ID, 0x20), "-");
	memory_check(before, 80);
	buffer_release(&packed);
}
END_TEST

/* Whatever is there, a name is the right one or none. */
static void check_damaged(const char *bytes, size_t length, bool may_be_renamed)
{
	static const uint64_t offsets[] = {0, 0x20, 0x50, 0x70, 0xa8, 0xff8};

	write_bytes("bin/prog", bytes, length);
	symbols_again(symfs_folder);
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		const char *name = name_of(HEX_ID, offsets[i]);

		ck_assert(strlen(name) > 0 && strlen(name) <= SYMBOL_NAME_MAX);
		if (i == 1 && !may_be_renamed)
			ck_assert(strcmp(name, "hidden") == 0 || strcmp(name, "-") == 0);
	}
	(void)lines_reported();
}

/* Programs of either class, with all that leads on. */
static void build_damageable(struct buffer *to, int which, const struct buffer *packed)
{
	struct built_program program = whole_program;

	program.symbol = which & 1 ? whole_symbols : NULL;
	program.is_narrow = which & 2;
	program.is_big = which & 4;
	program.link = "prog.debug";
	program.packed = packed;
	buffer_clear(to);
	elf_build(&program, to);
}

START_TEST(test_truncated)
{
	struct buffer bytes;

	if (is_skipped("truncated programs"))
		return;
	write_program("bin/prog.debug", &debug_file_program);
	buffer_init(&bytes, BUFFER_LIMIT_DEFAULT);
	build_damageable(&bytes, _i, NULL);
	for (size_t length = 0; length < bytes.length; length += 64)
		check_damaged(bytes.text, length, false);
	check_damaged(bytes.text, bytes.length - 1, false);
	buffer_release(&bytes);
}
END_TEST

/* Of the code nothing is read: what is damaged is around it. */
static size_t random_place(const struct buffer *bytes, unsigned *seed)
{
	size_t place = (size_t)rand_r(seed) % (bytes->length - BUILT_TEXT_BYTES);

	return place < BUILT_TEXT_OFFSET ? place : place + BUILT_TEXT_BYTES;
}

START_TEST(test_flipped)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	unsigned seed = (unsigned)time(NULL) ^ (unsigned)getpid();
	struct buffer bytes, packed;

	if (is_skipped("damaged programs"))
		return;
	if (getenv("SYMBOLS_SEED"))
		seed = (unsigned)atoi(getenv("SYMBOLS_SEED"));
	printf("seed of user_symbols' damage: SYMBOLS_SEED=%u\n", seed);
	(void)fflush(stdout);
	write_program("bin/prog.debug", &debug_file_program);
	buffer_init(&bytes, BUFFER_LIMIT_DEFAULT);
	buffer_init(&packed, BUFFER_LIMIT_DEFAULT);
	elf_build(&debug_file_program, &bytes);
	(void)pack_bytes(bytes.text, bytes.length, &packed);
	for (int run = 0; run < 3000; run++) {
		build_damageable(&bytes, rand_r(&seed) % 8, &packed);
		for (int i = rand_r(&seed) % 4; i >= 0; i--) {
			size_t place = random_place(&bytes, &seed);

			if (rand_r(&seed) & 1)
				bytes.text[place] ^= (char)(1 << rand_r(&seed) % 8);
			else
				bytes.text[place] = (char)values[rand_r(&seed) % 5];
		}
		check_damaged(bytes.text, bytes.length, true);
	}
	buffer_release(&bytes);
	buffer_release(&packed);
}
END_TEST

/* Sizes and counts that claim all there is; memory is not taken for them. */
START_TEST(test_claims)
{
	static const size_t fields[] = {
		0x28, 0x30, 0x38, 0x3a, 0x3c, 0x3e, /* of the header */
		0x40, 0x48, 0x60,                   /* of the program's part */
	};
	_cleanup_(freep) char *path = xasprintf("%s/bin/prog", symfs_folder);
	struct buffer bytes;
	size_t before;

	if (is_skipped("claims"))
		return;
	buffer_init(&bytes, BUFFER_LIMIT_DEFAULT);
	write_program("bin/prog", &whole_program);
	before = memory_peak_mib();
	for (size_t i = 0; i < ARRAY_SIZE(fields) * 2; i++) {
		build_damageable(&bytes, 1, NULL);
		memset(bytes.text + fields[i / 2], i & 1 ? 0xff : 0, 2);
		write_bytes("bin/prog", bytes.text, bytes.length);
		/* most of the file is a hole */
		ck_assert_int_eq(truncate(path, (off_t)4 << 30), 0);
		symbols_again(symfs_folder);
		(void)name_of(HEX_ID, 0);
	}
	memory_check(before, 100);
	buffer_release(&bytes);
}
END_TEST

Suite *user_symbols_damage_suite(void)
{
	Suite *suite = suite_create("user_symbols_damage");
	TCase *tcase = tcase_create("damage");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, symfs_begin, symfs_end);
	tcase_add_test(tcase, test_bounds);
	tcase_add_test(tcase, test_long_name);
	tcase_add_test(tcase, test_mini_debug_bomb);
	tcase_add_loop_test(tcase, test_truncated, 0, 8);
	tcase_add_test(tcase, test_flipped);
	tcase_add_test(tcase, test_claims);
	suite_add_tcase(suite, tcase);
	return suite;
}
