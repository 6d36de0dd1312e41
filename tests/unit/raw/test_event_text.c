/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "raw/event_text.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/file/seal.h"
#include "suites.h"
#include "text_fixture.h"

#define VALUE  TEXT_FIELD("u64 value", 8, 8, 0)
#define NUMBER TEXT_FORMAT("number", 7, VALUE, "\"value is %llu\\n\", REC->value")
#define PLACE  TEXT_FORMAT("place", 8, VALUE, "\"at %pS\", (void *)REC->value")
#define STACK  TEXT_FORMAT("kernel_stack", 9, VALUE, "\"stack %llu\", REC->value")
/* The library is to write two billion blanks, each time in a larger buffer. */
#define WIDE   TEXT_FORMAT("wide", 10, VALUE, "\"%2000000000llu\", REC->value")
#define ODD    TEXT_FORMAT("odd", 11, VALUE, "\"%d\", no_such_function(REC->value)")
#define BASE   TEXT_FORMAT("base", 12, VALUE, "\"%llx\", (u64)a_variable + REC->value")

static struct buffer why;
static struct event_text_item items[2 * EVENT_TEXT_BATCH];

/* A format with that ID, of two digits, of which the library's parser needs more stack than there
   is; to be freed. */
static char *deep_format(unsigned id)
{
	char begin[] = "name: deep\nID: 00\nformat:\n" TEXT_COMMON VALUE "\nprint fmt: \"%d\", ";
	const size_t depth = 1000000;
	char *text = malloc(sizeof(begin) + 2 * depth + 2);

	begin[15] = (char)('0' + id / 10);
	begin[16] = (char)('0' + id % 10);
	memcpy(text, begin, sizeof(begin) - 1);
	memset(text + sizeof(begin) - 1, '(', depth);
	text[sizeof(begin) - 1 + depth] = '1';
	memset(text + sizeof(begin) + depth, ')', depth);
	memcpy(text + sizeof(begin) + 2 * depth, "\n", 2);
	return text;
}

static struct event_text *texts(struct source *source, const char *filter)
{
	struct event_text *text;

	buffer_init(&why, 1000);
	text = event_text_new(source, filter, &why);
	ck_assert_msg(text != NULL, "%s", why.text);
	return text;
}

static void item_set(unsigned number, uint16_t type, uint64_t value)
{
	items[number] = (struct event_text_item){.record = text_record(number, type, value)};
}

static void assert_text(unsigned number, const char *expected, bool is_plain)
{
	const struct event_text_item *item = &items[number];

	ck_assert(!item->is_left_out);
	ck_assert_msg(item->length == strlen(expected) &&
	              memcmp(item->text, expected, item->length) == 0, "item %u: \"%.*s\"", number,
	              (int)item->length, item->text);
	ck_assert_int_eq(item->is_plain, is_plain);
}

/* The print format, the names of functions and variables, and what the library cannot read. */
START_TEST(test_texts)
{
	struct source *source = text_fixture();
	struct event_text *text;

	text_fixture_add(source, "test", NUMBER);
	text_fixture_add(source, "test", PLACE);
	text_fixture_add(source, "test", ODD);
	text_fixture_symbols("ffffffff81000000 T _text\nffffffff81000100 T do_work\n"
	                     "ffffffff81000200 T end\n");
	text = texts(source, NULL);
	item_set(0, 7, 4711);
	item_set(1, 8, 0xffffffff81000110);
	item_set(2, 11, 5);
	item_set(3, 99, 0);
	event_text_write(text, items, 4);
	assert_text(0, "value is 4711", false);
	assert_text(1, "at do_work+0x10", false);
	/* plain_text.h writes the same values */
	assert_text(2, "[FAILED TO PARSE] value=5", false);
	assert_text(3, "unknown event 99, 16 bytes", true);
	ck_assert_uint_eq(event_text_failed(text), 0);
	text = event_text_free(text);
	buffer_release(&why);
}
END_TEST

/* Zeros are not addresses, and a variable's name is its address. */
START_TEST(test_symbols)
{
	struct source *source = text_fixture();
	struct event_text *text;

	text_fixture_add(source, "test", PLACE);
	text_fixture_add(source, "test", BASE);
	text_fixture_symbols(_i ? "0000000000000000 T _text\n0000000000000000 D a_variable\n"
	                        : "0000000000001000 T _text\n0000000000002000 D a_variable\n");
	text = texts(source, NULL);
	item_set(0, 12, 5);
	item_set(1, 8, 0x1004);
	event_text_write(text, items, 2);
	assert_text(0, _i ? "5" : "2005", false);
	assert_text(1, _i ? "at 0x1004" : "at _text+0x4", false);
	text = event_text_free(text);
	buffer_release(&why);
}
END_TEST

/* Two batches wait, each as long as may be. */
START_TEST(test_batches)
{
	struct source *source = text_fixture();
	struct event_text *text;
	char expected[64];

	text_fixture_add(source, "test", NUMBER);
	text = texts(source, NULL);
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 2 * EVENT_TEXT_BATCH; i++)
			item_set(i, 7, round * 1000 + i);
		event_text_submit(text, items, EVENT_TEXT_BATCH);
		event_text_submit(text, items + EVENT_TEXT_BATCH, EVENT_TEXT_BATCH);
		ck_assert_uint_eq(event_text_collect(text), EVENT_TEXT_BATCH);
		ck_assert_uint_eq(event_text_collect(text), EVENT_TEXT_BATCH);
		ck_assert_uint_eq(event_text_collect(text), 0);
		for (unsigned i = 0; i < 2 * EVENT_TEXT_BATCH; i++) {
			(void)snprintf(expected, sizeof(expected), "value is %u", round * 1000 + i);
			assert_text(i, expected, false);
		}
	}
	text = event_text_free(text);
	buffer_release(&why);
}
END_TEST

static void write_deep(struct event_text *text)
{
	for (unsigned i = 0; i < 10; i++)
		item_set(i, i % 2 ? 13 : 7, i);
	event_text_write(text, items, 10);
	for (unsigned i = 0; i < 10; i++) {
		char expected[64];

		(void)snprintf(expected, sizeof(expected), i % 2 ? "value=%u" : "value is %u", i);
		assert_text(i, expected, i % 2);
	}
	ck_assert_uint_eq(event_text_failed(text), 5);
}

/* A crash costs one text, and a format that crashes often is not asked for. */
START_TEST(test_crash)
{
	struct source *source = text_fixture();
	char *deep = deep_format(13);
	struct event_text *text;

	text_fixture_add(source, "test", NUMBER);
	text_fixture_add(source, "test", deep);
	text = texts(source, NULL);
	write_deep(text);
	text = event_text_free(text);
	free(deep);
	buffer_release(&why);
}
END_TEST

/* The only child of this process; 0: there is none. */
static pid_t only_child(void)
{
	char path[64];
	FILE *children;
	int child = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", getpid(), getpid());
	children = fopen(path, "r");
	if (children && fscanf(children, "%d", &child) != 1)
		child = 0;
	if (children)
		(void)fclose(children);
	return child;
}

/* After many crashes the library is not asked any more, and all goes on without it. */
static void fail_often(struct event_text *text, unsigned first, unsigned count)
{
	for (unsigned i = 0; i < EVENT_TEXT_BATCH; i++)
		item_set(i, (uint16_t)(first + i % count), i);
	event_text_write(text, items, EVENT_TEXT_BATCH);
	for (unsigned i = 0; i < EVENT_TEXT_BATCH; i++)
		ck_assert(items[i].is_plain && items[i].length > 0);
}

START_TEST(test_many_crashes)
{
	struct source *source = text_fixture();
	char *deep[25];
	struct event_text *text;

	text_fixture_add(source, "test", NUMBER);
	for (unsigned i = 0; i < ARRAY_SIZE(deep); i++) {
		deep[i] = deep_format(20 + i);
		text_fixture_add(source, "test", deep[i]);
	}
	text = texts(source, NULL);
	fail_often(text, 20, ARRAY_SIZE(deep));
	ck_assert_int_eq(only_child(), 0);
	item_set(0, 7, 5);
	event_text_submit(text, items, 1);
	ck_assert_uint_eq(event_text_collect(text), 1);
	assert_text(0, "value=5", true);
	ck_assert_uint_eq(event_text_failed(text), EVENT_TEXT_BATCH + 1);
	text = event_text_free(text);
	for (unsigned i = 0; i < ARRAY_SIZE(deep); i++)
		free(deep[i]);
	buffer_release(&why);
}
END_TEST

/* A crash in a process that may not send signals, nor open anything for writing. */
START_TEST(test_sealed)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct source *source = text_fixture();
		char *deep = deep_format(13);
		struct event_text *text;

		text_fixture_add(source, "test", NUMBER);
		text_fixture_add(source, "test", deep);
		(void)seal_begin(-1);
		buffer_init(&why, 1000);
		text = event_text_new(source, NULL, &why);
		for (unsigned i = 0; i < 10; i++)
			item_set(i, i % 2 ? 13 : 7, i);
		event_text_write(text, items, 10);
		_exit(event_text_failed(text) == 5 && items[8].length == 10 && !items[8].is_plain
		              ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", status);
}
END_TEST

/* What takes too long or too much memory costs one text, too. */
START_TEST(test_hang)
{
	struct source *source = text_fixture();
	struct event_text *text;

	text_fixture_add(source, "test", NUMBER);
	text_fixture_add(source, "test", WIDE);
	text = texts(source, NULL);
	item_set(0, 10, 1);
	item_set(1, 7, 2);
	event_text_write(text, items, 2);
	assert_text(0, "value=1", true);
	assert_text(1, "value is 2", false);
	ck_assert_uint_eq(event_text_failed(text), 1);
	text = event_text_free(text);
	buffer_release(&why);
}
END_TEST

static unsigned descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	while (folder && readdir(folder))
		count++;
	if (folder)
		(void)closedir(folder);
	return count;
}

/* A child that is killed between two batches costs nothing, and nothing is left of any. */
START_TEST(test_killed)
{
	struct source *source = text_fixture();
	unsigned before = descriptors();
	struct event_text *text;

	text_fixture_add(source, "test", NUMBER);
	text = texts(source, NULL);
	for (unsigned i = 0; i < 5; i++) {
		item_set(0, 7, i);
		event_text_write(text, items, 1);
		ck_assert(!items[0].is_plain);
		if (only_child() > 0)
			ck_assert_int_eq(kill(only_child(), SIGKILL), 0);
	}
	ck_assert_uint_eq(event_text_failed(text), 0);
	text = event_text_free(text);
	ck_assert_int_eq(only_child(), 0);
	ck_assert_uint_eq(descriptors(), before);
	buffer_release(&why);
}
END_TEST

static struct source *filter_fixture(void)
{
	struct source *source = text_fixture();

	text_fixture_add(source, "test", NUMBER);
	text_fixture_add(source, "test", PLACE);
	text_fixture_add(source, "ftrace", STACK);
	return source;
}

/* An event must pass one of the filters; a stack passes with the event before it. */
START_TEST(test_filters)
{
	static const struct {
		const char *filter;
		bool is_shown[6];
	} cases[] = {
		{"number: value < 3", {true, true, false, false, false, false}},
		{"test/number", {true, true, true, true, false, false}},
		{"number: value == 9 ; place", {false, false, true, true, true, false}},
		{";number: COMM == \"a;b\"", {false, false, true, true, false, false}},
	};
	struct source *source = filter_fixture();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_text *text = texts(source, cases[i].filter);

		item_set(0, 7, 1);
		item_set(1, 9, 1);
		item_set(2, 7, 9);
		item_set(3, 9, 2);
		item_set(4, 8, 5);
		item_set(5, 99, 0);
		for (unsigned j = 0; j < 6; j++)
			items[j].comm = j == 2 ? "a;b" : "other";
		event_text_write(text, items, 6);
		for (unsigned j = 0; j < 6; j++)
			ck_assert_msg(items[j].is_left_out != cases[i].is_shown[j], "%s: %u",
			              cases[i].filter, j);
		ck_assert_uint_eq(event_text_failed(text), 0);
		text = event_text_free(text);
		buffer_release(&why);
	}
}
END_TEST

/* Each is one line that has the filter. */
START_TEST(test_wrong_filters)
{
	static const char *const filters[] = {
		"", " ; ", "no_such_event", "number: no_such_field == 1", "number: value ==", "(",
		"number: value == \"", ":", "number: (value == 1",
		"number: value < 3 || no_such_field == 1", "number: !(no_such_field == 1)",
	};
	struct source *source = filter_fixture();

	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		buffer_init(&why, 1000);
		ck_assert_msg(!event_text_new(source, filters[i], &why), "%s", filters[i]);
		ck_assert_msg(strstr(why.text, "\" is no filter of events: ") != NULL, "%s",
		              why.text);
		ck_assert_ptr_nonnull(strstr(why.text, filters[i]));
		ck_assert_ptr_null(strchr(why.text, '\n'));
		buffer_release(&why);
	}
	ck_assert_int_eq(only_child(), 0);
}
END_TEST

/* One that may pass, whatever else is asked for by fields that it lacks. */
START_TEST(test_only_format)
{
	static const struct {
		const char *filter, *event;
	} cases[] = {
		{"number: value < 3", "number"}, {"test/number", "number"},
		{"number: value < 3 ; number: value > 7", "number"},
		{"number; place", NULL}, {".*: value < 3", NULL}, {NULL, NULL},
	};
	struct source *source = filter_fixture();
	struct event_text *text = texts(source, cases[_i].filter);
	const struct raw_format *only = event_text_only_format(text);

	ck_assert_int_eq(only != NULL, cases[_i].event != NULL);
	ck_assert(!only || strcmp(only->name, cases[_i].event) == 0);
	text = event_text_free(text);
	buffer_release(&why);
}
END_TEST

/* What the library says, and what it does not notice. */
START_TEST(test_reasons)
{
	static const struct {
		const char *filter, *reason;
	} cases[] = {
		{"number: (value == 1", "Unbalanced number of '('"},
		{"number: value < 3 || valu == 1",
		 "number has no field \"valu\"; did you mean \"value\"?"},
		{"number: value < 3 && COMM =~ \"x; y \\\" z\" || other == 1",
		 "number has no field \"other\""},
		{"number,kernel_stack: other == 0x1f",
		 "no event of that name has a field \"other\""},
	};
	struct source *source = filter_fixture();

	buffer_init(&why, 1000);
	ck_assert(!event_text_new(source, cases[_i].filter, &why));
	ck_assert_msg(strcmp(why.text + why.length - strlen(cases[_i].reason),
	                     cases[_i].reason) == 0, "%s", why.text);
	buffer_release(&why);
}
END_TEST

/* A format on which the library crashes does not keep a filter of others from being applied. */
START_TEST(test_filter_and_crash)
{
	struct source *source = text_fixture();
	char *deep = deep_format(13);
	struct event_text *text;

	text_fixture_add(source, "test", deep);
	text_fixture_add(source, "test", NUMBER);
	text = texts(source, "number: value > 2; deep: value == 5");
	for (unsigned i = 0; i < 10; i++)
		item_set(i, i % 2 ? 13 : 7, i);
	event_text_write(text, items, 10);
	for (unsigned i = 0; i < 10; i++)
		ck_assert_int_eq(items[i].is_left_out, i % 2 ? i != 5 : i <= 2);
	assert_text(5, "value=5", true);
	assert_text(8, "value is 8", false);
	ck_assert_uint_eq(event_text_failed(text), 1);
	text = event_text_free(text);
	free(deep);
	buffer_release(&why);
}
END_TEST

/* A program without the library writes names and values, and refuses filters. */
START_TEST(test_absent)
{
	struct source *source = filter_fixture();
	struct event_text *text;

	buffer_init(&why, 1000);
	ck_assert_ptr_null(event_text_new(source, "number", &why));
	ck_assert_ptr_nonnull(strstr(why.text, "without libtraceevent"));
	buffer_release(&why);
	text = texts(source, NULL);
	item_set(0, 7, 4711);
	item_set(1, 99, 0);
	event_text_submit(text, items, 1);
	event_text_submit(text, items + 1, 1);
	ck_assert_uint_eq(event_text_collect(text), 1);
	ck_assert_uint_eq(event_text_collect(text), 1);
	ck_assert_uint_eq(event_text_collect(text), 0);
	assert_text(0, "value=4711", true);
	assert_text(1, "unknown event 99, 16 bytes", true);
	text = event_text_free(text);
	buffer_release(&why);
}
END_TEST

Suite *event_text_suite(void)
{
	Suite *suite = suite_create("event_text");
	TCase *all = tcase_create("all");

	tcase_set_timeout(all, 60);
	if (event_text_is_built()) {
		tcase_add_test(all, test_texts);
		tcase_add_loop_test(all, test_symbols, 0, 2);
		tcase_add_test(all, test_batches);
		tcase_add_test(all, test_crash);
		tcase_add_test(all, test_many_crashes);
		tcase_add_test(all, test_sealed);
		tcase_add_test(all, test_hang);
		tcase_add_test(all, test_killed);
		tcase_add_test(all, test_filters);
		tcase_add_test(all, test_wrong_filters);
		tcase_add_loop_test(all, test_reasons, 0, 4);
		tcase_add_loop_test(all, test_only_format, 0, 6);
		tcase_add_test(all, test_filter_and_crash);
	} else {
		tcase_add_test(all, test_absent);
	}
	suite_add_tcase(suite, all);
	return suite;
}
