/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/atrace_mark.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static const struct {
	const char *text;
	char kind;
	int32_t tgid;
	const char *name, *cookie;
} marks[] = {
	{"B|2211|a|b", 'B', 2211, "a|b", ""},   {"B|0|x\n", 'B', 0, "x", ""},
	{"E|2211", 'E', 2211, "", ""},          {"E", 'E', 0, "", ""},
	{"E|\n", 'E', 0, "", ""},               {"S|7|deliver|in|17", 'S', 7, "deliver|in", "17"},
	{"F|7|deliver|17", 'F', 7, "deliver", "17"}, {"S|7|alone", 'S', 7, "alone", ""},
	{"C|7|frames|-3\n", 'C', 7, "frames", "-3"}, {"I|7|vsync", 'I', 7, "vsync", ""},
	{"G|7|track|name|3", 'G', 7, "", ""},
};

static bool is(struct text text, const char *word)
{
	return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
}

START_TEST(marks_are_taken_apart)
{
	struct text text = {marks[_i].text, (uint32_t)strlen(marks[_i].text) + 1};
	struct atrace_mark mark;

	ck_assert(atrace_mark_parse(text, &mark));
	ck_assert_int_eq(mark.kind, marks[_i].kind);
	ck_assert_int_eq(mark.tgid, marks[_i].tgid);
	ck_assert(is(mark.name, marks[_i].name));
	ck_assert(is(mark.cookie, marks[_i].cookie));
}
END_TEST

static const char *const others[] = {
	"", "\n", "B", "B|", "B|7", "B|7|", "B 7|x", "Begin", "B|x|y", "B|99999999999|x", "b|7|x",
	"C|7|", "frame 3", "|", "Ex",
};

START_TEST(other_marks_are_none)
{
	struct text text = {others[_i], (uint32_t)strlen(others[_i])};
	struct atrace_mark mark;

	ck_assert_msg(!atrace_mark_parse(text, &mark), "%s", others[_i]);
}
END_TEST

Suite *atrace_mark_suite(void)
{
	Suite *suite = suite_create("atrace_mark");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, marks_are_taken_apart, 0, ARRAY_SIZE(marks));
	tcase_add_loop_test(all, other_marks_are_none, 0, ARRAY_SIZE(others));
	suite_add_tcase(suite, all);
	return suite;
}
