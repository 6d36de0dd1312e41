/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/state_letters.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

#define REPORT_MASK "((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040)"   \
		    " + 1) << 1)"
#define PRINT(preempted)                                                                           \
	"(REC->prev_state & " REPORT_MASK " - 1)) ? __print_flags(REC->prev_state & " REPORT_MASK  \
	" - 1), \"|\", { 0x01, \"S\" }, { 0x02, \"D\" }, { 0x04, \"T\" }, { 0x08, \"t\" }, "       \
	"{ 0x10, \"X\" }, { 0x20, \"Z\" }, { 0x40, \"P\" }, { 0x80, \"I\" }) : \"R\", "            \
	"REC->prev_state & " preempted " ? \"+\" : \"\", REC->next_comm"
#define PRINT_REPORT PRINT(REPORT_MASK ")")
#define PRINT_4_14_0 PRINT("0x1000")
#define PRINT_OLD(preempted, more)                                                                 \
	"REC->prev_state & (" preempted "-1) ? __print_flags(REC->prev_state & (" preempted "-1)," \
	" \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, "          \
	"{ 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }" more ") "    \
	": \"R\", REC->prev_state & " preempted " ? \"+\" : \"\""
#define PRINT_3_10 PRINT_OLD("1024", "")
#define PRINT_4_4  PRINT_OLD("2048", ", { 1024, \"N\" }")
#define PRINT_4_9  PRINT_OLD("4096", ", { 1024, \"N\" }")

#define BITS    "R\0S\1D\2T\4t\10X\20Z\40P\100I\200"
#define INDEX   "R\0S\1D\2T\3t\4X\5Z\6P\7I\10"
#define SHIFTED "R\1S\2D\4T\10t\20X\40Z\100P\200"

/* Each kernel and, in pairs, what it records and what that means. */
static const struct kernel {
	const char *print, *release;
	const char *pairs;
	size_t pair_count;
	bool is_open;
} kernels[] = {
	{PRINT_REPORT, "6.18.5-fc-v12", BITS, 9, false},
	{PRINT_REPORT, "5.0.0", BITS, 9, false},
	{PRINT_REPORT, "5.10", BITS, 9, false},
	{PRINT_REPORT, NULL, BITS, 9, true},
	{PRINT_REPORT, "linux", BITS, 9, true},
	{PRINT_REPORT, "4.20.17-arch1", BITS, 9, true},
	{PRINT_REPORT, "4.14.320", BITS, 9, true},
	{PRINT_4_14_0, "4.14.2", INDEX, 9, false},
	{PRINT_4_14_0, NULL, INDEX, 9, false},
	{PRINT_REPORT, "4.14.62", INDEX, 9, true},
	{PRINT_REPORT, "4.18.0-20-generic", SHIFTED, 8, true},
	{PRINT_4_9, "4.9.0", "R\0S\1D\2T\4t\10Z\20X\40X\100", 8, false},
	{PRINT_3_10, "3.10.0-1160.el7.x86_64", "R\0S\1D\2T\4t\10Z\20X\40X\100", 8, false},
	{PRINT_4_4, "4.4.0-210-generic", "R\0S\1D\2T\4t\10Z\20X\40X\100", 8, false},
	{PRINT_4_9, NULL, "R\0S\1D\2T\4t\10Z\20X\40X\100", 8, false},
	{"", "4.15.3", SHIFTED, 8, true},
};

static struct state_letters letters_of(const struct kernel *kernel)
{
	struct text print = {kernel->print, (uint32_t)strlen(kernel->print)};
	struct state_letters letters;

	state_letters_parse(print, kernel->release, &letters);
	return letters;
}

START_TEST(test_kernel)
{
	const struct kernel *kernel = &kernels[_i];
	struct state_letters letters = letters_of(kernel);

	ck_assert_int_eq(state_letters_are_open(&letters), kernel->is_open);
	for (size_t i = 0; i < kernel->pair_count; i++)
		ck_assert_int_eq(state_letters_get(&letters, (uint8_t)kernel->pairs[2 * i + 1]),
		                 kernel->pairs[2 * i]);
}
END_TEST

/* What the letters of a kernel of that release are once those values were seen. */
static const struct lesson {
	const char *release;
	bool is_idle;
	uint64_t raw[3];
	enum state_form form;
	bool is_open;
} lessons[] = {
	{NULL, false, {1, 2, 0x100}, STATE_BY_BIT, true},
	{NULL, false, {0, 4, 8}, STATE_BY_BIT, true},
	{NULL, false, {0, 1, 0x20}, STATE_BY_BIT, false},
	{NULL, false, {1, 6, 2}, STATE_BY_INDEX, false},
	{NULL, true, {1, 1, 1}, STATE_SHIFTED, false},
	{NULL, true, {0, 0, 0}, STATE_BY_BIT, true},
	{"4.14.40", true, {1, 1, 1}, STATE_SHIFTED, false},
	{"4.14.40", false, {1, 0x10, 1}, STATE_BY_BIT, true},
	{"4.14.40", false, {0, 0x10, 1}, STATE_BY_BIT, false},
	{"4.14.40", false, {1, 2, 5}, STATE_BY_INDEX, false},
	{"4.18.0", true, {0, 0, 0}, STATE_BY_BIT, false},
	{"4.18.0", false, {2, 4, 0x40}, STATE_SHIFTED, true},
	{"4.19.7", true, {1, 1, 1}, STATE_SHIFTED, false},
	/* values that no kernel records teach nothing */
	{"6.1.0", false, {5, 3, 6}, STATE_BY_BIT, false},
	{"4.19.200", false, {5, 3, 6}, STATE_BY_BIT, true},
};

START_TEST(test_lesson)
{
	const struct lesson *lesson = &lessons[_i];
	struct state_letters letters =
		letters_of(&(struct kernel){.print = PRINT_REPORT, .release = lesson->release});

	for (size_t i = 0; i < ARRAY_SIZE(lesson->raw); i++)
		if (state_letters_are_open(&letters))
			state_letters_learn(&letters, lesson->raw[i], lesson->is_idle);
	ck_assert_int_eq(letters.form, lesson->form);
	ck_assert_int_eq(state_letters_are_open(&letters), lesson->is_open);
}
END_TEST

/* A number that no state has is nobody's. */
START_TEST(test_unknown_index)
{
	struct state_letters letters = letters_of(&(struct kernel){.print = PRINT_4_14_0});

	ck_assert_int_eq(state_letters_get(&letters, 9), '?');
	ck_assert_int_eq(state_letters_get(&letters, 33), '?');
	ck_assert_int_eq(state_letters_get(&letters, 4095), '?');
	ck_assert_int_eq(state_letters_get(&letters, 0x1000), 'R');
	ck_assert_uint_eq(letters.preempted, 0x1000);
}
END_TEST

Suite *state_letters_suite(void)
{
	Suite *suite = suite_create("state_letters");
	TCase *tests = tcase_create("state_letters");

	tcase_add_loop_test(tests, test_kernel, 0, ARRAY_SIZE(kernels));
	tcase_add_loop_test(tests, test_lesson, 0, ARRAY_SIZE(lessons));
	tcase_add_test(tests, test_unknown_index);
	suite_add_tcase(suite, tests);
	return suite;
}
