/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/user_frames.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "suites.h"
#include "symbolize/demangle.h"
#include "symbolize/user_symbols.h"

static const struct user_file files[] = {
	{.path = "/nowhere/prog"},
	{.path = "/nowhere/lib.so (deleted)"},
	{.path = "[vdso]"},
	{.path = "/nowhere/ends;here/"},
};
static const struct user_map early[] = {
	{.begin = 0x1000, .end = 0x2000, .offset = 0x500, .file = 0},
	{.begin = 0x2000, .end = 0x3000, .offset = 0, .file = 1},
	{.begin = 0x8000, .end = 0x9000, .file = 3},
	{.begin = 0xa000, .end = 0xb000, .file = ARRAY_SIZE(files)},
	{.begin = UINT64_MAX - 16, .end = UINT64_MAX, .offset = 16, .file = 0},
};
static const struct user_map late[] = {
	{.begin = 0x1000, .end = 0x2000, .offset = 0, .file = 1},
	{.begin = 0x5000, .end = 0x6000, .offset = 0, .file = 1},
};
static const struct user_map last[] = {{.begin = 0x7000, .end = 0x8000, .file = 1}};
static const struct user_jit jits[] = {
	{.begin = 0x5000, .size = 0x100, .reach = 0x5100, .name = "outer;run"},
	{.begin = 0x50e0, .size = 0x20, .reach = 0x5100, .name = "inner", .number = 1},
	{.begin = UINT64_MAX - 1, .size = 1, .reach = UINT64_MAX, .name = "top", .number = 2},
};
static const struct noted_variable variables[] = {
	{.address = 0x2800, .name = "_ZN2ns5locksE", .within = 0x28},
	{.address = 0x2900, .name = "plain;lock"},
	{.address = 0x2a00},
};
static const struct user_maps sets[] = {
	{.tgid = 5, .seen = 50, .map = last, .map_count = 1},
	{.tgid = 10, .seen = 100, .map = early, .map_count = ARRAY_SIZE(early),
	 .variable = variables, .variable_count = ARRAY_SIZE(variables)},
	{.tgid = 10, .seen = 200, .map = late, .map_count = ARRAY_SIZE(late),
	 .jit = jits, .jit_count = ARRAY_SIZE(jits)},
	{.tgid = 10, .seen = 300, .map = last, .map_count = 1},
	{.tgid = 10, .seen = 400},
	{.tgid = 11, .seen = 0, .map = last, .map_count = 1},
};
static const struct recording_notes notes = {
	.user_files.item = files,
	.user_files.count = ARRAY_SIZE(files),
	.user_maps.item = sets,
	.user_maps.count = ARRAY_SIZE(sets),
};
static struct user_frames *frames;

static void frames_setup(void)
{
	frames = user_frames_new(&notes, NULL);
	ck_assert_ptr_nonnull(frames);
}

static void frames_teardown(void)
{
	frames = user_frames_free(frames);
}

/* NULL: nothing is known to be there. */
static void check_name(int32_t tgid, nsec_t time, uint64_t address, bool is_return,
                       const char *expected)
{
	struct buffer name;
	bool is_there;

	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	is_there = user_frames_name(frames, tgid, time, address, is_return, &name);
	ck_assert_int_eq(is_there, expected != NULL);
	ck_assert_str_eq(name.text, expected ? expected : "");
	buffer_release(&name);
}

START_TEST(file_and_offset)
{
	check_name(10, 150, 0x1000, false, "prog+0x500");
	check_name(10, 150, 0x1fff, false, "prog+0x14ff");
	check_name(10, 150, 0x2000, false, "lib.so (deleted)+0x0");
	check_name(10, 150, 0xfff, false, NULL);
	check_name(10, 150, 0x3000, false, NULL);
	check_name(10, 150, 0, false, NULL);
	check_name(10, 150, UINT64_MAX, false, NULL);
	check_name(10, 150, UINT64_MAX - 16, false, "prog+0x10");
	/* no byte of a name may look like the end of a function */
	check_name(10, 150, 0x8001, false, "/nowhere/ends:here/+0x1");
}
END_TEST

START_TEST(a_call_may_come_last)
{
	check_name(10, 150, 0x1001, true, "prog+0x500");
	check_name(10, 150, 0x2000, true, "prog+0x14ff");
	check_name(10, 150, 0x3000, true, "lib.so (deleted)+0xfff");
	check_name(10, 150, 0x1000, true, NULL);
	check_name(10, 150, 0, true, NULL);
}
END_TEST

START_TEST(maps_of_the_time)
{
	/* before any was seen: the first that holds the address */
	check_name(10, 0, 0x1000, false, "prog+0x500");
	check_name(10, 99, 0x7000, false, "lib.so (deleted)+0x0");
	check_name(10, 100, 0x1000, false, "prog+0x500");
	check_name(10, 199, 0x1000, false, "prog+0x500");
	check_name(10, 200, 0x1000, false, "lib.so (deleted)+0x0");
	/* what was seen later, where nothing was known of it then */
	check_name(10, 150, 0x7000, false, "lib.so (deleted)+0x0");
	/* else the youngest of what was before */
	check_name(10, 350, 0x1000, false, "lib.so (deleted)+0x0");
	check_name(10, 350, 0x2000, false, "lib.so (deleted)+0x0");
	check_name(10, NSEC_NEVER, 0x1000, false, "lib.so (deleted)+0x0");
	check_name(10, NSEC_NEVER, 0x9000, false, NULL);
}
END_TEST

/* No program of these is there: nothing is known, and nothing is read beyond the maps. */
START_TEST(no_variables)
{
	static const struct {
		int32_t tgid;
		nsec_t time;
		uint64_t address;
	} rows[] = {
		{10, 150, 0x2801}, {10, 250, 0x2800}, {10, 150, 0x2a00}, {10, 150, 0xa800},
		{10, 150, 0x10}, {10, 450, 0x1800}, {12, 100, 0x1800},
		{4, 100, 0x1800}, {10, 150, UINT64_MAX},
	};
	struct buffer name;

	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		ck_assert(!user_frames_name_variable(frames, rows[i].tgid, rows[i].time,
		                                     rows[i].address, &name));
	ck_assert_str_eq(name.text, "");
	buffer_release(&name);
}
END_TEST

static void check_variable(nsec_t time, uint64_t address, const char *expected)
{
	struct buffer name;

	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	ck_assert(user_frames_name_variable(frames, 10, time, address, &name));
	ck_assert_str_eq(name.text, expected);
	buffer_release(&name);
}

/* The recorder's note needs no file, and is that of the program of the time. */
START_TEST(noted_variables)
{
	check_variable(150, 0x2800, demangle_is_able() ? "ns::locks+0x28" : "_ZN2ns5locksE+0x28");
	check_variable(0, 0x2900, "plain:lock");
}
END_TEST

/* Which files would have had more names; the first one, and how many more. A program without libelf
   reads no file, and says that instead. */
START_TEST(missing_variables_are_noted)
{
	_cleanup_(health_release) struct health health = {0};
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	check_variable(0, 0x2900, "plain:lock");
	(void)user_frames_name_variable(frames, 10, 150, 0x2a00, &name);
	user_frames_note(frames, &health);
	if (!user_symbols_is_able()) {
		ck_assert_uint_eq(health.note_count, 1);
		ck_assert_ptr_nonnull(strstr(health.notes[0], "built without libelf"));
		return;
	}
	ck_assert_uint_eq(health.note_count, 0);
	(void)user_frames_name_variable(frames, 10, 150, 0x1800, &name);
	(void)user_frames_name_variable(frames, 10, 150, 0x2801, &name);
	user_frames_note(frames, &health);
	ck_assert_uint_eq(health.note_count, 1);
	ck_assert_ptr_nonnull(strstr(health.notes[0], "/nowhere/prog: not found"));
	ck_assert_ptr_nonnull(strstr(health.notes[0], "; and 1 more file"));
}
END_TEST

START_TEST(maps_of_the_process)
{
	check_name(5, 10, 0x7000, false, "lib.so (deleted)+0x0");
	check_name(5, 10, 0x1000, false, NULL);
	check_name(5, 100, 0x1000, false, NULL);
	check_name(11, 0, 0x1000, false, NULL);
	check_name(11, 500, 0x1000, false, NULL);
	check_name(4, 100, 0x7000, false, NULL);
	check_name(7, 100, 0x7000, false, NULL);
	check_name(12, 100, 0x7000, false, NULL);
	check_name(0, 100, 0x7000, false, NULL);
	check_name(-1, 100, 0x7000, false, NULL);
}
END_TEST

START_TEST(generated_functions_come_first)
{
	check_name(10, 250, 0x5000, false, "outer:run");
	check_name(10, 250, 0x50df, false, "outer:run");
	check_name(10, 250, 0x50e0, false, "inner");
	check_name(10, 250, 0x50e0, true, "outer:run");
	check_name(10, 250, 0x5100, true, "inner");
	check_name(10, 250, 0x5100, false, "lib.so (deleted)+0x100");
	check_name(10, 250, UINT64_MAX, true, "top");
}
END_TEST

START_TEST(files_that_are_none)
{
	check_name(10, 150, 0xa000, false, NULL);
}
END_TEST

/* Stacks of one period have the same names. */
START_TEST(periods_change_with_maps)
{
	ck_assert_uint_eq(user_frames_period(frames, 10, 100), user_frames_period(frames, 10, 199));
	ck_assert_uint_ne(user_frames_period(frames, 10, 99), user_frames_period(frames, 10, 100));
	ck_assert_uint_ne(user_frames_period(frames, 10, 199), user_frames_period(frames, 10, 200));
}
END_TEST

Suite *user_frames_suite(void)
{
	Suite *suite = suite_create("user_frames");
	TCase *tests = tcase_create("user_frames");

	tcase_add_checked_fixture(tests, frames_setup, frames_teardown);
	tcase_add_test(tests, file_and_offset);
	tcase_add_test(tests, a_call_may_come_last);
	tcase_add_test(tests, maps_of_the_time);
	tcase_add_test(tests, maps_of_the_process);
	tcase_add_test(tests, no_variables);
	tcase_add_test(tests, noted_variables);
	tcase_add_test(tests, missing_variables_are_noted);
	tcase_add_test(tests, generated_functions_come_first);
	tcase_add_test(tests, files_that_are_none);
	tcase_add_test(tests, periods_change_with_maps);
	suite_add_tcase(suite, tests);
	return suite;
}
