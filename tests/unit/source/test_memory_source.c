/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memory_source.h"

#include "page_builder.h"
#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

static struct trace_builder builder;
static struct drained drained, again;

/* However many pages come at once, the records are the same. */
START_TEST(test_any_block)
{
	struct memory_stream streams[2] = {{.cpu = 2}, {.cpu = 4, .buffer = 1}};
	struct memory_trace trace = {
		.layout = page_layouts[_i], .streams = streams, .stream_count = 2,
	};
	struct source *source;

	trace_builder_init(&builder, &page_layouts[_i]);
	for (unsigned i = 0; i < 2; i++) {
		trace_builder_add_pages(&builder, i, 7, 25);
		streams[i].pages = (const uint8_t *)builder.pages[i].text;
		streams[i].page_bytes_total = builder.pages[i].length;
	}
	source = memory_open(&trace);
	ck_assert_uint_eq(source->cpu_count, 5);
	ck_assert_uint_eq(source->buffer_count, 2);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 350);
	source_close(source);
	for (trace.block_pages = 1; trace.block_pages < 5; trace.block_pages++) {
		source = memory_open(&trace);
		source_drain(source, 0, &again);
		ck_assert_uint_eq(again.sum, drained.sum);
		source_close(source);
	}
	trace.is_cut = true;
	trace.cut_bytes = 2 * 4096 + 50;
	source = memory_open(&trace);
	source_drain(source, 0, &again);
	ck_assert_uint_ge(again.records, 2 * 51);
	ck_assert_uint_le(again.records, 2 * 52);
	ck_assert(source->health.damaged);
	source_close(source);
	trace_builder_release(&builder);
}
END_TEST

START_TEST(test_ready_records)
{
	static const uint8_t payload[4] = {1, 0, 2, 0};
	const struct memory_record records[] = {
		{{10, payload, 4}, 0},
		{{20, payload, 4}, 0},
		{{30, payload, 4}, 5},
		{{40, payload, 4}, LOST_UNCOUNTED},
	};
	const struct memory_stream stream = {.records = records, .record_count = 4};
	const struct memory_trace trace = {
		.layout = page_layouts[0], .streams = &stream, .stream_count = 1,
	};
	struct source *source = memory_open(&trace);
	struct record_batch batch;

	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_ITEM);
	ck_assert_uint_eq(batch.count, 2);
	ck_assert_uint_eq(batch.lost_events, 0);
	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_ITEM);
	ck_assert_uint_eq(batch.count, 1);
	ck_assert_uint_eq(batch.lost_events, 5);
	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_ITEM);
	ck_assert_uint_eq(batch.lost_events, LOST_UNCOUNTED);
	ck_assert_uint_eq(batch.records[0].time, 40);
	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_END);
	ck_assert_uint_eq(batch.count, 0);
	source_close(source);
}
END_TEST

Suite *memory_source_suite(void)
{
	Suite *suite = suite_create("memory_source");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, test_any_block, 0, 4);
	tcase_add_test(all, test_ready_records);
	suite_add_tcase(suite, all);
	return suite;
}
