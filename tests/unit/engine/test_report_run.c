/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/report_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "source/memory_source.h"
#include "suites.h"

#define COMMON_FIELDS \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char switch_format[] =
	"name: sched_switch\nID: 1\nformat:\n" COMMON_FIELDS
	"\tfield:char prev_comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_state;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:char next_comm[8];\toffset:28;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:36;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:40;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

static const char waking_format[] =
	"name: sched_waking\nID: 2\nformat:\n" COMMON_FIELDS
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:int prio;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\tfield:int target_cpu;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

struct switch_payload {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t current;
	char prev_comm[8];
	int32_t prev, prev_prio, prev_state;
	char next_comm[8];
	int32_t next, next_prio;
};

struct waking_payload {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t current;
	char comm[8];
	int32_t tid, prio, cpu;
};

/* On one CPU A sleeps, B runs and wakes it, C spoils a little; twice, with events lost between. */
static const struct switch_payload switches[] = {
	{1, 0, 0, 1, "A", 1, 120, 1, "B", 2, 120}, {1, 0, 0, 2, "B", 2, 120, 0, "C", 3, 120},
	{1, 0, 0, 3, "C", 3, 120, 1, "A", 1, 120}, {1, 0, 0, 1, "A", 1, 120, 2, "B", 2, 120},
	{1, 0, 0, 2, "B", 2, 120, 1, "A", 1, 120},
};
static const struct waking_payload wakings[] = {
	{2, 0, 0, 2, "A", 1, 120, 0}, {2, 0, 0, 2, "A", 1, 120, 0},
};

#define RECORD(at, payload) {(at), (const uint8_t *)&(payload), sizeof(payload)}

static const struct memory_record records[] = {
	{RECORD(1000, switches[0]), 0}, {RECORD(2000, wakings[0]), 0},
	{RECORD(3000, switches[1]), 0}, {RECORD(4000, switches[2]), 0},
	{RECORD(6000, switches[3]), 7}, {RECORD(9000, wakings[1]), 0},
	{RECORD(9500, switches[4]), 0},
};

static const struct memory_stream stream = {
	.records = records, .record_count = ARRAY_SIZE(records),
};
static const struct format_text formats[] = {
	{"sched", switch_format, sizeof(switch_format) - 1},
	{"sched", waking_format, sizeof(waking_format) - 1},
};

static struct loaded loaded;
static struct report_run run;
static struct source *source;
static struct asked asked;

static void run_open(void)
{
	const struct memory_trace trace = {
		.layout = {.is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__},
		.streams = &stream,
		.stream_count = 1,
		.formats = formats,
		.format_count = ARRAY_SIZE(formats),
	};

	source = memory_open(&trace);
	loaded_init(&loaded, source);
	report_run_init(&run, &loaded, &asked);
	for (size_t i = 0; analyses[i]; i++)
		report_run_ask(&run, analyses[i]);
}

static void run_end(void)
{
	report_run_release(&run);
	(void)source_close(source);
}

static void run_begin(void)
{
	asked = (struct asked)ASKED_EVERYTHING;
	run_open();
}

/* To be freed. */
static char *shown(const char *presenter, unsigned top)
{
	char *text = NULL;
	size_t length;
	struct report_form form = {
		.out = open_memstream(&text, &length),
		.presenter = presenter_find(presenter),
		.options = {.top = top},
		.file = "memory",
	};

	report_run_show(&run, &form);
	(void)fclose(form.out);
	ck_assert_uint_gt(length, 0);
	return text;
}

/* In whatever form, and whatever was shown before. */
static void check_shown_again(void)
{
	char *first[16], *again;

	for (size_t i = 0; presenters[i]; i++)
		first[i] = shown(presenters[i]->name, 0);
	for (size_t i = 0; presenters[i]; i++) {
		free(shown(presenters[i]->name, 2));
		again = shown(presenters[i]->name, 0);
		ck_assert_msg(strcmp(again, first[i]) == 0, "%s: other bytes",
		              presenters[i]->name);
		free(again);
		free(first[i]);
	}
}

START_TEST(test_shown_twice)
{
	char *json;

	report_run_read(&run);
	check_shown_again();
	json = shown("json", 0);
	ck_assert_ptr_nonnull(strstr(json, "\"comm\": \"A\""));
	ck_assert_ptr_nonnull(strstr(json, "\"events_lost\": 7"));
	free(json);
}
END_TEST

/* A window is cut from the history at each showing. */
START_TEST(test_window_shown_twice)
{
	run_end();
	asked.from = 1500;
	asked.to = 7000;
	asked.fold_limit = 100;
	run_open();
	report_run_read(&run);
	ck_assert(!report_run_is_beside(&run));
	check_shown_again();
}
END_TEST

/* Views add to the health that is shown, never to what was read. */
START_TEST(test_health_is_left_alone)
{
	struct health before;

	report_run_read(&run);
	before = run.health;
	free(shown("json", 0));
	ck_assert_int_eq(memcmp(&before, &run.health, sizeof(before)), 0);
}
END_TEST

START_TEST(test_answers_are_missing)
{
	struct buffer why;

	buffer_init(&why, 200);
	run_end();
	asked.wait = 99;
	run_open();
	report_run_read(&run);
	ck_assert(!report_run_has_answers(&run, &why));
	ck_assert_uint_gt(why.length, 0);
	buffer_release(&why);
}
END_TEST

START_TEST(test_what_is_heeded)
{
	struct report_run other;

	ck_assert(report_run_heeds(&run, HEEDS_KINDS));
	loaded_init(&loaded, source);
	report_run_init(&other, &loaded, &asked);
	report_run_ask(&other, analyses[0]); /* the summary */
	ck_assert(!report_run_heeds(&other, HEEDS_KINDS));
	report_run_release(&other);
	report_run_read(&run);
}
END_TEST

/* Whether anything of the history is kept for that view, in a window. */
static bool history_is_kept_for(const struct analysis *analysis)
{
	struct report_run other;
	bool is_kept;

	asked.from = 1500;
	loaded_init(&loaded, source);
	report_run_init(&other, &loaded, &asked);
	report_run_ask(&other, analysis);
	report_run_read(&other);
	is_kept = other.timeline.bytes > 0;
	report_run_release(&other);
	return is_kept;
}

/* It grows with the trace: who has no use for it does without. */
START_TEST(test_history_is_kept_for_some)
{
	const struct analysis *analysis = analyses[_i];

	ck_assert_int_eq(history_is_kept_for(analysis),
	                 analysis->needs_history || (analysis->fold && !analysis->folds_data));
}
END_TEST

START_TEST(test_history_is_kept_for_data)
{
	const struct analysis *analysis = analyses[_i];

	asked.shows_data = true;
	ck_assert_int_eq(history_is_kept_for(analysis),
	                 analysis->needs_history || analysis->fold);
}
END_TEST

static int analysis_count(void)
{
	int count = 0;

	while (analyses[count])
		count++;
	return count;
}

Suite *report_run_suite(void)
{
	Suite *suite = suite_create("report_run");
	TCase *tests = tcase_create("report_run");

	tcase_add_checked_fixture(tests, run_begin, run_end);
	tcase_add_test(tests, test_shown_twice);
	tcase_add_test(tests, test_window_shown_twice);
	tcase_add_test(tests, test_health_is_left_alone);
	tcase_add_test(tests, test_answers_are_missing);
	tcase_add_test(tests, test_what_is_heeded);
	tcase_add_loop_test(tests, test_history_is_kept_for_some, 0, analysis_count());
	tcase_add_loop_test(tests, test_history_is_kept_for_data, 0, analysis_count());
	suite_add_tcase(suite, tests);
	return suite;
}
