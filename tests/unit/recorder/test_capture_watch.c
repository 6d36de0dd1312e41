/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder with the files of an instance that are looked at. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/buffer.h"
#include "recorder/instance/capture_watch.h"
#include "suites.h"

static char folder[] = "/tmp/ftwait-watch.XXXXXX";
static struct capture_session session = {.dir = folder};
static struct capture_watch watch;
static struct buffer reported;

static void file_put(const char *name, const char *text)
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	(void)fputs(text, file);
	(void)fclose(file);
}

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	file_put("tracing_on", "0\n");
	file_put("trace_clock", "local global [mono] boot\n");
	file_put("set_event", "sched:sched_switch\nsched:sched_waking\n");
	file_put("trace", "# tracer: nop\n");
	buffer_init(&reported, 4096);
	capture_watch_init(&watch, &session);
	file_put("tracing_on", "1\n");
	capture_watch_begin(&watch);
}

static void teardown(void)
{
	char command[128];

	capture_watch_release(&watch);
	buffer_release(&reported);
	(void)snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static void on_change(void *state, const char *text)
{
	buffer_printf(state, "%s\n", text);
}

static const char *look(void)
{
	buffer_clear(&reported);
	capture_watch_look(&watch, on_change, &reported);
	return reported.length ? reported.text : "";
}

START_TEST(nothing_is_said_of_what_stays)
{
	ck_assert_str_eq(look(), "");
	ck_assert_str_eq(look(), "");
}
END_TEST

START_TEST(each_change_is_reported_once)
{
	file_put("tracing_on", "0\n");
	ck_assert_str_eq(look(), "tracing was switched off\n");
	ck_assert_str_eq(look(), "");
	file_put("trace_clock", "[local] global mono boot\n");
	ck_assert_ptr_nonnull(strstr(look(), "the clock was changed from mono to local"));
	ck_assert_str_eq(look(), "");
	file_put("set_event", "sched:sched_switch\n");
	ck_assert_str_eq(look(), "events were switched off: 1 are on, 2 were\n");
	ck_assert_str_eq(look(), "");
	ck_assert(watch.is_reported[WATCH_TRACING_OFF]);
}
END_TEST

START_TEST(events_that_came_are_reported_too)
{
	file_put("set_event", "a:a\na:b\na:c\n");
	ck_assert_str_eq(look(), "events were switched on: 3 are on, 2 were\n");
}
END_TEST

START_TEST(what_cannot_be_read_has_not_changed)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm %s/*", folder);
	ck_assert_int_eq(system(command), 0);
	ck_assert_str_eq(look(), "");
}
END_TEST

/* What was changed and changed back between two looks. */
START_TEST(a_write_is_reported_once)
{
	file_put("tracing_on", "0\n");
	file_put("tracing_on", "1\n");
	file_put("trace_marker", "of no account\n");
	ck_assert_str_eq(look(), "tracing_on was written to; events may be missing that are not "
	                         "counted as lost\n");
	file_put("tracing_on", "1\n");
	ck_assert_str_eq(look(), "");
	file_put("tracing_on", "0\n");
	ck_assert_str_eq(look(), "tracing was switched off\n");
	file_put("trace", "");
	file_put("buffer_size_kb", "1\n");
	look();
	ck_assert_ptr_nonnull(strstr(reported.text, "trace was written to"));
	ck_assert_ptr_nonnull(strstr(reported.text, "buffer_size_kb was written to"));
}
END_TEST

Suite *capture_watch_suite(void)
{
	Suite *suite = suite_create("capture_watch");
	TCase *tests = tcase_create("capture_watch");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, nothing_is_said_of_what_stays);
	tcase_add_test(tests, each_change_is_reported_once);
	tcase_add_test(tests, events_that_came_are_reported_too);
	tcase_add_test(tests, what_cannot_be_read_has_not_changed);
	tcase_add_test(tests, a_write_is_reported_once);
	suite_add_tcase(suite, tests);
	return suite;
}
