/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/json_reader.h"
#include "live/top_output.h"
#include "sample_shots.h"
#include "suites.h"

/* What a strict reader makes of the line; the caller frees it. */
static struct json *shown(const struct top_shot *shot, size_t rows_max)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	struct json *json = NULL;
	struct buffer why;

	top_json_put(out, shot, rows_max);
	(void)fclose(out);
	ck_assert(length > 0 && text[length - 1] == '\n');
	ck_assert_ptr_eq(strchr(text, '\n'), text + length - 1);
	buffer_init(&why, 100);
	ck_assert_msg(json_parse(text, length, &json, &why) == 0, "%s: %s", text, why.text);
	buffer_release(&why);
	free(text);
	return json;
}

static void check_text(const struct json *json, const char *path, const char *expected)
{
	const struct json *found = json_find(json, path);

	ck_assert_msg(found && found->type == JSON_TEXT, "%s is no text", path);
	ck_assert_str_eq(json_text(found), expected);
}

static void check_number(const struct json *json, const char *path, uint64_t expected)
{
	const struct json *found = json_find(json, path);

	ck_assert_msg(found && found->is_integer && !found->is_negative, "%s is no integer", path);
	ck_assert_msg(json_u64(found) == expected, "%s is %s", path, found->text);
}

static void check_bool(const struct json *json, const char *path, bool expected)
{
	const struct json *found = json_find(json, path);

	ck_assert_msg(found && found->type == JSON_BOOL, "%s is no bool", path);
	ck_assert_msg(found->boolean == expected, "%s", path);
}

static void check_null(const struct json *json, const char *path)
{
	const struct json *found = json_find(json, path);

	ck_assert_msg(found && found->type == JSON_NULL, "%s is not null", path);
}

START_TEST(a_line_has_the_whole_interval)
{
	struct top_shot shot = sample_shot();
	struct json *json;

	shot.running = 2000000000;
	shot.runnable = 400000000;
	json = shown(&shot, 0);

	check_text(json, "schema", "ftwait.top/1");
	check_text(json, "host", "board7");
	check_text(json, "kernel", "6.18.44");
	check_number(json, "cpus", 2);
	check_number(json, "realtime_ns", UINT64_C(1764204067000000000));
	check_number(json, "begin_ns", UINT64_C(7000000000));
	check_number(json, "end_ns", UINT64_C(8000000000));
	check_number(json, "events", 51204);
	check_number(json, "lost", 3);
	ck_assert(fabs(json_find(json, "own_cpu")->real - 0.014) < 1e-9);
	check_number(json, "waiting_ns", 1000300000);
	check_number(json, "queued_now", 6);
	ck_assert(fabs(json_find(json, "cpu_demand")->real - 2.4) < 1e-9);
	check_bool(json, "is_cpu_too_little", true);
	check_number(json, "waits_ended", 1231);
	check_number(json, "wait_p50_ns", 1200000);
	check_number(json, "wait_p99_ns", 48000000);
	check_number(json, "wait_max_ns", 212400000);
	check_null(json, "note");
	ck_assert_uint_eq(json_count(json_find(json, "by_kind")), 2);
	check_number(json, "by_kind.lock", 612300000);
	check_number(json, "by_kind.disk", 388000000);
	ck_assert_uint_eq(json_count(json_find(json, "rows")), 2);
	check_number(json, "rows_left", 0);
	json_free(json);
}
END_TEST

START_TEST(a_row_has_its_cause_and_the_task_in_front)
{
	const struct top_shot shot = sample_shot();
	struct json *json = shown(&shot, 0);

	check_text(json, "rows.0.comm", "mysqld");
	ck_assert_ptr_null(json_find(json, "rows.0.task"));
	ck_assert_ptr_null(json_find(json, "rows.0.cgroup"));
	check_number(json, "rows.0.tasks", 5);
	check_bool(json, "rows.0.is_kernel", false);
	check_bool(json, "rows.1.is_kernel", true);
	check_number(json, "rows.0.waiting_ns", 612300000);
	check_number(json, "rows.0.runnable_ns", 41000000);
	check_number(json, "rows.0.running_ns", 82100000);
	check_number(json, "rows.0.waits", 1214);
	check_number(json, "rows.0.longest_ns", 48200000);
	check_text(json, "rows.0.cause.kind", "lock");
	check_text(json, "rows.0.cause.name", "big_lock");
	check_number(json, "rows.0.cause_ns", 500000000);
	check_number(json, "rows.0.cause_waits", 7);
	check_number(json, "rows.0.behind.tid", 812);
	check_number(json, "rows.0.behind.tgid", 800);
	check_text(json, "rows.0.behind.comm", "mysqld");
	check_text(json, "rows.1.comm", "jbd2/vda-8");
	check_text(json, "rows.1.cause.disk", "vda");
	check_null(json, "rows.1.behind");
	json_free(json);
}
END_TEST

static void check_open(const struct top_shot *shot, bool is_since_begin)
{
	struct json *json = shown(shot, 0);

	check_text(json, "longest_open.task.comm", "postgres");
	check_number(json, "longest_open.task.tid", 77);
	check_number(json, "longest_open.since_ns", UINT64_C(4588000000));
	check_bool(json, "longest_open.is_since_begin", is_since_begin);
	check_text(json, "longest_open.state", "D");
	check_text(json, "longest_open.cause.kind", "disk");
	check_text(json, "longest_open.behind.comm", "jbd2/vda-8");
	json_free(json);
}

START_TEST(the_longest_open_wait)
{
	struct top_shot shot = sample_shot();
	struct json *json;

	check_open(&shot, /* is_since_begin= */ false);
	shot.open.is_since_begin = true;
	check_open(&shot, /* is_since_begin= */ true);
	shot.open.has_cause = shot.open.has_behind = false;
	json = shown(&shot, 0);
	check_null(json, "longest_open.cause");
	check_null(json, "longest_open.behind");
	json_free(json);
}
END_TEST

/* Null is what is not known, or does not exist; a sum of nothing is 0. */
START_TEST(an_empty_interval)
{
	static const char *const nulls[] = {
		"host", "kernel", "realtime_ns", "own_cpu", "wait_p50_ns", "wait_p99_ns",
		"wait_max_ns", "note", "longest_open",
	};
	const struct top_shot shot = sample_shot_empty();
	struct json *json = shown(&shot, 0);

	for (size_t i = 0; i < sizeof(nulls) / sizeof(*nulls); i++)
		check_null(json, nulls[i]);
	ck_assert(json_find(json, "rows")->type == JSON_ARRAY);
	ck_assert_uint_eq(json_count(json_find(json, "rows")), 0);
	ck_assert(json_find(json, "by_kind")->type == JSON_OBJECT);
	ck_assert_uint_eq(json_count(json_find(json, "by_kind")), 0);
	check_number(json, "events", 0);
	check_number(json, "waiting_ns", 0);
	json_free(json);
}
END_TEST

START_TEST(rows_without_a_cause)
{
	const struct top_shot shot = sample_shot_crowd(TOP_BY_COMM);
	struct json *json = shown(&shot, 1);

	check_null(json, "rows.0.cause");
	check_null(json, "rows.0.cause_ns");
	check_null(json, "rows.0.cause_waits");
	check_null(json, "rows.0.behind");
	json_free(json);
}
END_TEST

START_TEST(rows_are_limited)
{
	const struct top_shot shot = sample_shot_crowd(TOP_BY_COMM);
	static const size_t limits[] = {0, 1, SAMPLE_ROWS - 1, SAMPLE_ROWS, SAMPLE_ROWS + 1};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		size_t expected = limits[i] && limits[i] < SAMPLE_ROWS ? limits[i] : SAMPLE_ROWS;
		struct json *json = shown(&shot, limits[i]);

		ck_assert_uint_eq(json_count(json_find(json, "rows")), expected);
		check_number(json, "rows_left", SAMPLE_ROWS - expected);
		check_text(json, "rows.0.comm", "worker-0");
		json_free(json);
	}
}
END_TEST

START_TEST(rows_of_tasks_and_of_control_groups)
{
	struct top_shot shot = sample_shot_crowd(TOP_BY_TASK);
	struct json *json = shown(&shot, 0);
	struct top_row nowhere;

	check_number(json, "rows.49.task.tid", 149);
	check_number(json, "rows.49.task.tgid", 100);
	check_text(json, "rows.49.task.comm", "worker-49");
	ck_assert_ptr_null(json_find(json, "rows.49.comm"));
	json_free(json);
	shot = sample_shot_crowd(TOP_BY_CGROUP);
	json = shown(&shot, 0);
	check_text(json, "rows.49.cgroup", "worker-49");
	ck_assert_ptr_null(json_find(json, "rows.49.task"));
	json_free(json);
	nowhere = shot.row[0];
	nowhere.name = "";
	shot.row = &nowhere;
	shot.row_count = 1;
	json = shown(&shot, 0);
	check_null(json, "rows.0.cgroup");
	json_free(json);
}
END_TEST

/* What a strict reader takes out of it is the name, with U+FFFD for the byte that is no UTF-8. */
START_TEST(names_of_any_bytes)
{
	static const char name[] = "\033]0;x\a\"\\\xef\xbf\xbd\xe2\x80\xae";
	struct top_shot shot = sample_shot_hostile(TOP_BY_COMM);
	struct json *json = shown(&shot, 0);

	check_text(json, "host", name);
	check_text(json, "kernel", name);
	check_text(json, "note", name);
	check_text(json, "rows.0.comm", name);
	check_text(json, "rows.0.cause.name", name);
	check_text(json, "rows.0.behind.comm", name);
	check_text(json, "longest_open.task.comm", name);
	check_text(json, "longest_open.cause.disk", name);
	json_free(json);
	shot = sample_shot_hostile(TOP_BY_TASK);
	json = shown(&shot, 0);
	check_text(json, "rows.0.task.comm", name);
	json_free(json);
	shot = sample_shot_hostile(TOP_BY_CGROUP);
	json = shown(&shot, 0);
	check_text(json, "rows.0.cgroup", name);
	json_free(json);
}
END_TEST

Suite *top_json_suite(void)
{
	Suite *suite = suite_create("top_json");
	TCase *cases = tcase_create("top_json");

	tcase_add_test(cases, a_line_has_the_whole_interval);
	tcase_add_test(cases, a_row_has_its_cause_and_the_task_in_front);
	tcase_add_test(cases, the_longest_open_wait);
	tcase_add_test(cases, an_empty_interval);
	tcase_add_test(cases, rows_without_a_cause);
	tcase_add_test(cases, rows_are_limited);
	tcase_add_test(cases, rows_of_tasks_and_of_control_groups);
	tcase_add_test(cases, names_of_any_bytes);
	suite_add_tcase(suite, cases);
	return suite;
}
