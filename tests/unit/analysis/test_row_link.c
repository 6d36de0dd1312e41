/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/row_link.h"

#include "base/cleanup.h"
#include "base/data/array.h"
#include "suites.h"

#define BEGIN UINT64_C(5000000000)

static struct timeline timeline;
static struct asked asked;
static struct resolved resolved;
static struct question question;

static const struct column columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"begin_ns", "BEGIN", CELL_INSTANT, 0},
	{"wait_ns", "WAITED", CELL_DURATION, 0},
	{"name", "NAME", CELL_TEXT, 0},
	{"other", "OTHER", CELL_TASK, 0},
	{"tasks", NULL, CELL_ROWS, COLUMN_DATA_ONLY},
};

static const struct column within[] = {{"comm", NULL, CELL_TEXT, 0}};
static const struct cell first[] = {{.type = CELL_TEXT, .text = "in the first row"}};

static struct cell cells[ARRAY_SIZE(columns)];

static void begin(void)
{
	asked = (struct asked)ASKED_EVERYTHING;
	resolved = (struct resolved){0};
	timeline = (struct timeline){.begin = BEGIN};
	question = (struct question){
		.asked = &asked, .resolved = &resolved, .timeline = &timeline};
	cells[0] = (struct cell){.type = CELL_TASK, .task = {.tid = 17, .comm = "server"}};
	cells[1] = (struct cell){.type = CELL_INSTANT, .time = BEGIN + 1234567};
	cells[2] = (struct cell){.type = CELL_DURATION, .time = 1000500};
	cells[3] = (struct cell){.type = CELL_TEXT, .text = "it's, [x]"};
	cells[4] = (struct cell){.type = CELL_EMPTY};
	cells[5] = (struct cell){.type = CELL_ROWS, .rows = {within, 1, first, 1}};
}

/* "-": nothing is behind the row. */
static void expect(const char *pattern, const char *options)
{
	_cleanup_(buffer_release) struct buffer link = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (!row_link_append(&link, pattern, columns, cells, ARRAY_SIZE(columns), &question)) {
		ck_assert_uint_eq(link.length, 0);
		buffer_puts(&link, "-");
	}
	ck_assert_str_eq(link.text, options);
}

/* Instants are since the begin, in microseconds, rounded outwards. */
START_TEST(cells_become_values)
{
	begin();
	expect("--waits --tid {task}", "--waits --tid 17");
	expect("--chains --tid {task} --from {from:begin_ns} --to {to:begin_ns+wait_ns}",
	       "--chains --tid 17 --from 0.001234 --to 0.002236");
	expect("--syscall={name}", "--syscall='it'\\''s, [x]'");
	expect("--waits --comm {tasks.comm}", "--waits --comm 'in the first row'");
	expect(NULL, "-");
	cells[0].task.host = "web";
	expect("--waits --tid {task}", "--waits --tid web:17");
}
END_TEST

START_TEST(empty_cells_leave_out_what_needs_them)
{
	begin();
	expect("--waits --tid {other}", "-");
	expect("--waits[ --tid {other}] --sort wait", "--waits --sort wait");
	expect("--waits --tid {other}|--summary --tid {task}", "--summary --tid 17");
	expect("--waits --tid {none}|--disk", "--disk");
	cells[0].task.tid = 0; /* the idle tasks all have this one */
	expect("--waits --tid {task}", "-");
}
END_TEST

START_TEST(what_is_asked_for_goes_on)
{
	static const int32_t pids[] = {3, 4};
	static const char *const comms[] = {"a b"};

	begin();
	resolved.is_windowed = true;
	resolved.begin = BEGIN + 1000000;
	resolved.end = BEGIN + 2000001;
	asked.pids = (struct asked_numbers){.number = pids, .count = 2};
	asked.comms = comms;
	asked.comm_count = 1;
	expect("--disk", "--disk --from 0.001000 --to 0.002001 --pid 3,4 --comm 'a b'");
	expect("--disk --tid {task}", "--disk --tid 17 --from 0.001000 --to 0.002001");
	expect("--disk --from {from:begin_ns} --to {to:begin_ns}",
	       "--disk --from 0.001234 --to 0.001235 --pid 3,4 --comm 'a b'");
}
END_TEST

Suite *row_link_suite(void)
{
	Suite *suite = suite_create("row_link");
	TCase *tests = tcase_create("row_link");

	tcase_add_test(tests, cells_become_values);
	tcase_add_test(tests, empty_cells_leave_out_what_needs_them);
	tcase_add_test(tests, what_is_asked_for_goes_on);
	suite_add_tcase(suite, tests);
	return suite;
}
