/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes and returns folders of plain files that look like an instance. */
#include "recorder/instance/prepared_instance.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/instance/event_selection.h"
#include "recorder/machine/text_file.h"
#include "suites.h"

static char dir[64];
static struct buffer note, why;

static void file_set(const char *name, const char *text)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	(void)fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void folder_add(const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);

	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void expect_file(const char *name, const char *text)
{
	_cleanup_(buffer_release) struct buffer is = {0};

	buffer_init(&is, 1000);
	ck_assert_int_eq(text_file_read_at(dir, name, &is), 0);
	ck_assert_msg(strcmp(is.text, text) == 0, "%s is \"%s\", not \"%s\"", name, is.text, text);
}

static void setup(void)
{
	static const char *const folders[] = {
		"options", "events", "events/sched", "events/sched/sched_waking",
		"events/sched/sched_switch", "events/ftrace", "events/ftrace/print",
	};

	(void)strcpy(dir, "/tmp/ftwait-prepared.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		folder_add(folders[i]);
	file_set("set_event", "");
	file_set("set_event_pid", "");
	file_set("current_tracer", "nop\n");
	file_set("tracing_on", "1\n");
	file_set("trace_clock", "local [boot] mono\n");
	file_set("buffer_size_kb", "7 (expanded: 1408)\n");
	file_set("options/disable_on_free", "0\n");
	file_set("trace", "something\n");
	file_set("events/enable", "0\n");
	file_set("events/sched/filter", "none\n");
	file_set("events/sched/sched_switch/enable", "0\n");
	file_set("events/sched/sched_switch/filter", "prev_pid == 1\n");
	file_set("events/sched/sched_switch/trigger", "# Available triggers:\n");
	file_set("events/sched/sched_waking/enable", "0\n");
	file_set("events/sched/sched_waking/trigger", "# Available triggers:\n");
	file_set("events/ftrace/print/format", "name: print\n");
	buffer_init(&note, 1000);
	buffer_init(&why, 1000);
}

static int remove_one(const char *path, const struct stat *is, int kind, struct FTW *walk)
{
	(void)is;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void teardown(void)
{
	(void)nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	buffer_release(&note);
	buffer_release(&why);
}

/* What a recorder does to it. */
static void record(void)
{
	file_set("set_event", "sched:sched_switch\n");
	file_set("set_event_pid", "12\n13\n");
	file_set("tracing_on", "0\n");
	file_set("trace_clock", "local boot [mono]\n");
	file_set("buffer_size_kb", "16384\n");
	file_set("options/disable_on_free", "1\n");
	file_set("events/enable", "X\n");
	file_set("events/sched/filter", "### global filter ###\n");
	file_set("events/sched/sched_switch/filter", "none\n");
}

static void expect_restored(void)
{
	expect_file("set_event_pid", "");
	expect_file("tracing_on", "1");
	expect_file("trace_clock", "boot");
	expect_file("buffer_size_kb", "7");
	expect_file("options/disable_on_free", "0");
	expect_file("trace", "");
	expect_file("events/enable", "0\n");
	expect_file("events/sched/filter", "0## global filter ###\n");
	expect_file("events/sched/sched_switch/trigger", "# Available triggers:\n");
	expect_file("events/sched/sched_switch/filter", "prev_pid == 1");
}

START_TEST(it_is_returned_as_it_was)
{
	struct prepared_instance *prepared;

	ck_assert_int_eq(prepared_instance_take(dir, &prepared, &note, &why), 0);
	ck_assert_str_eq(prepared_instance_dir(prepared), dir);
	record();
	file_set("events/sched/sched_waking/trigger", "stacktrace:unlimited\n");
	prepared_instance_return(prepared);
	expect_restored();
	/* "!stacktrace" over "stacktrace:unlimited" */
	expect_file("events/sched/sched_waking/trigger", "!stacktraceunlimited\n");
	/* as the kernel then shows it, it may be taken again */
	file_set("set_event", "");
	file_set("events/sched/sched_waking/trigger", "# Available triggers:\n");
	ck_assert_ptr_null(prepared_instance_free(prepared));
	ck_assert_int_eq(prepared_instance_take(dir, &prepared, &note, &why), 0);
	(void)prepared_instance_free(prepared);
	ck_assert_uint_eq(note.length, 0);
}
END_TEST

/* A process that is killed takes it; the guard restores it. */
START_TEST(a_killed_recorder_leaves_it_as_it_was)
{
	struct prepared_instance *prepared;
	int ends[2], state;
	pid_t recorder;
	char byte;

	ck_assert_int_eq(pipe(ends), 0);
	recorder = fork();
	if (recorder == 0) {
		if (prepared_instance_take(dir, &prepared, &note, &why) < 0)
			_exit(1);
		record();
		if (write(ends[1], "r", 1) == 1)
			(void)pause();
		_exit(1);
	}
	(void)close(ends[1]);
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	ck_assert_int_eq(kill(recorder, SIGKILL), 0);
	ck_assert_int_eq(waitpid(recorder, &state, 0), recorder);
	ck_assert(WIFSIGNALED(state));
	file_set("set_event", "");
	/* the guard has the lock until it is done */
	ck_assert_int_eq(prepared_instance_take(dir, &prepared, &note, &why), 0);
	ck_assert_uint_eq(note.length, 0);
	expect_restored();
	(void)prepared_instance_free(prepared);
	(void)close(ends[0]);
}
END_TEST

START_TEST(what_a_killed_one_left_is_made_fresh)
{
	struct prepared_instance *prepared;

	record();
	file_set("set_event", ""); /* as the kernel shows it when all are off */
	ck_assert_int_eq(prepared_instance_take(dir, &prepared, &note, &why), 0);
	ck_assert_ptr_nonnull(strstr(note.text, " was left by a killed ftwait: "));
	expect_file("tracing_on", "1");
	expect_file("trace_clock", "local");
	expect_file("buffer_size_kb", "1408");
	expect_file("options/disable_on_free", "0");
	(void)prepared_instance_free(prepared);
	expect_file("trace_clock", "local");
}
END_TEST

START_TEST(what_is_in_use_is_left_alone)
{
	struct prepared_instance *first, *second;

	ck_assert_int_eq(prepared_instance_take(dir, &first, &note, &why), 0);
	ck_assert_int_eq(prepared_instance_take(dir, &second, &note, &why), -EBUSY);
	ck_assert_ptr_nonnull(strstr(why.text, " is in use by another ftwait; "));
	(void)prepared_instance_free(first);

	buffer_clear(&why);
	file_set("set_event", "sched:sched_switch\nsched:sched_waking\n");
	ck_assert_int_eq(prepared_instance_take(dir, &first, &note, &why), -EBUSY);
	ck_assert_ptr_nonnull(strstr(why.text, " is in use: sched:sched_switch is on; "));
	expect_file("set_event", "sched:sched_switch\nsched:sched_waking\n");

	buffer_clear(&why);
	file_set("set_event", "");
	file_set("current_tracer", "function\n");
	ck_assert_int_eq(prepared_instance_take(dir, &first, &note, &why), -EBUSY);
	ck_assert_ptr_nonnull(strstr(why.text, " is in use: function is on; "));
}
END_TEST

START_TEST(what_cannot_be_restored_is_left_alone)
{
	struct prepared_instance *prepared;

	file_set("events/sched/sched_waking/trigger", "traceoff:count=1\n");
	ck_assert_int_eq(prepared_instance_take(dir, &prepared, &note, &why), -EBUSY);
	ck_assert_ptr_nonnull(strstr(why.text, "/events/sched/sched_waking has a trigger: "
	                                       "traceoff:count=1; "));
	expect_file("events/sched/sched_switch/filter", "prev_pid == 1\n");
	expect_file("tracing_on", "1\n");

	buffer_clear(&why);
	file_set("events/sched/sched_waking/trigger", "# Available triggers:\n");
	file_set("buffer_size_kb", "X\n");
	ck_assert_int_eq(prepared_instance_take(dir, &prepared, &note, &why), -EBUSY);
	ck_assert_ptr_nonnull(strstr(why.text, "the buffers of its CPUs differ in size; "));
	expect_file("tracing_on", "1\n");
}
END_TEST

START_TEST(names)
{
	static const char *const good[] = {"a", "user2000", "ftwait", "my-ftwait.1"};
	static const char *const bad[] = {"", ".", "..", "a/b", "/", "ftwait.", "ftwait.12"};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert(prepared_instance_name_is_valid(good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert(!prepared_instance_name_is_valid(bad[i]));
}
END_TEST

START_TEST(usable)
{
	ck_assert(prepared_instance_is_usable(dir));
	ck_assert(!prepared_instance_is_usable("/nowhere"));
}
END_TEST

START_TEST(events_are_found_without_a_list)
{
	struct event_catalog catalog;

	ck_assert_int_eq(event_catalog_load_instance(dir, &catalog), 0);
	ck_assert_uint_eq(catalog.count, 2);
	ck_assert_str_eq(catalog.name[0], "sched:sched_switch");
	ck_assert_str_eq(catalog.name[1], "sched:sched_waking");
	ck_assert(!catalog.has_strings);
	event_catalog_release(&catalog);
	ck_assert_int_eq(event_catalog_load_instance("/nowhere", &catalog), -ENOENT);
}
END_TEST

Suite *prepared_instance_suite(void)
{
	Suite *suite = suite_create("prepared_instance");
	TCase *tests = tcase_create("prepared_instance");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, it_is_returned_as_it_was);
	tcase_add_test(tests, a_killed_recorder_leaves_it_as_it_was);
	tcase_add_test(tests, what_a_killed_one_left_is_made_fresh);
	tcase_add_test(tests, what_is_in_use_is_left_alone);
	tcase_add_test(tests, what_cannot_be_restored_is_left_alone);
	tcase_add_test(tests, names);
	tcase_add_test(tests, usable);
	tcase_add_test(tests, events_are_found_without_a_list);
	suite_add_tcase(suite, tests);
	return suite;
}
