/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text/message.h"
#include "suites.h"

/* A terminal of so many columns in place of standard error; returns its other end. */
static int terminal_open(unsigned short columns)
{
	struct winsize size = {.ws_row = 24, .ws_col = columns};
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;

	ck_assert_int_ge(master, 0);
	ck_assert_int_eq(grantpt(master), 0);
	ck_assert_int_eq(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(slave, 0);
	ck_assert_int_eq(ioctl(slave, TIOCSWINSZ, &size), 0);
	ck_assert_int_eq(dup2(slave, STDERR_FILENO), STDERR_FILENO);
	(void)close(slave);
	return master;
}

/* The kernel moves what is written to the other end in pieces: read() may return one of them. */
static void check_shows(int master, const char *expected)
{
	char got[1000];
	size_t length = 0;

	do {
		ssize_t more = read(master, got + length, sizeof(got) - 1 - length);

		ck_assert_int_gt(more, 0);
		length += (size_t)more;
	} while (length < strlen(expected));
	got[length] = '\0';
	ck_assert_str_eq(got, expected);
}

START_TEST(one_line_over_and_over)
{
	int master = terminal_open(80);

	status_line_begin(/* is_wanted= */ true);
	ck_assert(status_line_is_on());
	status_line_show("a long line");
	check_shows(master, "\ra long line");
	status_line_show("short");
	check_shows(master, "\rshort      ");
	status_line_show("other");
	check_shows(master, "\rother");
	status_line_clear();
	check_shows(master, "\r     \r");
	status_line_clear(); /* nothing is there */
	status_line_show("x");
	check_shows(master, "\rx");
}
END_TEST

START_TEST(never_wider_than_the_terminal)
{
	int master = terminal_open(8);

	status_line_begin(true);
	status_line_show("0123456789");
	check_shows(master, "\r0123456");
	status_line_show("1 s, 2,200 lost");
	check_shows(master, "\r1 s    ");
	status_line_show("\033[1m\xe6\xbc\xa2 is wide");
	check_shows(master, "\r\\x1b[1m");
	status_line_show("\xe6\xbc\xa2\xc3\xa4 is wide");
	check_shows(master, "\r?? is w");
	status_line_clear();
	check_shows(master, "\r       \r");
}
END_TEST

START_TEST(messages_come_after_it)
{
	int master = terminal_open(0);

	status_line_begin(true);
	status_line_show("at it");
	check_shows(master, "\rat it");
	message_note("well");
	check_shows(master, "\r     \rftwait: well\r\n");
}
END_TEST

START_TEST(nothing_where_nobody_looks)
{
	int pair[2];
	char byte;

	(void)terminal_open(80);
	status_line_begin(/* is_wanted= */ false);
	ck_assert(!status_line_is_on());
	ck_assert_int_eq(pipe2(pair, O_NONBLOCK), 0);
	ck_assert_int_eq(dup2(pair[1], STDERR_FILENO), STDERR_FILENO);
	status_line_show("x");
	status_line_begin(true);
	ck_assert(!status_line_is_on());
	status_line_show("x");
	status_line_clear();
	ck_assert_int_eq(read(pair[0], &byte, 1), -1);
}
END_TEST

Suite *status_line_suite(void)
{
	Suite *suite = suite_create("status_line");
	TCase *tests = tcase_create("status_line");

	tcase_add_test(tests, one_line_over_and_over);
	tcase_add_test(tests, never_wider_than_the_terminal);
	tcase_add_test(tests, messages_come_after_it);
	tcase_add_test(tests, nothing_where_nobody_looks);
	suite_add_tcase(suite, tests);
	return suite;
}
