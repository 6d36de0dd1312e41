/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "present/text/trace_line.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data/array.h"
#include "suites.h"

#define NIGHT 1795662725000000000 /* 2026-11-26 03:12:05 in UTC */

static void check_line(const struct trace_summary *trace, const char *expected)
{
	struct buffer line;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	trace_lines[TRACE_ORIGIN].append(&line, trace);
	ck_assert_str_eq(line.text ? line.text : "", expected);
	buffer_release(&line);
}

START_TEST(the_origin_is_what_is_known)
{
	static const char *const command[] = {"make", "-j4", "a b"};
	static const char *const hostile[] = {"\033[2J", "it's"};

	ck_assert_int_eq(setenv("TZ", "UTC0", 1), 0);
	tzset();
	check_line(&(struct trace_summary){.host = "db7"}, "");
	check_line(&(struct trace_summary){.realtime_begin = NIGHT},
	           "Recorded 2026-11-26 03:12:05 UTC");
	check_line(&(struct trace_summary){.realtime_begin = NIGHT, .host = "db7"},
	           "Recorded 2026-11-26 03:12:05 UTC on db7");
	check_line(&(struct trace_summary){.realtime_begin = NIGHT, .host = "d\033[7m",
	                                   .command = command, .command_count = 3},
	           "Recorded 2026-11-26 03:12:05 UTC on d\\x1b[7m: make -j4 'a b'");
	check_line(&(struct trace_summary){.realtime_begin = NIGHT,
	                                   .command = hostile, .command_count = 2},
	           "Recorded 2026-11-26 03:12:05 UTC: $'\\x1b[2J' 'it'\\''s'");
}
END_TEST

/* A cut line has whole characters. */
START_TEST(a_long_command_is_cut)
{
	for (size_t blanks = 0; blanks < 4; blanks++) {
		char word[2000] = "";
		const char *const command[] = {word, "last"};
		struct buffer line;
		size_t length;

		memset(word, 'x', blanks);
		while (strlen(word) < 1900)
			strcat(word, "é");
		buffer_init(&line, BUFFER_LIMIT_DEFAULT);
		trace_lines[TRACE_ORIGIN].append(&line, &(struct trace_summary){
			.realtime_begin = NIGHT, .command = command, .command_count = 2});
		length = line.length;
		ck_assert_uint_lt(length, 300);
		ck_assert_uint_gt(length, 200);
		ck_assert_str_eq(line.text + length - 4, " ...");
		ck_assert_int_eq((unsigned char)line.text[length - 5] & 0xc0, 0x80);
		buffer_release(&line);
	}
}
END_TEST

static void check_trigger(const struct trigger_note *trigger, const struct realtime *realtime,
                          const char *expected)
{
	struct buffer line;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	trace_lines[TRACE_TRIGGER].append(&line, &(struct trace_summary){
		.trigger = trigger,
		.begin = 1000000000,
		.instants = {.begin = 1000000000, .realtime = realtime},
	});
	ck_assert_str_eq(line.text ? line.text : "", expected);
	buffer_release(&line);
}

START_TEST(a_trigger_is_said_in_words)
{
	static const struct realtime realtime = {{{.time = 1000000000, .real = NIGHT}}, 1};
	struct trigger_note trigger = {.at = 30200000000, .condition = "wait>100ms"};

	ck_assert_int_eq(setenv("TZ", "UTC0", 1), 0);
	tzset();
	check_trigger(NULL, NULL, "");
	check_trigger(&trigger, NULL,
	              "It was recorded because of the trigger wait>100ms, at 29.200000 s");
	trigger.text = "mysqld[812] waited 212 ms for disk vda";
	check_trigger(&trigger, NULL, "It was recorded because mysqld[812] waited 212 ms for disk "
	                              "vda, at 29.200000 s");
	check_trigger(&trigger, &realtime, "It was recorded because mysqld[812] waited 212 ms for "
	                                   "disk vda, at 03:12:34.200000");
	trigger.at = 0; /* before the trace */
	trigger.text = "\033[2J\377";
	check_trigger(&trigger, NULL,
	              "It was recorded because \\x1b[2J\\xff, 1.000 s before what it holds");
}
END_TEST

Suite *trace_line_suite(void)
{
	Suite *suite = suite_create("trace_line");
	TCase *tests = tcase_create("trace_line");

	tcase_add_test(tests, the_origin_is_what_is_known);
	tcase_add_test(tests, a_long_command_is_cut);
	tcase_add_test(tests, a_trigger_is_said_in_words);
	suite_add_tcase(suite, tests);
	return suite;
}
