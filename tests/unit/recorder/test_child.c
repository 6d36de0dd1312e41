/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder/machine/child.h"
#include "suites.h"

static char *shell(const char *script)
{
	static char text[200];

	(void)snprintf(text, sizeof(text), "%s", script);
	return text;
}

static int shell_status(const char *script)
{
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, shell(script), NULL};
	struct child child;

	ck_assert_int_eq(child_start(&child, argv, -1), 0);
	ck_assert_int_eq(child_release(&child), 0);
	while (!child_poll(&child))
		(void)usleep(1000);
	return child.exit_status;
}

START_TEST(status_is_that_of_a_shell)
{
	ck_assert_int_eq(shell_status("exit 0"), 0);
	ck_assert_int_eq(shell_status("exit 7"), 7);
	ck_assert_int_eq(shell_status("kill -TERM $$"), 128 + SIGTERM);
}
END_TEST

START_TEST(sigpipe_kills_again)
{
	(void)signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(shell_status("kill -PIPE $$"), 128 + SIGPIPE);
}
END_TEST

START_TEST(its_output_can_go_elsewhere)
{
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, shell("echo printed"), NULL};
	char got[20] = "";
	struct child child;
	int to[2];

	ck_assert_int_eq(pipe(to), 0);
	ck_assert_int_eq(child_start(&child, argv, to[1]), 0);
	ck_assert_int_eq(child_release(&child), 0);
	(void)close(to[1]);
	ck_assert_int_eq(read(to[0], got, sizeof(got) - 1), 8);
	ck_assert_str_eq(got, "printed\n");
	(void)close(to[0]);
	while (!child_poll(&child))
		(void)usleep(1000);
}
END_TEST

START_TEST(held_until_released)
{
	char folder[] = "/tmp/ftwait-child.XXXXXX", script[100];
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, script, NULL};
	struct child child;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	(void)snprintf(script, sizeof(script), "rmdir %s", folder);
	ck_assert_int_eq(child_start(&child, argv, -1), 0);
	(void)usleep(50000);
	ck_assert_int_eq(access(folder, F_OK), 0);
	ck_assert(!child_poll(&child));
	ck_assert_int_eq(child_release(&child), 0);
	while (!child_poll(&child))
		(void)usleep(1000);
	ck_assert_int_lt(access(folder, F_OK), 0);
}
END_TEST

START_TEST(cancelled_never_runs)
{
	char folder[] = "/tmp/ftwait-child.XXXXXX", script[100];
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, script, NULL};
	struct child child;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	(void)snprintf(script, sizeof(script), "rmdir %s", folder);
	ck_assert_int_eq(child_start(&child, argv, -1), 0);
	child_cancel(&child);
	ck_assert(child.is_ended);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(what_cannot_be_executed_is_reported)
{
	char *argv[] = {(char[]){"/no/such/program"}, NULL};
	struct child child;

	/* a folder that this user cannot search would be -EACCES */
	ck_assert_int_eq(setenv("PATH", "/usr/bin:/bin", 1), 0);
	ck_assert_int_eq(child_check("sh"), 0);
	ck_assert_int_eq(child_check("/bin/sh"), 0);
	ck_assert_int_eq(child_check("/"), -EACCES);
	ck_assert_int_eq(child_check("/etc/passwd"), -EACCES);
	ck_assert_int_eq(child_check("no-such-program"), -ENOENT);
	ck_assert_int_eq(child_check(""), -ENOENT);
	ck_assert_int_eq(child_start(&child, argv, -1), 0);
	ck_assert_int_eq(child_release(&child), -ENOENT);
	ck_assert(child_poll(&child));
	ck_assert_int_eq(child.exit_status, CHILD_STATUS_NOT_FOUND);
}
END_TEST

Suite *child_suite(void)
{
	Suite *suite = suite_create("child");
	TCase *tests = tcase_create("child");

	tcase_add_test(tests, status_is_that_of_a_shell);
	tcase_add_test(tests, sigpipe_kills_again);
	tcase_add_test(tests, its_output_can_go_elsewhere);
	tcase_add_test(tests, held_until_released);
	tcase_add_test(tests, cancelled_never_runs);
	tcase_add_test(tests, what_cannot_be_executed_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
