/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machines/joined_source.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "ftwait/host.h"
#include "merge/merger.h"
#include "source/memory_source.h"
#include "suites.h"

static const uint8_t payload[4] = {1, 0, 2, 0};

/* Two machines: a with CPUs 0 and 2, b with CPU 1, 1,000 ns earlier on a's clock. */
static const struct memory_record first_records[] = {{{1010, payload, 4}, 0},
                                                     {{1040, payload, 4}, 0}};
static const struct memory_record third_records[] = {{{1025, payload, 4}, 0}};
static const struct memory_record other_records[] = {{{20, payload, 4}, 0}, {{30, payload, 4}, 3}};

static struct source *first_open(void)
{
	static const struct memory_stream streams[] = {
		{.cpu = 0, .records = first_records, .record_count = 2},
		{.cpu = 2, .records = third_records, .record_count = 1},
	};

	return memory_open(&(struct memory_trace){.streams = streams, .stream_count = 2});
}

static struct source *other_open(void)
{
	static const struct memory_stream stream = {.cpu = 1, .records = other_records,
	                                            .record_count = 2};
	static const struct known_task known[] = {{.tid = 7, .comm = "x", .read = 25},
	                                          {.tid = 8, .comm = "y", .read = 0}};

	return memory_open(&(struct memory_trace){
		.streams = &stream, .stream_count = 1,
		.known_tasks = known, .known_task_count = 2,
	});
}

static struct source *joined_open(void)
{
	const struct clock_line line = {.offset = 1000};
	_cleanup_(buffer_release) struct buffer why = {0};
	const struct source_part parts[] = {
		{.source = first_open(), .file = "a.dat", .name = "a"},
		{.source = source_shift(other_open(), &line, 0), .file = "b.dat", .name = "b",
	         .offset = 1000, .bound = 5, .matched = 3},
	};
	struct source *source;

	buffer_init(&why, 100);
	source = source_join(parts, 2, &why);
	ck_assert_msg(source, "%s", why.text);
	return source;
}

START_TEST(records_of_all_come_in_order)
{
	static const struct {
		nsec_t time;
		uint32_t cpu;
	} expected[] = {{1010, 0}, {1020, 4}, {1025, 2}, {1030, 4}, {1040, 0}};
	struct source *source = joined_open();
	struct merger *merger = merger_new(source);
	struct merged_run run;
	size_t count = 0;
	bool has_lost = false;

	while (merger_next(merger, &run)) {
		has_lost |= !run.records && run.lost_events == 3 && run.cpu == 4;
		for (size_t i = 0; run.records && i < run.count; i++, count++) {
			ck_assert_uint_lt(count, 5);
			ck_assert_uint_eq(run.records[i].time, expected[count].time);
			ck_assert_uint_eq(run.cpu, expected[count].cpu);
		}
	}
	ck_assert_uint_eq(count, 5);
	ck_assert(has_lost);
	merger_free(merger);
	source_close(source);
}
END_TEST

START_TEST(parts_keep_what_is_their_own)
{
	struct source *source = joined_open();
	const struct source_part *other = &source->parts[1];

	ck_assert_uint_eq(source->part_count, 2);
	ck_assert_uint_eq(source->cpu_count, 5);
	ck_assert_uint_eq(source->buffer_count, 2);
	ck_assert_str_eq(other->name, "b");
	ck_assert_str_eq(other->file, "b.dat");
	ck_assert_uint_eq(other->first_stream, 2);
	ck_assert_uint_eq(other->cpu_first, 3);
	ck_assert_int_eq(other->offset, 1000);
	ck_assert_uint_eq(other->bound, 5);
	ck_assert_uint_eq(other->matched, 3);
	/* a note's time is shifted, "before the recording" is no time */
	ck_assert_uint_eq(other->source->notes.tasks.item[0].read, 1025);
	ck_assert_uint_eq(other->source->notes.tasks.item[1].read, 0);
	ck_assert_uint_eq(source->parts[0].source->notes.tasks.count, 0);
	source_close(source);
}
END_TEST

START_TEST(too_many_cpus_are_refused)
{
	static const struct memory_stream stream = {.cpu = 20000};
	const struct memory_trace trace = {.streams = &stream, .stream_count = 1};
	_cleanup_(buffer_release) struct buffer why = {0};
	const struct source_part parts[] = {
		{.source = memory_open(&trace), .file = "a", .name = "a"},
		{.source = memory_open(&trace), .file = "b", .name = "b"},
	};

	buffer_init(&why, 100);
	ck_assert_ptr_null(source_join(parts, 2, &why));
	ck_assert_ptr_nonnull(strstr(why.text, "40002 CPUs"));
}
END_TEST

START_TEST(times_before_the_clock_become_zero)
{
	const struct clock_line line = {.offset = -25};
	struct source *source = source_shift(other_open(), &line, 0);
	struct record_batch batch;

	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_ITEM);
	ck_assert_uint_eq(batch.records[0].time, 0);
	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_ITEM);
	ck_assert_uint_eq(batch.records[0].time, 5);
	ck_assert_uint_eq(batch.lost_events, 3);
	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_END);
	/* a note that becomes 0 would say that it is not known */
	ck_assert_uint_eq(source->notes.tasks.item[0].read, 1);
	source_close(source);
}
END_TEST

START_TEST(keys_of_processes_differ_between_machines)
{
	struct host host[] = {{.name = "a", .cpu_first = 0}, {.name = "b", .cpu_first = 3}};
	const struct hosts hosts = {host, 2}, one = {0};

	ck_assert_int_eq(hosts_process_id(0, 7), 7);
	ck_assert_int_ne(hosts_process_id(1, 7), 7);
	ck_assert_int_eq(hosts_own_id(&hosts, hosts_process_id(1, 7)), 7);
	ck_assert_int_eq(hosts_process_id(1, -1), -1);
	ck_assert_int_eq(hosts_own_id(&one, 1 << 23), 1 << 23);
	ck_assert_uint_eq(hosts_of_cpu(&hosts, 2), 0);
	ck_assert_uint_eq(hosts_of_cpu(&hosts, 3), 1);
	ck_assert_uint_eq(hosts_own_cpu(&hosts, 4), 1);
	ck_assert_uint_eq(hosts_own_cpu(&one, 4), 4);
	ck_assert_str_eq(hosts_own_name(&hosts, "b:kworker/0:1"), "kworker/0:1");
	ck_assert_str_eq(hosts_own_name(&one, "kworker/0:1"), "kworker/0:1");
}
END_TEST

/*
 *	0 -5- 1 -3- 2, and 0 -4- 3, and 4 -2- 5 -7- 6
 */
START_TEST(bounds_add_up_along_the_way)
{
	struct host host[] = {
		{.bound = 0},
		{.via = 0, .bound = 5},
		{.via = 1, .bound = 8},
		{.via = 0, .bound = 4},
		{.root = 4, .via = 4},
		{.root = 4, .via = 4, .bound = 2},
		{.root = 4, .via = 5, .bound = 9},
	};
	const struct hosts hosts = {host, ARRAY_SIZE(host)};

	ck_assert_uint_eq(hosts_bound(&hosts, 1, 1), 0);
	ck_assert_uint_eq(hosts_bound(&hosts, 0, 2), 8);
	ck_assert_uint_eq(hosts_bound(&hosts, 2, 1), 3);
	ck_assert_uint_eq(hosts_bound(&hosts, 2, 3), 12);
	ck_assert_uint_eq(hosts_bound(&hosts, 3, 2), 12);
	ck_assert_uint_eq(hosts_bound(&hosts, 3, 0), 4);
	ck_assert_uint_eq(hosts_bound(&hosts, 4, 0), NSEC_NEVER);
	ck_assert_uint_eq(hosts_bound(&hosts, 2, 6), NSEC_NEVER);
	ck_assert_uint_eq(hosts_bound(&hosts, 4, 6), 9);
	ck_assert_uint_eq(hosts_bound(&hosts, 6, 5), 7);
}
END_TEST

/*
 *	0 -0- 1 -5- 2 -0- 3 -0- 4, and 3 -2- 5: recordings of one boot are on one clock
 */
START_TEST(one_clock_adds_nothing)
{
	struct host host[] = {
		{.bound = 0},
		{.via = 0, .bound = 0},
		{.via = 1, .bound = 5},
		{.via = 2, .bound = 5},
		{.via = 3, .bound = 5},
		{.via = 3, .bound = 7},
	};
	static const nsec_t expected[][ARRAY_SIZE(host)] = {
		{0, 0, 5, 5, 5, 7}, {0, 0, 5, 5, 5, 7}, {5, 5, 0, 0, 0, 2},
		{5, 5, 0, 0, 0, 2}, {5, 5, 0, 0, 0, 2}, {7, 7, 2, 2, 2, 0},
	};
	const struct hosts hosts = {host, ARRAY_SIZE(host)};

	for (uint32_t a = 0; a < hosts.count; a++)
		for (uint32_t b = 0; b < hosts.count; b++)
			ck_assert_uint_eq(hosts_bound(&hosts, a, b), expected[a][b]);
}
END_TEST

Suite *joined_source_suite(void)
{
	Suite *suite = suite_create("joined_source");
	TCase *tests = tcase_create("joined_source");

	tcase_add_test(tests, records_of_all_come_in_order);
	tcase_add_test(tests, parts_keep_what_is_their_own);
	tcase_add_test(tests, too_many_cpus_are_refused);
	tcase_add_test(tests, times_before_the_clock_become_zero);
	tcase_add_test(tests, keys_of_processes_differ_between_machines);
	tcase_add_test(tests, bounds_add_up_along_the_way);
	tcase_add_test(tests, one_clock_adds_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
