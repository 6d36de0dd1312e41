/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pty_job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHELL_LOOK_MS 10

/* What the shell says. */
struct shell_word {
	pid_t command;
	bool is_state; /* else it has only begun */
	int status;
};

int64_t pty_now_ms(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static _Noreturn void command_run(int terminal, char **argv)
{
	sigset_t none;

	(void)setpgid(0, 0);
	(void)tcsetpgrp(terminal, getpgrp());
	(void)dup2(terminal, STDIN_FILENO);
	(void)dup2(terminal, STDOUT_FILENO);
	if (!getenv("PTY_ERRORS"))
		(void)dup2(terminal, STDERR_FILENO);
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)execvp(argv[0], argv);
	_exit(127);
}

/* Until the command has ended, and then until the other side is closed. */
static _Noreturn void shell_run(int terminal, int orders, char **argv)
{
	struct pollfd order = {.fd = orders, .events = POLLIN};
	struct shell_word word = {0};
	bool has_ended = false;
	char byte;

	(void)setsid();
	(void)ioctl(terminal, TIOCSCTTY, 0);
	for (int number = 1; number < NSIG; number++)
		if (number != SIGCHLD)
			(void)signal(number, SIG_IGN);
	word.command = fork();
	if (word.command == 0)
		command_run(terminal, argv);
	(void)setpgid(word.command, word.command);
	(void)!write(orders, &word, sizeof(word));
	word.is_state = true;
	for (;;) {
		if (!has_ended &&
		    waitpid(word.command, &word.status, WNOHANG | WUNTRACED) == word.command) {
			(void)tcsetpgrp(terminal, getpgrp());
			(void)!write(orders, &word, sizeof(word));
			has_ended = !WIFSTOPPED(word.status);
		}
		if (poll(&order, 1, SHELL_LOOK_MS) <= 0)
			continue;
		if (read(orders, &byte, 1) <= 0)
			_exit(0);
		(void)tcsetpgrp(terminal, word.command);
		(void)kill(-word.command, SIGCONT);
	}
}

/* Not inherited by the shell, so that the line hangs up when this process closes it. */
static int terminal_open(size_t rows, size_t columns, int *ret_terminal)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || grantpt(fd) < 0 || unlockpt(fd) < 0)
		return -1;
	*ret_terminal = open(ptsname(fd), O_RDWR | O_NOCTTY | O_CLOEXEC);
	return *ret_terminal >= 0 && ioctl(*ret_terminal, TIOCSWINSZ, &size) == 0 ? fd : -1;
}

bool pty_job_begin(struct pty_job *job, size_t rows, size_t columns, char **argv)
{
	struct shell_word word = {0};
	int ends[2], terminal = -1;

	*job = (struct pty_job){.fd = terminal_open(rows, columns, &terminal)};
	if (job->fd < 0 || tcgetattr(terminal, &job->before) < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	job->shell = fork();
	if (job->shell == 0) {
		(void)close(job->fd);
		(void)close(ends[0]);
		shell_run(terminal, ends[1], argv);
	}
	(void)close(terminal);
	(void)close(ends[1]);
	job->shell_fd = ends[0];
	if (job->shell < 0 || read(job->shell_fd, &word, sizeof(word)) != sizeof(word))
		return false;
	job->command = word.command;
	vt_begin(&job->screen, rows ? rows : 24, columns ? columns : 80);
	pty_job_count(job);
	return true;
}

void pty_job_count(struct pty_job *job)
{
	job->counted_since = pty_now_ms();
	job->bytes = job->redraws = job->redraw_bytes = job->redraw_bytes_max = 0;
}

static void bytes_take(struct pty_job *job, const char *bytes, size_t length)
{
	int64_t now = pty_now_ms();

	if (now - job->last_byte_at >= PTY_PAUSE_MS || job->redraws == 0) {
		job->redraws++;
		job->redraw_bytes = 0;
	}
	job->last_byte_at = now;
	job->bytes += length;
	job->redraw_bytes += length;
	if (job->redraw_bytes > job->redraw_bytes_max)
		job->redraw_bytes_max = job->redraw_bytes;
	vt_write(&job->screen, bytes, length);
}

void pty_job_take(struct pty_job *job, int64_t ms)
{
	struct pollfd input[] = {
		{.fd = job->fd, .events = POLLIN},
		{.fd = job->has_status ? -1 : job->shell_fd, .events = POLLIN},
	};
	struct shell_word word;
	char bytes[4096];
	ssize_t got;

	if (poll(input, 2, (int)ms) <= 0)
		return;
	/* first all that was written: the state came after it */
	while (job->fd >= 0 && poll(input, 1, 0) > 0) {
		got = read(job->fd, bytes, sizeof(bytes));
		if (got <= 0)
			break;
		bytes_take(job, bytes, (size_t)got);
	}
	if (!(input[1].revents & POLLIN) ||
	    recv(job->shell_fd, &word, sizeof(word), MSG_DONTWAIT) != sizeof(word))
		return;
	job->status = word.status;
	job->is_stopped = WIFSTOPPED(word.status);
	job->has_status = !job->is_stopped;
}

bool pty_job_type(const struct pty_job *job, const char *bytes, size_t length)
{
	return job->fd >= 0 && write(job->fd, bytes, length) == (ssize_t)length;
}

bool pty_job_resize(struct pty_job *job, size_t rows, size_t columns)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

	vt_resize(&job->screen, rows, columns);
	return job->fd >= 0 && ioctl(job->fd, TIOCSWINSZ, &size) == 0;
}

bool pty_job_continue(struct pty_job *job)
{
	job->is_stopped = false;
	return send(job->shell_fd, "c", 1, MSG_NOSIGNAL) == 1;
}

void pty_job_hang_up(struct pty_job *job)
{
	if (job->fd >= 0)
		(void)close(job->fd);
	job->fd = -1;
}

bool pty_job_is_restored(const struct pty_job *job)
{
	struct termios now;

	/* a terminal's other side has its attributes */
	return job->fd >= 0 && tcgetattr(job->fd, &now) == 0 &&
	       now.c_iflag == job->before.c_iflag && now.c_oflag == job->before.c_oflag &&
	       now.c_cflag == job->before.c_cflag && now.c_lflag == job->before.c_lflag &&
	       memcmp(now.c_cc, job->before.c_cc, sizeof(now.c_cc)) == 0;
}

void pty_job_end(struct pty_job *job)
{
	if (!job->has_status)
		(void)kill(-job->command, SIGKILL);
	pty_job_hang_up(job);
	(void)close(job->shell_fd);
	(void)waitpid(job->shell, NULL, 0);
}
