/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/report_run.h"

#include <string.h>

#include "base/data/array.h"
#include "source/memory_source.h"
#include "suites.h"

static const char newtask_format[] =
	"name: task_newtask\nID: 1\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

static const struct {
	uint16_t type, none;
	int32_t current, tid;
} payload = {1, 0, 7, 8};

#define RECORD(at) {{(at), (const uint8_t *)&payload, sizeof(payload)}, 0}

static const struct memory_record records[] = {RECORD(1000), RECORD(2000), RECORD(3000),
                                               RECORD(4000)};
static const struct memory_stream stream = {
	.records = records, .record_count = ARRAY_SIZE(records),
};
static const struct format_text format = {"task", newtask_format, sizeof(newtask_format) - 1};

/* What an exporter was told. */
static struct {
	nsec_t begin, end, last_event, trace_end;
	unsigned windows, events, spans;
} reported;

static void *reported_begin(FILE *out, const struct export_trace *trace)
{
	(void)out;
	(void)trace;
	memset(&reported, 0, sizeof(reported));
	return &reported;
}

static void reported_window(void *state, nsec_t begin, nsec_t end)
{
	(void)state;
	ck_assert_uint_eq(reported.events + reported.spans, 0);
	reported.windows++;
	reported.begin = begin;
	reported.end = end;
}

static void reported_event(void *state, const struct event *event)
{
	(void)state;
	ck_assert_uint_eq(reported.windows, 1);
	reported.events++;
	reported.last_event = event->time;
}

static void reported_gap(void *state, const struct health_gap *gap)
{
	(void)state;
	(void)gap;
}

static void reported_span(void *state, const struct span *span)
{
	(void)state;
	ck_assert_uint_ge(span->end, reported.begin);
	ck_assert_uint_lt(span->begin, reported.end);
	reported.spans++;
}

static void reported_end(void *state, nsec_t time)
{
	(void)state;
	reported.trace_end = time;
}

static const struct exporter recorder = {
	.begin = reported_begin, .on_window = reported_window, .on_event = reported_event,
	.on_gap = reported_gap,
	.on_span = reported_span, .on_wait = reported_span,    .end = reported_end,
};

static void report(nsec_t from, nsec_t to, size_t record_count)
{
	struct memory_stream some = stream;
	const struct memory_trace trace = {
		.layout = {.is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__},
		.streams = &some, .stream_count = 1, .formats = &format, .format_count = 1,
	};
	struct asked asked = ASKED_EVERYTHING;
	struct loaded loaded;
	struct report_run run;
	struct source *source;

	some.record_count = record_count;
	source = memory_open(&trace);
	asked.from = from;
	asked.to = to;
	loaded_init(&loaded, source);
	report_run_init(&run, &loaded, &asked);
	run.exporting.exporter = &recorder;
	report_run_read(&run);
	report_run_release(&run);
	(void)source_close(source);
}

START_TEST(whole_trace_has_no_end_before)
{
	report(NSEC_NEVER, NSEC_NEVER, ARRAY_SIZE(records));
	ck_assert_uint_eq(reported.begin, 1000);
	ck_assert_uint_eq(reported.end, NSEC_NEVER);
	ck_assert_uint_eq(reported.events, 4);
	ck_assert_uint_eq(reported.trace_end, 4000);
}
END_TEST

/* What comes before a window is told, too; what comes after it is not. */
START_TEST(events_come_until_the_windows_end)
{
	report(2500, 4000, ARRAY_SIZE(records));
	ck_assert_uint_eq(reported.begin, 2500);
	ck_assert_uint_eq(reported.end, 4000);
	ck_assert_uint_eq(reported.events, 3);
	ck_assert_uint_eq(reported.last_event, 3000);
	ck_assert_uint_ge(reported.spans, 1);
	ck_assert_uint_eq(reported.trace_end, 4000);
}
END_TEST

START_TEST(window_may_be_exported_since_the_begin)
{
	report(500, 900, ARRAY_SIZE(records));
	ck_assert_uint_eq(reported.begin, 1500);
	ck_assert_uint_eq(reported.end, 1900);
	ck_assert_uint_eq(reported.events, 1);
}
END_TEST

START_TEST(recording_without_events_has_no_window)
{
	report(NSEC_NEVER, NSEC_NEVER, 0);
	ck_assert_uint_eq(reported.windows, 0);
	ck_assert_uint_eq(reported.events, 0);
}
END_TEST

Suite *export_run_suite(void)
{
	Suite *suite = suite_create("export_run");
	TCase *tests = tcase_create("export_run");

	tcase_add_test(tests, whole_trace_has_no_end_before);
	tcase_add_test(tests, events_come_until_the_windows_end);
	tcase_add_test(tests, window_may_be_exported_since_the_begin);
	tcase_add_test(tests, recording_without_events_has_no_window);
	suite_add_tcase(suite, tests);
	return suite;
}
