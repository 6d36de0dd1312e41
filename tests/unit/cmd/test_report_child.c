/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/browse/report_child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "suites.h"

static void start(struct report_child *child, int (*run)(const void *state), const void *state)
{
	report_child_init(child);
	ck_assert_int_eq(report_child_start(child, run, state), 0);
	ck_assert_int_gt(child->pid, 0);
}

static void take_all(struct report_child *child)
{
	while (!child->is_ended) {
		struct pollfd pipes[] = {{.fd = child->out, .events = POLLIN},
		                         {.fd = child->error, .events = POLLIN}};

		ck_assert_int_gt(poll(pipes, 2, 20000), 0);
		report_child_take(child);
	}
	ck_assert_int_eq(child->pid, 0);
}

static int write_both(const void *state)
{
	(void)printf("answer to %s\nsecond line\n", (const char *)state);
	(void)fprintf(stderr, "ftwait: 10 %%\rftwait: 20 %%\rftwait: report: x: damaged\n");
	return 3;
}

START_TEST(its_output_and_last_message_are_taken)
{
	_cleanup_(report_child_release) struct report_child child;

	start(&child, write_both, "this");
	take_all(&child);
	ck_assert_str_eq(child.text.text, "answer to this\nsecond line\n");
	ck_assert_str_eq(child.message.text, "report: x: damaged");
	ck_assert_int_eq(child.status, 3);
	ck_assert(!child.is_too_long);
}
END_TEST

static int say_unended(const void *state)
{
	(void)state;
	(void)fprintf(stderr, "no line feed");
	return 0;
}

static int say_nothing(const void *state)
{
	(void)state;
	return 0;
}

/* Longer than there is room for. */
static int say_much(const void *state)
{
	(void)state;
	for (int i = 0; i < 5000; i++)
		(void)fprintf(stderr, "0123456789");
	(void)fprintf(stderr, "\n");
	return 0;
}

START_TEST(messages_may_be_cut_or_absent)
{
	static const struct {
		int (*run)(const void *state);
		size_t length;
	} runs[] = {{say_nothing, 0}, {say_unended, 12}, {say_much, 1999}};
	_cleanup_(report_child_release) struct report_child child;

	start(&child, runs[_i].run, NULL);
	take_all(&child);
	ck_assert_uint_eq(child.message.length, runs[_i].length);
	ck_assert_uint_eq(child.text.length, 0);
	ck_assert_int_eq(child.status, 0);
}
END_TEST

static int write_endless(const void *state)
{
	static char block[65536];

	(void)state;
	memset(block, 'x', sizeof(block));
	while (fwrite(block, sizeof(block), 1, stdout) == 1)
		;
	return 0;
}

START_TEST(endless_output_is_ended)
{
	_cleanup_(report_child_release) struct report_child child;

	start(&child, write_endless, NULL);
	take_all(&child);
	ck_assert(child.is_too_long);
	ck_assert_uint_le(child.text.length, CHILD_TEXT_MAX);
	ck_assert_int_eq(child.status, 128 + SIGKILL);
}
END_TEST

static int end_by_signal(const void *state)
{
	(void)raise(*(const int *)state);
	return 0;
}

START_TEST(a_signal_that_ends_it_is_its_status)
{
	static const int signals[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGPIPE};
	_cleanup_(report_child_release) struct report_child child;

	start(&child, end_by_signal, &signals[_i]);
	take_all(&child);
	ck_assert_int_eq(child.status, 128 + signals[_i]);
	ck_assert_str_eq(child.message.text, "");
}
END_TEST

static int wait_for_ever(const void *state)
{
	if (state)
		(void)signal(SIGTERM, SIG_IGN);
	(void)printf("begun\n");
	(void)fflush(stdout);
	while (pause() < 0)
		;
	return 0;
}

/* Also one that does not heed the first signal. */
START_TEST(it_is_ended_where_nobody_waits_for_it)
{
	struct report_child child;
	struct pollfd out;
	pid_t pid;

	start(&child, wait_for_ever, _i ? "stubborn" : NULL);
	pid = child.pid;
	out = (struct pollfd){.fd = child.out, .events = POLLIN};
	ck_assert_int_eq(poll(&out, 1, 20000), 1);
	report_child_take(&child);
	ck_assert_str_eq(child.text.text, "begun\n");
	ck_assert(!child.is_ended);
	report_child_release(&child);
	ck_assert_int_lt(kill(pid, 0), 0);
	ck_assert_int_eq(errno, ESRCH);
	ck_assert_int_lt(child.out, 0);
	report_child_release(&child); /* does nothing */
}
END_TEST

/* Whether the child ends with its parent, which gets no chance to end it. */
START_TEST(it_ends_with_its_parent)
{
	int both[2];
	pid_t parent;
	char byte;

	ck_assert_int_eq(pipe(both), 0);
	parent = fork();
	ck_assert_int_ge(parent, 0);
	if (parent == 0) {
		struct report_child child;
		struct pollfd out;

		start(&child, wait_for_ever, NULL);
		out = (struct pollfd){.fd = child.out, .events = POLLIN};
		(void)poll(&out, 1, 20000);
		(void)!write(both[1], "x", 1);
		for (;;)
			(void)pause();
	}
	(void)close(both[1]); /* parent and child have it, too */
	ck_assert_int_eq(read(both[0], &byte, 1), 1);
	(void)kill(parent, SIGKILL);
	ck_assert_int_eq(read(both[0], &byte, 1), 0);
	(void)close(both[0]);
	(void)waitpid(parent, NULL, 0);
}
END_TEST

/* It has the handlers of a process that was just executed, and no keyboard. */
static int look_around(const void *state)
{
	struct sigaction action;
	char byte;

	(void)state;
	(void)sigaction(SIGTERM, NULL, &action);
	(void)printf("%d %zd\n", action.sa_handler == SIG_DFL, read(STDIN_FILENO, &byte, 1));
	return 0;
}

static void on_signal(int number)
{
	(void)number;
}

START_TEST(it_has_no_keyboard_and_no_handlers)
{
	_cleanup_(report_child_release) struct report_child child;

	(void)signal(SIGTERM, on_signal);
	start(&child, look_around, NULL);
	take_all(&child);
	(void)signal(SIGTERM, SIG_DFL);
	ck_assert_str_eq(child.text.text, "1 0\n");
}
END_TEST

START_TEST(without_descriptors_it_does_not_start)
{
	struct report_child child;
	struct rlimit before, none;
	int r;

	report_child_init(&child);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 3;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	r = report_child_start(&child, say_nothing, NULL);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ck_assert_int_eq(r, -EMFILE);
	ck_assert_int_eq(child.pid, 0);
	report_child_release(&child);
}
END_TEST

Suite *report_child_suite(void)
{
	Suite *suite = suite_create("report_child");
	TCase *tests = tcase_create("report_child");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, its_output_and_last_message_are_taken);
	tcase_add_loop_test(tests, messages_may_be_cut_or_absent, 0, 3);
	tcase_add_test(tests, endless_output_is_ended);
	tcase_add_loop_test(tests, a_signal_that_ends_it_is_its_status, 0, 5);
	tcase_add_loop_test(tests, it_is_ended_where_nobody_waits_for_it, 0, 2);
	tcase_add_test(tests, it_ends_with_its_parent);
	tcase_add_test(tests, it_has_no_keyboard_and_no_handlers);
	tcase_add_test(tests, without_descriptors_it_does_not_start);
	suite_add_tcase(suite, tests);
	return suite;
}
