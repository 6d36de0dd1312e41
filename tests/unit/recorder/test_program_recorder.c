/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "recorder/programs/map_events.h"
#include "recorder/programs/program_recorder.h"
#include "suites.h"

static struct buffer lines;

static void put(void *state, const struct buffer *more)
{
	buffer_append(state, more->text, more->length);
}

static void lines_setup(void)
{
	buffer_init(&lines, 1u << 20);
}

static void lines_teardown(void)
{
	buffer_release(&lines);
}

/* A process that exists is read; one that nobody asked for, or that does not exist, is not. */
START_TEST(existing_processes_are_read)
{
	int32_t asked[2] = {0, INT32_MAX};
	struct program_setup setup = {
		.process = asked, .process_count = 2, .has_programs = true,
		.put = put, .state = &lines,
	};
	struct program_recorder *recorder;
	struct program_counts counts;
	char expected[100];
	int held[2];
	pid_t pid;

	ck_assert_int_eq(pipe(held), 0);
	pid = fork();
	if (pid == 0) {
		(void)dup2(held[0], 0);
		(void)close(held[1]);
		(void)execl("/bin/sh", "sh", "-c", "read a; exit", "a b", NULL);
		_exit(1);
	}
	/* until it has executed its program */
	for (int i = 0; i < 1000 && !lines.length; i++) {
		asked[0] = (int32_t)pid;
		ck_assert_int_eq(program_recorder_begin(&recorder, &setup), 0);
		recorder = program_recorder_end(recorder, &counts);
		ck_assert_ptr_null(recorder);
		if (lines.length && !strstr(lines.text, " sh -c "))
			buffer_clear(&lines);
		(void)usleep(1000);
	}
	(void)close(held[0]);
	(void)close(held[1]);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	(void)snprintf(expected, sizeof(expected),
	               "program %d 0 0 sh -c read\\040a;\\040exit a\\040b\n", (int)pid);
	ck_assert_str_eq(lines.text, expected);
	ck_assert_uint_eq(counts.execs, 0);
	ck_assert_uint_eq(counts.left_out, 0);
}
END_TEST

/* Where the kernel reports execs: those of a child of an asked process, but not of others. */
START_TEST(execs_of_children_are_read)
{
	struct program_setup setup = {
		.child = (int32_t)getpid(), .is_timed = true, .has_programs = true,
		.put = put, .state = &lines,
	};
	struct program_recorder *recorder;
	struct program_counts counts;
	nsec_t before = monotonic_now();
	unsigned long long begin, read;
	char text[100];
	int tgid;
	pid_t pid;

	ck_assert_int_eq(program_recorder_begin(&recorder, &setup), 0);
	pid = fork();
	if (pid == 0) {
		(void)execl("/bin/sh", "sh", "-c", "sleep 0.3; exit", NULL);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	(void)program_recorder_end(recorder, &counts);
	if (counts.error < 0)
		return; /* it does not */
	ck_assert_uint_eq(counts.execs, 2);
	ck_assert_int_eq(sscanf(lines.text, "program %d %llu %llu %99[^\n]", &tgid, &begin, &read,
	                        text), 4);
	ck_assert_int_eq(tgid, pid);
	ck_assert_uint_gt(begin, before);
	ck_assert_uint_ge(read, begin);
	ck_assert_uint_le(read, monotonic_now());
	ck_assert_str_eq(text, "sh -c sleep\\0400.3;\\040exit");
	ck_assert_ptr_nonnull(strstr(lines.text, " sleep 0.3\n"));
}
END_TEST

static bool follows(struct map *asked, enum map_event_kind kind, int32_t tgid, int32_t parent)
{
	const struct map_event event = {.kind = kind, .tgid = tgid, .parent = parent};

	return asked_processes_follow(asked, &event);
}

START_TEST(children_of_the_asked_are_asked)
{
	struct map asked;

	map_init(&asked);
	map_put(&asked, 5, 0);
	ck_assert(follows(&asked, MAP_EVENT_EXEC, 5, 0));
	ck_assert(!follows(&asked, MAP_EVENT_EXEC, 6, 0));
	ck_assert(follows(&asked, MAP_EVENT_FORK, 6, 5));
	ck_assert(follows(&asked, MAP_EVENT_EXEC, 6, 0));
	/* a process that nobody asked for gets the number of one that has ended */
	ck_assert(!follows(&asked, MAP_EVENT_FORK, 6, 4));
	ck_assert(!follows(&asked, MAP_EVENT_EXEC, 6, 0));
	map_release(&asked);
}
END_TEST

Suite *program_recorder_suite(void)
{
	Suite *suite = suite_create("program_recorder");
	TCase *tests = tcase_create("program_recorder");

	tcase_add_checked_fixture(tests, lines_setup, lines_teardown);
	tcase_add_test(tests, existing_processes_are_read);
	tcase_add_test(tests, execs_of_children_are_read);
	tcase_add_test(tests, children_of_the_asked_are_asked);
	suite_add_tcase(suite, tests);
	return suite;
}
