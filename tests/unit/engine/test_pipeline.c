/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/pipeline.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "source/memory_source.h"
#include "suites.h"

#define GAPS (HEALTH_GAPS_MAX + 1000)

/* Of an id that the trace does not describe: only times and losses count here. */
static const uint8_t payload[4] = {1, 0, 2, 0};
static struct timeline timeline;
static struct health health;

static void run_begin(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	health = (struct health){0};
}

static void run_end(void)
{
	timeline_release(&timeline);
	health_release(&health);
}

static void run(const struct memory_stream *streams, size_t count)
{
	struct memory_trace trace = {.streams = streams, .stream_count = count};
	struct pipeline pipeline = {.timeline = &timeline, .health = &health};

	pipeline.source = memory_open(&trace);
	(void)pipeline_run(&pipeline);
	source_close(pipeline.source);
}

/* The CPU's overrun figure and the marks in its pages tell of the same events. */
START_TEST(test_overrun_is_marked)
{
	struct memory_record *records = xcalloc(GAPS, sizeof(*records));
	struct memory_stream stream = {.records = records, .record_count = GAPS, .overrun = GAPS};

	for (size_t i = 0; i < GAPS; i++)
		records[i] = (struct memory_record){{i * 10, payload, 4}, 1};
	run(&stream, 1);
	ck_assert_uint_eq(health.events_lost, GAPS);
	free(records);
}
END_TEST

/* What one buffer lost on a CPU says nothing of another's there. */
START_TEST(test_overrun_of_each_buffer)
{
	const struct memory_record marked[] = {{{10, payload, 4}, 0}, {{20, payload, 4}, 100}};
	const struct memory_record plain[] = {{{15, payload, 4}, 0}};
	const struct memory_stream streams[] = {
		{.records = marked, .record_count = 2, .overrun = 100},
		{.buffer = 1, .records = plain, .record_count = 1, .overrun = 50},
	};

	run(streams, ARRAY_SIZE(streams));
	ck_assert_uint_eq(health.events_lost, 150);
}
END_TEST

START_TEST(test_overrun_is_not_marked)
{
	const struct memory_record records[] = {
		{{10, payload, 4}, 0}, {{20, payload, 4}, 30}, {{30, payload, 4}, LOST_UNCOUNTED}};
	const struct memory_stream stream = {.records = records, .record_count = 3, .overrun = 70};

	run(&stream, 1);
	ck_assert_uint_eq(health.events_lost, 70);
	ck_assert_uint_eq(health.gap_count, 3);
}
END_TEST

/* Time may go back within a stream: the trace lasts until its latest record all the same. */
START_TEST(test_end_is_latest)
{
	const struct memory_record records[] = {
		{{10, payload, 4}, 0}, {{40, payload, 4}, 0}, {{20, payload, 4}, 0}};
	const struct memory_stream stream = {.records = records, .record_count = 3};

	run(&stream, 1);
	ck_assert_uint_eq(timeline.begin, 10);
	ck_assert_uint_eq(timeline.end, 40);
}
END_TEST

Suite *pipeline_suite(void)
{
	Suite *suite = suite_create("pipeline");
	TCase *tcase = tcase_create("pipeline");

	tcase_add_checked_fixture(tcase, run_begin, run_end);
	tcase_add_test(tcase, test_overrun_is_marked);
	tcase_add_test(tcase, test_overrun_of_each_buffer);
	tcase_add_test(tcase, test_overrun_is_not_marked);
	tcase_add_test(tcase, test_end_is_latest);
	suite_add_tcase(suite, tcase);
	return suite;
}
