/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/top_words.h"

#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "suites.h"

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

static struct top_shot shot_of_board(void)
{
	return (struct top_shot){
		.begin = 7 * S,
		.end = 8 * S,
		.host = "board7",
		.kernel = "6.18.44",
		.cpu_count = 2,
		.events = 51204,
		.has_own_cpu = true,
		.own_cpu = 0.014,
		.waiting = 1000 * MS,
		.by_kind = {
			[CAUSE_DISK] = 410 * MS,
			[CAUSE_NET] = 120 * MS,
			[CAUSE_LOCK] = 330 * MS,
			[CAUSE_TASK] = 90 * MS,
			[CAUSE_TIMER] = 50 * MS,
		},
		.queued_now = 6,
		.wait_count = 100,
		.wait_p50 = 1240000,
		.wait_p99 = 48 * MS,
		.wait_max = 212 * MS,
	};
}

static void check_text(void (*append)(struct buffer *, const struct top_shot *),
                       const struct top_shot *shot, const char *expected)
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, 1000);
	append(&text, shot);
	ck_assert_str_eq(text.text, expected);
}

START_TEST(times_are_short)
{
	static const struct {
		nsec_t time;
		const char *expected;
	} cases[] = {
		{0, "0"},
		{812, "812 ns"},
		{5302, "5.3 us"},
		{999999, "999.9 us"},
		{41040 * MS / 1000, "41.0 ms"},
		{S - 1, "999.9 ms"},
		{1204 * MS, "1.204 s"},
		{10 * S - 1, "9.999 s"},
		{12360 * MS, "12.3 s"},
		{10000 * S - 1, "9999.9 s"},
		{999999 * S, "999999 s"},
		{UINT64_MAX, "18446744073 s"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(buffer_release) struct buffer text = {0};

		buffer_init(&text, 100);
		top_time_append(&text, cases[i].time);
		ck_assert_str_eq(text.text, cases[i].expected);
		if (cases[i].time <= 999999 * S)
			ck_assert_uint_le(text.length, TOP_TIME_COLUMNS);
	}
}
END_TEST

START_TEST(the_head_says_what_is_known)
{
	struct top_shot shot = shot_of_board(), empty = {.end = S};

	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	check_text(top_title_append, &shot, "ftwait top  board7  6.18.44  2 CPUs");
	check_text(top_clock_append, &shot, "own CPU 1.4 %");
	shot.day_ns = 1764247267 * S;
	check_text(top_clock_append, &shot, "12:41:07  own CPU 1.4 %");
	shot.has_own_cpu = false;
	check_text(top_clock_append, &shot, "12:41:07");
	shot.host = "a\033[2J\nb";
	check_text(top_title_append, &shot, "ftwait top  a\\x1b[2J\\x0ab  6.18.44  2 CPUs");
	check_text(top_title_append, &empty, "ftwait top");
	check_text(top_clock_append, &empty, "");
}
END_TEST

START_TEST(four_kinds_are_named)
{
	struct top_shot shot = shot_of_board(), empty = {0};

	check_text(top_rate_append, &shot,
	           "51,204 events/s, 0 lost | waiting for disk 41 %, lock 33 %, net 12 %, task 9 %");
	shot.end = shot.begin + 2 * S;
	shot.lost = 1234;
	shot.by_kind[CAUSE_DISK] = shot.by_kind[CAUSE_NET] = shot.by_kind[CAUSE_LOCK] = 0;
	shot.by_kind[CAUSE_TIMER] = 4 * MS;
	check_text(top_rate_append, &shot,
	           "25,602 events/s, 1,234 lost | waiting for task 9 %, timer <1 %");
	check_text(top_rate_append, &empty, "0 events/s, 0 lost | no waits");
}
END_TEST

START_TEST(lengths_of_waits)
{
	struct top_shot shot = shot_of_board(), empty = {0};

	check_text(top_queue_append, &shot,
	           "6 tasks queued for 2 CPUs; waits p50 1.2 ms, p99 48.0 ms, max 212.0 ms");
	check_text(top_queue_append, &empty, "0 tasks queued; no wait ended");
}
END_TEST

/* Nothing waits, but not because all is well. */
START_TEST(too_little_cpu_is_said)
{
	struct top_shot shot = {
		.begin = 7 * S, .end = 9 * S, .cpu_count = 2, .queued_now = 43,
		.running = 4 * S, .runnable = 86 * S,
	};

	check_text(top_rate_append, &shot, "0 events/s, 0 lost | no waits but for a CPU");
	check_text(top_queue_append, &shot,
	           "Too little CPU: 45.0 tasks for 2 CPUs; no wait ended");
	check_text(top_longest_append, &shot, "no task waits now but for a CPU");
	shot.queued_now = 0;
	check_text(top_longest_append, &shot, "no task waits now");
	shot.queued_now = 1;
	shot.runnable = 80 * MS;
	check_text(top_rate_append, &shot, "0 events/s, 0 lost | no waits");
	check_text(top_queue_append, &shot, "1 task queued for 2 CPUs; no wait ended");
	check_text(top_longest_append, &shot, "no task waits now");
}
END_TEST

START_TEST(no_rows_are_explained)
{
	struct top_shot shot = {0};

	check_text(top_none_append, &shot, "(none)");
	shot.stopped = 1;
	check_text(top_none_append, &shot, "(nothing ran: 1 task stopped)");
	shot.asleep = 1200;
	check_text(top_none_append, &shot, "(nothing ran: 1,200 tasks asleep, 1 stopped)");
	shot.stopped = 0;
	check_text(top_none_append, &shot, "(nothing ran: 1,200 tasks asleep)");
}
END_TEST

START_TEST(the_trend_is_of_the_newest)
{
	static const struct {
		size_t length;
		bool is_utf8;
		const char *expected;
	} cases[] = {
		{16, true, "|▄█ ▁▁▅|"},
		{16, false, "|=# __+|"},
		{4, true, "| ▁▂█|"},
		{1, false, "|#|"},
		{0, false, ""},
	};
	struct top_shot shot = {
		.trend = {4, 8, 0, 0.01, 1, 4.5}, .trend_count = 6,
	}, empty = {0};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(buffer_release) struct buffer text = {0};

		buffer_init(&text, 100);
		top_trend_append(&text, &shot, cases[i].length, cases[i].is_utf8);
		ck_assert_str_eq(text.text, cases[i].expected);
		buffer_clear(&text);
		top_trend_append(&text, &empty, cases[i].length, cases[i].is_utf8);
		ck_assert_str_eq(text.text, "");
	}
}
END_TEST

START_TEST(the_longest_wait)
{
	struct top_shot shot = shot_of_board();

	check_text(top_longest_append, &shot, "no task waits now");
	check_text(top_longest_append_short, &shot, "no task waits now");
	shot.has_open = true;
	shot.open = (struct top_open){
		.task = {.tid = 812, .comm = "postgres"},
		.since = shot.end - 3412 * MS,
		.letter = 'D',
		.has_cause = true,
		.cause = {.kind = CAUSE_DISK, .disk = "vda", .as.disk.dev = 254 << 20},
		.has_behind = true,
		.behind = {.tid = 211, .comm = "jbd2/vda-8"},
	};
	check_text(top_longest_append, &shot,
	           "postgres[812] in D for 3.412 s: disk vda, behind jbd2/vda-8[211]");
	check_text(top_longest_append_short, &shot, "3.412 s postgres[812]: disk vda");
	shot.open.cause = (struct cause){
		.kind = CAUSE_TASK, .has_waker = true, .waker = {.tid = 211, .comm = "jbd2/vda-8"},
		.purpose = "data from a pipe",
	};
	check_text(top_longest_append, &shot, "postgres[812] in D for 3.412 s: for data from a pipe"
	                                      ", behind jbd2/vda-8[211]");
	check_text(top_longest_append_short, &shot,
	           "3.412 s postgres[812]: task jbd2/vda-8 (for data from a pipe)");
	shot.open.is_since_begin = true;
	shot.open.has_behind = false;
	shot.open.cause = (struct cause){.kind = CAUSE_UNKNOWN, .purpose = "data from a pipe"};
	check_text(top_longest_append, &shot,
	           "postgres[812] in D for over 3.412 s: for data from a pipe");
	shot.open.cause.purpose = NULL;
	check_text(top_longest_append, &shot, "postgres[812] in D for over 3.412 s: cause not recorded");
	shot.open.has_cause = false;
	shot.open.since = shot.end + 1;
	check_text(top_longest_append, &shot, "postgres[812] in D for over 0");
}
END_TEST

static void check_row(const struct top_row *row, const char *name, const char *waited_for,
                      const char *behind)
{
	static void (*const append[])(struct buffer *, const struct top_row *) = {
		top_row_name_append, top_row_for_append, top_row_behind_append,
	};
	const char *expected[] = {name, waited_for, behind};

	for (size_t i = 0; i < ARRAY_SIZE(append); i++) {
		_cleanup_(buffer_release) struct buffer text = {0};

		buffer_init(&text, 1000);
		append[i](&text, row);
		ck_assert_str_eq(text.text, expected[i]);
	}
}

static void check_for(const struct top_row *row, const char *alone, const char *beside)
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, 1000);
	top_row_for_append(&text, row);
	ck_assert_str_eq(text.text, alone);
	buffer_clear(&text);
	top_row_for_append_beside(&text, row);
	ck_assert_str_eq(text.text, beside);
}

START_TEST(cells_of_a_row)
{
	struct top_row row = {
		.name = "mysqld",
		.task = {.tid = -1},
		.has_cause = true,
		.cause = {.kind = CAUSE_LOCK, .name = "rwsem"},
		.cause_waits = 1005,
		.has_behind = true,
		.behind = {.tid = 7, .comm = "my\nsqld"},
	};

	check_row(&row, "mysqld", "lock rwsem, 1,005 times", "my\\x0asqld");
	row.task = (struct task){.tid = 812, .comm = "mysqld"};
	check_row(&row, "mysqld[812]", "lock rwsem, 1,005 times", "my\\x0asqld[7]");
	row = (struct top_row){.name = "", .task.tid = -1};
	check_row(&row, "", "", "");
}
END_TEST

START_TEST(beside_the_task_its_name_is_not_repeated)
{
	struct top_row row = {
		.name = "wc", .task = {.tid = -1}, .has_cause = true, .cause_waits = 1344,
		.cause = {.kind = CAUSE_TASK, .has_waker = true, .purpose = "data from a pipe",
		          .waker = {.tid = 7, .comm = "cat"}},
		.has_behind = true, .behind = {.tid = 8, .comm = "cat"},
	};

	check_for(&row, "task cat (for data from a pipe), 1,344 times",
	          "data from a pipe, 1,344 times");
	row.behind.comm = "sort";
	check_for(&row, "task cat (for data from a pipe), 1,344 times",
	          "task cat (for data from a pipe), 1,344 times");
	row.has_behind = false;
	row.cause.purpose = NULL;
	check_for(&row, "task cat, 1,344 times", "task cat, 1,344 times");
	row.has_behind = true;
	row.behind.comm = "cat";
	row.cause_waits = 1;
	check_for(&row, "task cat", "task");
	/* what is not another task keeps its name */
	row.cause = (struct cause){.kind = CAUSE_LOCK, .name = "cat"};
	check_for(&row, "lock cat", "lock cat");
	row.cause = (struct cause){.kind = CAUSE_UNKNOWN, .purpose = "data from a pipe"};
	check_for(&row, "data from a pipe", "data from a pipe");
	row.has_cause = false;
	check_for(&row, "", "");
}
END_TEST

START_TEST(rows_have_a_word)
{
	ck_assert_str_eq(top_by_word(TOP_BY_COMM), "comms");
	ck_assert_str_eq(top_by_word(TOP_BY_TASK), "tasks");
	ck_assert_str_eq(top_by_word(TOP_BY_CGROUP), "cgroups");
	ck_assert_str_eq(top_name_head(TOP_BY_COMM), "TASK");
	ck_assert_str_eq(top_name_head(TOP_BY_CGROUP), "CGROUP");
}
END_TEST

Suite *top_words_suite(void)
{
	Suite *suite = suite_create("top_words");
	TCase *tests = tcase_create("top_words");

	tcase_add_test(tests, times_are_short);
	tcase_add_test(tests, the_head_says_what_is_known);
	tcase_add_test(tests, four_kinds_are_named);
	tcase_add_test(tests, lengths_of_waits);
	tcase_add_test(tests, too_little_cpu_is_said);
	tcase_add_test(tests, no_rows_are_explained);
	tcase_add_test(tests, the_trend_is_of_the_newest);
	tcase_add_test(tests, the_longest_wait);
	tcase_add_test(tests, cells_of_a_row);
	tcase_add_test(tests, beside_the_task_its_name_is_not_repeated);
	tcase_add_test(tests, rows_have_a_word);
	suite_add_tcase(suite, tests);
	return suite;
}
