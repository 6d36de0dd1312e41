/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "suites.h"

static struct text_store text;
static struct trigger_note note;

static void setup(void)
{
	text = (struct text_store){0};
	note = (struct trigger_note){0};
}

static void teardown(void)
{
	text_store_release(&text);
}

/* Lines as in a file, each in memory of its own: who reads beyond it is seen by the sanitizer. */
static void take(const char *lines, size_t bytes)
{
	const char *at = lines, *end = lines + bytes;
	struct text_line whole;

	while (line_next(&at, end, &whole)) {
		size_t length = line_length(whole);
		char *copy = xmalloc(length + !length);
		struct text_line line = {copy, copy + length}, word;

		memcpy(copy, whole.at, length);
		word = line_word(&line);
		(void)trigger_line_take(&note, &text, word, line);
		free(copy);
	}
}

static void take_text(const char *lines)
{
	take(lines, strlen(lines));
}

START_TEST(a_note_is_read)
{
	take_text("triggered mysqld[812] waited 212 ms for disk vda\n"
	          "trigger 3000000000 2788000000 812 wait>100ms comm=mysqld*\n");
	ck_assert_uint_eq(note.at, 3000000000);
	ck_assert_uint_eq(note.since, 2788000000);
	ck_assert_int_eq(note.tid, 812);
	ck_assert_str_eq(note.condition, "wait>100ms comm=mysqld*");
	ck_assert_str_eq(note.text, "mysqld[812] waited 212 ms for disk vda");
}
END_TEST

START_TEST(an_aim_is_read)
{
	take_text("triggered-for nothing /run/x\ntriggered-for\ntriggered-for \n");
	ck_assert_int_eq(note.aim, AIM_NONE);
	take_text("triggered-for lock /run/my lock\ntriggered-for child\n");
	ck_assert_int_eq(note.aim, AIM_LOCK);
	ck_assert_str_eq(note.aim_name, "/run/my lock");
	note = (struct trigger_note){0};
	take_text("triggered-for child\n");
	ck_assert_int_eq(note.aim, AIM_CHILD);
	ck_assert_ptr_null(note.aim_name);
}
END_TEST

START_TEST(an_aim_is_written)
{
	struct trigger_note given = {.condition = "hung", .aim = AIM_LOCK, .aim_name = "/run/x"};
	_cleanup_(buffer_release) struct buffer lines = {0};

	buffer_init(&lines, BUFFER_LIMIT_DEFAULT);
	trigger_note_put(&given, &lines);
	given.aim_name = NULL;
	trigger_note_put(&given, &lines);
	ck_assert_str_eq(lines.text, "trigger 0 0 0 hung\ntriggered-for lock /run/x\n"
	                             "trigger 0 0 0 hung\ntriggered-for lock\n");
}
END_TEST

START_TEST(the_first_line_counts)
{
	take_text("trigger 9 8 7 lost\n"
	          "triggered first\n"
	          "trigger 19 18 17 signal\n"
	          "triggered second\n");
	ck_assert_uint_eq(note.at, 9);
	ck_assert_int_eq(note.tid, 7);
	ck_assert_str_eq(note.condition, "lost");
	ck_assert_str_eq(note.text, "first");
}
END_TEST

START_TEST(a_malformed_line_is_none)
{
	static const char *const lines[] = {
		"trigger",
		"trigger ",
		"trigger 5",
		"trigger 5 4 3",
		"trigger 5 4 3 ",
		"trigger 5 6 3 wait>1ms",          /* it began after it ended */
		"trigger -5 -6 3 wait>1ms",
		"trigger 5 4 -3 wait>1ms",
		"trigger 5 4 2147483648 wait>1ms", /* a tid beyond INT32_MAX */
		"trigger 4611686018427387905 4 3 wait>1ms", /* beyond REALTIME_MAX */
		"trigger 18446744073709551621 4 3 wait>1ms",
		"trigger 5  4 3 wait>1ms",
		"trigger 0x5 4 3 wait>1ms",
		"trigger 5 4 3x wait>1ms",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		take_text(lines[i]);
		ck_assert_msg(!note.condition && note.at == 0 && note.since == 0 && note.tid == 0,
		              "%s", lines[i]);
	}
	take_text("triggered\ntriggered \n");
	ck_assert_ptr_null(note.text);
	take_text("trigger 5 5 0 signal\n"); /* a later line that is well-formed */
	ck_assert_str_eq(note.condition, "signal");
}
END_TEST

START_TEST(bounds_are_kept)
{
	char line[64 + TRIGGER_CONDITION_MAX + TRIGGER_TEXT_MAX];
	size_t length;

	length = (size_t)snprintf(line, sizeof(line), "trigger 4611686018427387904 0 2147483647 ");
	memset(line + length, 'c', TRIGGER_CONDITION_MAX + 1);
	take(line, length + TRIGGER_CONDITION_MAX + 1);
	ck_assert_ptr_null(note.condition);
	take(line, length + TRIGGER_CONDITION_MAX);
	ck_assert_uint_eq(note.at, UINT64_C(1) << 62);
	ck_assert_int_eq(note.tid, INT32_MAX);
	ck_assert_uint_eq(strlen(note.condition), TRIGGER_CONDITION_MAX);
	length = (size_t)snprintf(line, sizeof(line), "triggered ");
	memset(line + length, 't', TRIGGER_TEXT_MAX + 1);
	take(line, length + TRIGGER_TEXT_MAX + 1);
	ck_assert_ptr_null(note.text);
	take(line, length + TRIGGER_TEXT_MAX);
	ck_assert_uint_eq(strlen(note.text), TRIGGER_TEXT_MAX);
}
END_TEST

START_TEST(a_full_store_takes_none)
{
	text.total = TEXT_STORE_MAX;
	take_text("trigger 5 4 3 wait>1ms\ntriggered long\n");
	ck_assert_ptr_null(note.condition);
	ck_assert_ptr_null(note.text);
	text.total = 0;
}
END_TEST

/* What is written is read as it was, but for what a line must not have. */
START_TEST(a_written_note_is_read)
{
	static const struct {
		const char *given, *read;
	} texts[] = {
		{"mysqld[812] waited 212 ms for disk vda", "mysqld[812] waited 212 ms for disk vda"},
		{"a\ntrigger 1 1 1 forged", "a\\x0atrigger 1 1 1 forged"},
		{"\033[2J\r\t\177", "\\x1b[2J\\x0d\\x09\\x7f"},
		{"caf\303\251 \377 c:\\012", "caf\303\251 \\xff c:\\012"},
		{" blanks ", " blanks "},
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct trigger_note given = {
			.at = 50, .since = i, .tid = 812,
			.condition = texts[i].given, .text = texts[i].given,
		};
		_cleanup_(buffer_release) struct buffer lines = {0};

		note = (struct trigger_note){0};
		buffer_init(&lines, BUFFER_LIMIT_DEFAULT);
		trigger_note_put(&given, &lines);
		take(lines.text, lines.length);
		ck_assert_uint_eq(note.at, 50);
		ck_assert_uint_eq(note.since, i);
		ck_assert_int_eq(note.tid, 812);
		ck_assert_str_eq(note.condition, texts[i].read);
		ck_assert_str_eq(note.text, texts[i].read);
	}
}
END_TEST

/* Long texts are cut between two characters, and read. */
START_TEST(long_texts_are_cut)
{
	char words[2 * TRIGGER_CONDITION_MAX + 2] = "x";
	const struct trigger_note given = {.at = 1, .condition = words, .text = words};
	_cleanup_(buffer_release) struct buffer lines = {0};

	for (size_t i = 0; i < TRIGGER_CONDITION_MAX; i++)
		memcpy(words + 1 + 2 * i, "\303\251", 3);
	buffer_init(&lines, BUFFER_LIMIT_DEFAULT);
	trigger_note_put(&given, &lines);
	take(lines.text, lines.length);
	ck_assert_uint_eq(strlen(note.condition), TRIGGER_CONDITION_MAX - 1);
	ck_assert_uint_eq(strlen(note.text), TRIGGER_TEXT_MAX - 1);
	ck_assert_int_eq(note.text[TRIGGER_TEXT_MAX - 2], '\251');
}
END_TEST

/* A task that is not known is none. */
START_TEST(a_negative_tid_is_none)
{
	const struct trigger_note given = {.at = 7, .since = 6, .tid = -1, .condition = "exit=a*"};
	_cleanup_(buffer_release) struct buffer lines = {0};

	buffer_init(&lines, BUFFER_LIMIT_DEFAULT);
	trigger_note_put(&given, &lines);
	ck_assert_str_eq(lines.text, "trigger 7 6 0 exit=a*\n");
}
END_TEST

/* Without words for it there is only the condition. */
START_TEST(words_may_lack)
{
	const struct trigger_note without[] = {
		{.at = 7, .since = 7, .condition = "signal"},
		{.at = 7, .since = 7, .condition = "signal", .text = ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		_cleanup_(buffer_release) struct buffer lines = {0};

		buffer_init(&lines, BUFFER_LIMIT_DEFAULT);
		trigger_note_put(&without[i], &lines);
		ck_assert_str_eq(lines.text, "trigger 7 7 0 signal\n");
	}
}
END_TEST

Suite *trigger_line_suite(void)
{
	Suite *suite = suite_create("trigger_line");
	TCase *tcase = tcase_create("trigger_line");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_note_is_read);
	tcase_add_test(tcase, an_aim_is_read);
	tcase_add_test(tcase, an_aim_is_written);
	tcase_add_test(tcase, the_first_line_counts);
	tcase_add_test(tcase, a_malformed_line_is_none);
	tcase_add_test(tcase, bounds_are_kept);
	tcase_add_test(tcase, a_full_store_takes_none);
	tcase_add_test(tcase, a_written_note_is_read);
	tcase_add_test(tcase, long_texts_are_cut);
	tcase_add_test(tcase, a_negative_tid_is_none);
	tcase_add_test(tcase, words_may_lack);
	suite_add_tcase(suite, tcase);
	return suite;
}
