/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/programs/map_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "recorder/machine/seen_process.h"
#include "recorder/programs/map_events.h"
#include "recorder/programs/map_recorder.h"
#include "recorder/programs/symbol_lists.h"
#include "suites.h"

#define RECORD_TYPE_COMM  3
#define RECORD_TYPE_FORK  7
#define RECORD_TYPE_SAMPLE 9
#define RECORD_TYPE_MMAP2 10
#define MISC_EXEC         (1 << 13)
#define MISC_BUILD_ID     (1 << 14)

static struct map_table table;
static struct buffer text;

static void setup(void)
{
	map_table_init(&table);
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
}

static void teardown(void)
{
	map_table_release(&table);
	buffer_release(&text);
}

static void on_set(void *state, const struct map_process *process, size_t set, struct buffer *to)
{
	(void)state;
	for (size_t i = 0; set + 1 == process->set_count && i < process->loose_count; i++)
		buffer_printf(to, "loose %llx\n", (unsigned long long)process->loose[i]);
}

static void check_text(const char *expected)
{
	map_table_describe(&table, true, &text, on_set, NULL);
	ck_assert_str_eq(text.length ? text.text : "", expected);
}

static struct mapping mapping_of(uint64_t begin, uint64_t end, const char *path)
{
	return (struct mapping){begin, end, 0x10,
	                        path ? map_table_file(&table, NULL, path) : MAP_FILE_NONE};
}

/* Without any stack, only processes that are to be kept are described. */
START_TEST(kept_without_stacks)
{
	const struct mapping mapping = mapping_of(0x1000, 0x2000, "/bin/prog");

	map_table_add(&table, 7, 100, &mapping);
	map_table_add(&table, 8, 100, &mapping);
	map_table_keep(&table, 8);
	check_text("file 0 - /bin/prog\nmaps 8 100\nmap 1000 2000 10 0\n");
}
END_TEST

START_TEST(only_of_stacks_that_were_seen)
{
	struct mapping a = mapping_of(0x1000, 0x2000, "/unseen"), b = mapping_of(0x3000, 0x4000, "/b\nc");

	map_table_add(&table, 1, 100, &a);
	map_table_add(&table, 2, 200, &b);
	ck_assert(!map_table_see(&table, 2, 0x2fff));
	ck_assert(map_table_see(&table, 2, 0x3000));
	ck_assert(!map_table_see(&table, 2, 0x4000));
	check_text("file 0 - /b\\012c\nmaps 2 200\nmap 3000 4000 10 0\nloose 2fff\nloose 4000\n");
}
END_TEST

START_TEST(a_child_has_what_its_parent_has_until_it_executes)
{
	struct mapping a = mapping_of(0x1000, 0x2000, "/a"), b = mapping_of(0x1800, 0x2800, "/b");

	map_table_add(&table, 1, 100, &a);
	map_table_fork(&table, 1, 2, 150);
	ck_assert(map_table_see(&table, 2, 0x1000));
	map_table_exec(&table, 2, 180);
	ck_assert(!map_table_see(&table, 2, 0x1000));
	map_table_add(&table, 2, 190, &b);
	ck_assert(map_table_names(&table, 2, 0x1000) && !map_table_holds(&table, 2, 0x1000));
	check_text("file 0 - /a\nfile 1 - /b\nmaps 2 150\nmap 1000 2000 10 0\nmaps 2 180\n"
	           "map 1800 2800 10 1\nloose 1000\n");
}
END_TEST

/* What is mapped over something else makes a set of its own; the same once more does not. */
START_TEST(contradictions_make_sets)
{
	struct mapping a = mapping_of(0x1000, 0x2000, "/a"), c = mapping_of(0x5000, 0x6000, NULL);
	struct mapping over = mapping_of(0x1800, 0x1900, "/o");
	const struct mapping read[] = {over, c}, more[] = {a, c};

	map_table_add(&table, 1, 100, &a);
	map_table_add(&table, 1, 110, &a);
	map_table_add(&table, 1, 120, &c);
	map_table_add(&table, 1, 130, &over);
	map_table_put(&table, 1, 140, read, 2);
	map_table_put(&table, 1, 150, more, 2);
	ck_assert(map_table_see(&table, 1, 0x5000));
	check_text("file 0 - /a\nfile 1 - /o\nmaps 1 100\nmap 1000 2000 10 0\nmaps 1 130\n"
	           "map 1800 1900 10 1\nmaps 1 150\nmap 1000 2000 10 0\nloose 5000\n");
}
END_TEST

START_TEST(lines_of_maps_are_parsed)
{
	struct maps_line line;

	ck_assert(maps_line_parse("7f1000-7f2000 r-xp 00001000 fe:02 77        /a b (deleted)", &line));
	ck_assert_uint_eq(line.begin, 0x7f1000);
	ck_assert_uint_eq(line.end, 0x7f2000);
	ck_assert_uint_eq(line.offset, 0x1000);
	ck_assert_uint_eq(line.inode, 77);
	ck_assert(line.is_executable);
	ck_assert_str_eq(line.path, "/a b (deleted)");
	ck_assert(maps_line_parse("1000-2000 rw-p 00000000 00:00 0 ", &line));
	ck_assert(!line.is_executable);
	ck_assert_str_eq(line.path, "");
	ck_assert(!maps_line_parse("2000-1000 rw-p 00000000 00:00 0 ", &line));
	ck_assert(!maps_line_parse("nonsense", &line));
	ck_assert(!maps_line_parse("", &line));
}
END_TEST

START_TEST(generated_functions_are_picked)
{
	static const char map[] = "1000 10 near\n1010 10 hit one(int)\nnonsense\n3000\n3000 10\n"
	                          "3000 10 \n4000 fff last";
	uint64_t address[] = {0x4ffe, 0x101f, 0x3000};

	jit_symbols_pick(map, sizeof(map) - 1, address, ARRAY_SIZE(address), &text);
	ck_assert_str_eq(text.text, "jit 1010 10 hit one(int)\njit 4000 fff last\n");
	jit_symbols_pick("", 0, address, 0, &text);
}
END_TEST

static size_t record_make(uint8_t *record, uint32_t type, uint16_t misc, size_t body, uint64_t time)
{
	uint16_t size = (uint16_t)(8 + body + 8);

	memset(record, 0, 256);
	memcpy(record, &type, 4);
	memcpy(record + 4, &misc, 2);
	memcpy(record + 6, &size, 2);
	memcpy(record + 8 + body, &time, 8);
	return size;
}

START_TEST(records_of_perf_are_parsed)
{
	static const uint32_t parents[] = {7, 8};
	static const uint64_t words[] = {0x1000, 0x500, 0x40};
	static const uint32_t tgid = 9;
	uint8_t record[256];
	struct map_event event;
	size_t size = record_make(record, RECORD_TYPE_MMAP2, MISC_BUILD_ID, 64 + 8, 5);

	memcpy(record + 8, &tgid, sizeof(tgid));
	memcpy(record + 16, words, sizeof(words));
	record[40] = 2;
	record[44] = 0xab;
	memcpy(record + 72, "/lib/x", 6);
	ck_assert(map_event_parse(record, size, &event));
	ck_assert_uint_eq(event.time, 5);
	ck_assert_int_eq(event.tgid, 9);
	ck_assert_uint_eq(event.end, 0x1500);
	ck_assert_str_eq(event.path, "/lib/x");
	ck_assert_str_eq(event.build_id, "ab00");
	free(event.path);
	for (size_t cut = 0; cut < 8 + 64 + 8; cut++)
		ck_assert(!map_event_parse(record, cut, &event));
	size = record_make(record, RECORD_TYPE_FORK, 0, 24, 6);
	memcpy(record + 8, parents, sizeof(parents));
	ck_assert(map_event_parse(record, size, &event));
	ck_assert(event.kind == MAP_EVENT_FORK && event.tgid == 7 && event.parent == 8);
	memcpy(record + 12, parents, sizeof(parents[0]));
	ck_assert(map_event_parse(record, size, &event) && event.kind == MAP_EVENT_THREAD);
	size = record_make(record, RECORD_TYPE_COMM, MISC_EXEC, 24, 6);
	ck_assert(map_event_parse(record, size, &event) && event.kind == MAP_EVENT_EXEC);
	memset(record + 4, 0, sizeof(uint16_t));
	ck_assert(!map_event_parse(record, size, &event)); /* it has only changed its name */
}
END_TEST

START_TEST(samples_of_calls_are_parsed)
{
	static const struct open_point points[] = {
		{300, MAP_EVENT_OPEN, 16}, {301, MAP_EVENT_CONNECTED, 16}};
	static const uint32_t ids[] = {7, 8};
	const uint64_t time = 5;
	uint16_t number = 300;
	long result = 33;
	uint8_t record[256];
	struct map_event event;
	/* ids, time, u32 size of the data, 16 bytes of them before the result */
	size_t body = 8 + 8 + 4 + 16 + sizeof(result);
	size_t size = record_make(record, RECORD_TYPE_SAMPLE, 0, body - 8, 0);

	memcpy(record + 8, ids, sizeof(ids));
	memcpy(record + 16, &time, sizeof(time));
	memcpy(record + 28, &number, sizeof(number));
	memcpy(record + 44, &result, sizeof(result));
	ck_assert(open_event_parse(record, size, points, 2, &event));
	ck_assert(event.kind == MAP_EVENT_OPEN && event.tgid == 7 && event.tid == 8);
	ck_assert_uint_eq(event.descriptor, 33);
	ck_assert_uint_eq(event.time, 5);
	for (size_t cut = 0; cut < size; cut++)
		ck_assert(!open_event_parse(record, cut, points, 2, &event));
	result = -2;
	memcpy(record + 44, &result, sizeof(result));
	ck_assert(!open_event_parse(record, size, points, 2, &event));
	/* a connect may fail */
	number = 301;
	memcpy(record + 28, &number, sizeof(number));
	ck_assert(open_event_parse(record, size, points, 2, &event));
	ck_assert(event.kind == MAP_EVENT_CONNECTED && event.tid == 8);
	ck_assert(!open_event_parse(record, size, points, 1, &event));
}
END_TEST

Suite *map_table_suite(void)
{
	Suite *suite = suite_create("map_table");
	TCase *tests = tcase_create("map_table");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, only_of_stacks_that_were_seen);
	tcase_add_test(tests, a_child_has_what_its_parent_has_until_it_executes);
	tcase_add_test(tests, contradictions_make_sets);
	tcase_add_test(tests, lines_of_maps_are_parsed);
	tcase_add_test(tests, generated_functions_are_picked);
	tcase_add_test(tests, records_of_perf_are_parsed);
	tcase_add_test(tests, samples_of_calls_are_parsed);
	tcase_add_test(tests, kept_without_stacks);
	suite_add_tcase(suite, tests);
	return suite;
}
