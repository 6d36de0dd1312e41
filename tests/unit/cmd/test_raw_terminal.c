/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/screen/raw_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "suites.h"

#define WAIT_MS 10000

/* A process with a terminal of its own, as a login has: the test is at the other end. */
struct session {
	int master, slave;
	pid_t child;
	struct termios before;
	char shown[100000]; /* what came from the terminal so far */
	size_t length;
};

/* What the child does with the terminal, and its exit status. */
typedef int (*child_run)(void);

/* Opens a terminal; false, with a reason, where there is none. */
static bool terminal_open(struct session *session, unsigned short rows, unsigned short columns)
{
	struct winsize size = {.ws_row = rows, .ws_col = columns};

	session->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (session->master < 0 || grantpt(session->master) < 0 || unlockpt(session->master) < 0) {
		(void)fprintf(stderr, "SKIP: no pseudo terminals: %s\n", strerror(errno));
		return false;
	}
	session->slave = open(ptsname(session->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_ge(session->slave, 0);
	ck_assert_int_eq(ioctl(session->slave, TIOCSWINSZ, &size), 0);
	ck_assert_int_eq(tcgetattr(session->slave, &session->before), 0);
	return true;
}

/* Runs a function in the session; false, with a reason, where there is no terminal for it. */
static bool session_begin(struct session *session, child_run run)
{
	struct rlimit no_core = {0};

	ck_assert_int_eq(setenv("TERM", "vt100", 1), 0);
	if (!terminal_open(session, 24, 80))
		return false;
	session->length = 0;
	session->child = fork();
	ck_assert_int_ge(session->child, 0);
	if (session->child > 0)
		return true;
	(void)setrlimit(RLIMIT_CORE, &no_core);
	/* the library for tests has handlers */
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	if (setsid() < 0 || ioctl(session->slave, TIOCSCTTY, 0) < 0)
		_exit(100);
	for (int fd = 0; fd < 3; fd++)
		if (dup2(session->slave, fd) < 0)
			_exit(101);
	_exit(run());
}

static void session_end(struct session *session)
{
	(void)close(session->master);
	(void)close(session->slave);
}

/* Reads from the terminal until that was written; what comes behind it is for the next wait. */
static void wait_for(struct session *session, const char *text)
{
	char *found;

	while (!(found = memmem(session->shown, session->length, text, strlen(text)))) {
		struct pollfd ready = {.fd = session->master, .events = POLLIN};
		ssize_t more;

		ck_assert_msg(poll(&ready, 1, WAIT_MS) == 1, "no \"%s\"", text + 1);
		ck_assert_uint_lt(session->length, sizeof(session->shown));
		more = read(session->master, session->shown + session->length,
		            sizeof(session->shown) - session->length);
		ck_assert_int_gt(more, 0);
		session->length += (size_t)more;
	}
	found += strlen(text);
	session->length -= (size_t)(found - session->shown);
	memmove(session->shown, found, session->length);
}

static struct termios attributes(const struct session *session)
{
	struct termios now;

	ck_assert_int_eq(tcgetattr(session->slave, &now), 0);
	return now;
}

static void check_raw(const struct session *session)
{
	struct termios now = attributes(session);

	ck_assert_uint_eq(now.c_lflag & (ICANON | ECHO), 0);
	ck_assert_uint_ne(now.c_lflag & ISIG, 0);
}

static void check_restored(const struct session *session)
{
	struct termios now = attributes(session);

	ck_assert_uint_eq(now.c_iflag, session->before.c_iflag);
	ck_assert_uint_eq(now.c_oflag, session->before.c_oflag);
	ck_assert_uint_eq(now.c_cflag, session->before.c_cflag);
	ck_assert_uint_eq(now.c_lflag, session->before.c_lflag);
	ck_assert_mem_eq(now.c_cc, session->before.c_cc, sizeof(now.c_cc));
}

#define ENTERED "\033[?1049h"
#define LEFT    "\033[?1049l"

/* The loop of a command: echoes keys, says news, ends by q or a signal. */
static int command_run(void)
{
	int ended_by = 0;
	char key = 0;

	if (!raw_terminal_begin())
		return 10;
	while (key != 'q' && !ended_by) {
		struct pollfd ready[] = {
			{.fd = raw_terminal_keyboard(), .events = POLLIN},
			{.fd = raw_terminal_news_fd(), .events = POLLIN},
		};
		struct raw_terminal_news news;

		if (poll(ready, ARRAY_SIZE(ready), WAIT_MS) == 0)
			return 11;
		if (ready[0].revents && read(ready[0].fd, &key, 1) != 1)
			return 12;
		if (ready[0].revents)
			(void)raw_terminal_write(&key, 1);
		news = raw_terminal_news();
		ended_by = news.ended_by;
		if (news.is_resumed)
			(void)raw_terminal_write("<resumed>", 9);
		if (news.is_resized) {
			char text[64];
			size_t rows, columns;

			raw_terminal_size(&rows, &columns);
			(void)snprintf(text, sizeof(text), "<%zux%zu>", columns, rows);
			(void)raw_terminal_write(text, strlen(text));
		}
	}
	if (key == 's')
		return 13;
	raw_terminal_end();
	return ended_by ? 20 + ended_by : 0;
}

static int status_of(const struct session *session)
{
	int status;

	ck_assert_int_eq(waitpid(session->child, &status, 0), session->child);
	return status;
}

static void check_exit(const struct session *session, int expected)
{
	int status = status_of(session);

	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == expected, "status 0x%x", status);
}

START_TEST(given_back_at_the_end)
{
	struct session session;

	if (!session_begin(&session, command_run))
		return;
	wait_for(&session, ENTERED);
	wait_for(&session, "<80x24>");
	check_raw(&session);
	ck_assert_int_eq(write(session.master, "x", 1), 1); /* at once, without Enter */
	wait_for(&session, "x");
	ck_assert_int_eq(write(session.master, "q", 1), 1);
	wait_for(&session, LEFT);
	check_exit(&session, 0);
	check_restored(&session);
	session_end(&session);
}
END_TEST

static const int wishes[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

START_TEST(given_back_at_a_wish_to_end)
{
	struct session session;

	if (!session_begin(&session, command_run))
		return;
	wait_for(&session, "<80x24>");
	ck_assert_int_eq(kill(session.child, wishes[_i]), 0);
	wait_for(&session, LEFT);
	check_exit(&session, 20 + wishes[_i]);
	check_restored(&session);
	session_end(&session);
}
END_TEST

START_TEST(ctrl_c_is_a_signal)
{
	struct session session;

	if (!session_begin(&session, command_run))
		return;
	wait_for(&session, "<80x24>");
	ck_assert_int_eq(write(session.master, "\x03", 1), 1);
	wait_for(&session, LEFT);
	check_exit(&session, 20 + SIGINT);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* Ctrl-S stands on the output. */
START_TEST(given_back_while_output_is_stopped)
{
	struct session session;

	if (!session_begin(&session, command_run))
		return;
	wait_for(&session, "<80x24>");
	ck_assert_int_eq(write(session.master, "\x13", 1), 1);
	ck_assert_int_eq(write(session.master, "x", 1), 1);
	ck_assert_int_eq(usleep(100000), 0);
	ck_assert_int_eq(kill(session.child, SIGTERM), 0);
	wait_for(&session, LEFT);
	check_exit(&session, 20 + SIGTERM);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* It goes on, whatever the news are. */
static int hang_run(void)
{
	if (!raw_terminal_begin())
		return 10;
	(void)raw_terminal_write("<on>", 4);
	while (!raw_terminal_news().ended_by)
		(void)usleep(1000);
	(void)!write(STDOUT_FILENO, "<awake>", 7);
	for (;;)
		(void)pause();
}

static const int fatal[] = {
	SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM, SIGUSR1, SIGPIPE, SIGXCPU,
};

START_TEST(given_back_at_a_signal_that_ends)
{
	struct session session;
	int status;

	if (!session_begin(&session, hang_run))
		return;
	wait_for(&session, "<on>");
	ck_assert_int_eq(kill(session.child, fatal[_i]), 0);
	wait_for(&session, LEFT);
	status = status_of(&session);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == fatal[_i], "status 0x%x", status);
	check_restored(&session);
	session_end(&session);
}
END_TEST

START_TEST(the_second_wish_ends_a_hang)
{
	struct session session;
	int status;

	if (!session_begin(&session, hang_run))
		return;
	wait_for(&session, "<on>");
	ck_assert_int_eq(kill(session.child, SIGINT), 0);
	wait_for(&session, LEFT);
	wait_for(&session, "<awake>");
	check_restored(&session);
	ck_assert_int_eq(kill(session.child, SIGTERM), 0);
	status = status_of(&session);
	ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "status 0x%x", status);
	session_end(&session);
}
END_TEST

static volatile sig_atomic_t own_signals;

static void own_handler(int number)
{
	(void)number;
	own_signals++;
}

/* A command that has handlers of its own. */
static int own_handlers_run(void)
{
	struct sigaction action = {.sa_handler = own_handler}, after;

	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGUSR1, &action, NULL);
	(void)signal(SIGHUP, SIG_IGN);
	if (!raw_terminal_begin())
		return 10;
	(void)raise(SIGHUP);
	(void)raise(SIGUSR1);
	if (own_signals != 1 || raw_terminal_news().ended_by)
		return 11;
	(void)raw_terminal_write("<on>", 4);
	while (own_signals < 3)
		(void)usleep(1000);
	if (raw_terminal_news().ended_by != SIGTERM)
		return 12;
	raw_terminal_end();
	raw_terminal_end();
	if (sigaction(SIGTERM, NULL, &after) < 0 || after.sa_handler != own_handler)
		return 13;
	if (sigaction(SIGWINCH, NULL, &after) < 0 || after.sa_handler != SIG_DFL)
		return 14;
	return 0;
}

START_TEST(handlers_of_the_process_are_called)
{
	struct session session;

	if (!session_begin(&session, own_handlers_run))
		return;
	wait_for(&session, "<on>");
	ck_assert_int_eq(kill(session.child, SIGTERM), 0);
	wait_for(&session, LEFT);
	ck_assert_int_eq(kill(session.child, SIGTERM), 0);
	check_exit(&session, 0);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* A shell with job control: says when its job stops, and continues it when a line comes. */
static int shell_run(void)
{
	int status;
	pid_t job = fork();

	if (job == 0) {
		(void)setpgid(0, 0);
		while (tcgetpgrp(0) != getpgrp())
			(void)usleep(1000);
		_exit(command_run());
	}
	(void)signal(SIGTTOU, SIG_IGN);
	(void)setpgid(job, job);
	(void)tcsetpgrp(0, job);
	while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
		char line[16];

		(void)tcsetpgrp(0, getpgrp());
		(void)!write(1, WSTOPSIG(status) == SIGTSTP ? "<tstp>" : "<stop>", 6);
		if (read(0, line, sizeof(line)) <= 0)
			return 50;
		if (line[0] == 'b') { /* bg */
			(void)kill(-job, SIGCONT);
			continue;
		}
		(void)tcsetpgrp(0, job);
		(void)kill(-job, SIGCONT);
	}
	(void)tcsetpgrp(0, getpgrp());
	return WIFEXITED(status) ? WEXITSTATUS(status) : 51;
}

START_TEST(given_back_while_stopped)
{
	struct session session;

	if (!session_begin(&session, shell_run))
		return;
	wait_for(&session, "<80x24>");
	for (int round = 0; round < 3; round++) {
		check_raw(&session);
		ck_assert_int_eq(write(session.master, "\x1a", 1), 1);
		wait_for(&session, LEFT);
		wait_for(&session, "<tstp>");
		check_restored(&session);
		if (round == 1) { /* in the background it must stop again, and leave the terminal */
			ck_assert_int_eq(write(session.master, "b\n", 2), 2);
			wait_for(&session, "<stop>");
			check_restored(&session);
		}
		ck_assert_int_eq(write(session.master, "f\n", 2), 2);
		wait_for(&session, ENTERED);
		wait_for(&session, "<resumed>");
	}
	check_raw(&session);
	ck_assert_int_eq(write(session.master, "q", 1), 1);
	wait_for(&session, LEFT);
	check_exit(&session, 0);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* It stops without a chance to give the terminal back; the shell does that for it. */
START_TEST(taken_again_after_sigstop)
{
	struct session session;

	if (!session_begin(&session, command_run))
		return;
	wait_for(&session, "<80x24>");
	ck_assert_int_eq(kill(session.child, SIGSTOP), 0);
	ck_assert_int_eq(tcsetattr(session.slave, TCSANOW, &session.before), 0);
	ck_assert_int_eq(kill(session.child, SIGCONT), 0);
	wait_for(&session, "<resumed>");
	check_raw(&session);
	ck_assert_int_eq(write(session.master, "q", 1), 1);
	wait_for(&session, LEFT);
	check_exit(&session, 0);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* Nobody could continue it: a stop does nothing. */
START_TEST(not_stopped_without_a_shell)
{
	struct session session;

	if (!session_begin(&session, command_run))
		return;
	wait_for(&session, "<80x24>");
	ck_assert_int_eq(write(session.master, "\x1a", 1), 1);
	wait_for(&session, "<resumed>");
	check_raw(&session);
	ck_assert_int_eq(write(session.master, "q", 1), 1);
	wait_for(&session, LEFT);
	check_exit(&session, 0);
	session_end(&session);
}
END_TEST

START_TEST(sizes_are_news)
{
	static const struct {
		struct winsize size;
		const char *expected;
	} cases[] = {
		{{.ws_row = 10, .ws_col = 40}, "<40x10>"},
		{{.ws_row = 0, .ws_col = 0}, "<80x24>"},
		{{.ws_row = 50, .ws_col = 0}, "<80x50>"},
		{{.ws_row = 50, .ws_col = 200}, "<200x50>"},
	};
	struct session session;

	if (!session_begin(&session, command_run))
		return;
	wait_for(&session, "<80x24>");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(ioctl(session.master, TIOCSWINSZ, &cases[i].size), 0);
		wait_for(&session, cases[i].expected);
	}
	/* a storm of them */
	for (unsigned short i = 1; i <= 500; i++) {
		struct winsize size = {.ws_row = i, .ws_col = i};

		ck_assert_int_eq(ioctl(session.master, TIOCSWINSZ, &size), 0);
	}
	wait_for(&session, "<500x500>");
	ck_assert_int_eq(write(session.master, "q", 1), 1);
	wait_for(&session, LEFT);
	check_exit(&session, 0);
	session_end(&session);
}
END_TEST

/* The stream comes on standard input, the keys from the terminal. */
static int stream_run(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0)
		return 14;
	return command_run();
}

START_TEST(keys_come_from_the_terminal)
{
	struct session session;

	if (!session_begin(&session, stream_run))
		return;
	wait_for(&session, "<80x24>");
	check_raw(&session);
	ck_assert_int_eq(write(session.master, "q", 1), 1);
	wait_for(&session, LEFT);
	check_exit(&session, 0);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* The end without raw_terminal_end(), as of code that knows nothing of it. */
static int exit_run(void)
{
	if (!raw_terminal_begin())
		return 10;
	exit(7);
}

START_TEST(given_back_at_exit)
{
	struct session session;

	if (!session_begin(&session, exit_run))
		return;
	wait_for(&session, LEFT);
	check_exit(&session, 7);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* Memory runs out: the line for that is not to vanish with the alternate screen. */
static int memory_run(void)
{
	if (!raw_terminal_begin())
		return 10;
	(void)!xreallocarray(NULL, SIZE_MAX, 2);
	return 11;
}

START_TEST(given_back_when_memory_ends)
{
	struct session session;

	if (!session_begin(&session, memory_run))
		return;
	wait_for(&session, LEFT);
	wait_for(&session, "out of memory");
	check_exit(&session, 1);
	check_restored(&session);
	session_end(&session);
}
END_TEST

/* Returns 1 if the terminal was not taken. */
static int refused_run(void)
{
	return raw_terminal_begin() ? 0 : 1;
}

static int dumb_run(void)
{
	(void)setenv("TERM", "dumb", 1);
	return refused_run();
}

static int unset_run(void)
{
	(void)unsetenv("TERM");
	return refused_run();
}

static int pipe_run(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		return 14;
	return refused_run();
}

START_TEST(refused_where_no_screen_can_be)
{
	static const child_run runs[] = {dumb_run, unset_run, pipe_run};

	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		struct session session;

		if (!session_begin(&session, runs[i]))
			return;
		check_exit(&session, 1);
		check_restored(&session);
		session_end(&session);
	}
}
END_TEST

START_TEST(the_environment_knows_sizes_that_ioctl_does_not)
{
	static const struct {
		const char *lines, *columns;
		size_t expected_rows, expected_columns;
	} cases[] = {
		{"50", "132", 50, 132}, {"0", "-1", 24, 80}, {"x", "99999999", 24, 80},
		{NULL, NULL, 24, 80},
	};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(null, 0);
	ck_assert_int_eq(fflush(stdout), 0);
	ck_assert_int_eq(dup2(null, STDOUT_FILENO), STDOUT_FILENO);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t rows, columns;

		(void)unsetenv("LINES");
		(void)unsetenv("COLUMNS");
		if (cases[i].lines)
			ck_assert_int_eq(setenv("LINES", cases[i].lines, 1), 0);
		if (cases[i].columns)
			ck_assert_int_eq(setenv("COLUMNS", cases[i].columns, 1), 0);
		raw_terminal_size(&rows, &columns);
		ck_assert_uint_eq(rows, cases[i].expected_rows);
		ck_assert_uint_eq(columns, cases[i].expected_columns);
	}
}
END_TEST

Suite *raw_terminal_suite(void)
{
	Suite *suite = suite_create("raw_terminal");
	TCase *tests = tcase_create("raw_terminal");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, given_back_at_the_end);
	tcase_add_loop_test(tests, given_back_at_a_wish_to_end, 0, ARRAY_SIZE(wishes));
	tcase_add_test(tests, ctrl_c_is_a_signal);
	tcase_add_test(tests, given_back_while_output_is_stopped);
	tcase_add_loop_test(tests, given_back_at_a_signal_that_ends, 0, ARRAY_SIZE(fatal));
	tcase_add_test(tests, the_second_wish_ends_a_hang);
	tcase_add_test(tests, handlers_of_the_process_are_called);
	tcase_add_test(tests, given_back_while_stopped);
	tcase_add_test(tests, taken_again_after_sigstop);
	tcase_add_test(tests, not_stopped_without_a_shell);
	tcase_add_test(tests, sizes_are_news);
	tcase_add_test(tests, keys_come_from_the_terminal);
	tcase_add_test(tests, given_back_at_exit);
	tcase_add_test(tests, given_back_when_memory_ends);
	tcase_add_test(tests, refused_where_no_screen_can_be);
	tcase_add_test(tests, the_environment_knows_sizes_that_ioctl_does_not);
	suite_add_tcase(suite, tests);
	return suite;
}
