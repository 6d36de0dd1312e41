/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/message.h"

#define MESSAGE_BYTES 2000
/* For a child that is told to end. */
#define END_STEPS     50
#define END_STEP_US   10000

void report_child_init(struct report_child *child)
{
	*child = (struct report_child){.out = -1, .error = -1};
	buffer_init(&child->text, CHILD_TEXT_MAX);
	buffer_init(&child->message, MESSAGE_BYTES);
	buffer_init(&child->line, MESSAGE_BYTES);
}

/* Signals are handled as in a process that was just executed; the terminal is the parent's. */
static void child_detach(pid_t parent)
{
	static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		(void)signal(handled[i], SIG_DFL);
	if (null >= 0)
		(void)dup2(null, STDIN_FILENO);
}

__attribute__((noreturn)) static void child_run(pid_t parent, const int out[2], const int error[2],
                                                int (*run)(const void *state), const void *state)
{
	int status;

	child_detach(parent);
	if (dup2(out[1], STDOUT_FILENO) < 0 || dup2(error[1], STDERR_FILENO) < 0)
		_exit(1);
	status_line_pass_on();
	status = run(state);
	if (fflush(stdout) != 0)
		status = 1;
	_exit(status);
}

int report_child_start(struct report_child *child, int (*run)(const void *state),
                       const void *state)
{
	_cleanup_(closep) int out_read = -1, out_write = -1, error_read = -1, error_write = -1;
	int out[2], error[2];
	pid_t parent = getpid();

	if (pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	out_read = out[0];
	out_write = out[1];
	if (pipe2(error, O_CLOEXEC) < 0)
		return -errno;
	error_read = error[0];
	error_write = error[1];
	(void)fflush(NULL);
	child->pid = fork();
	if (child->pid < 0) {
		child->pid = 0;
		return -errno;
	}
	if (child->pid == 0)
		child_run(parent, out, error, run, state);
	(void)fcntl(out_read, F_SETFL, O_NONBLOCK);
	(void)fcntl(error_read, F_SETFL, O_NONBLOCK);
	child->out = out_read;
	child->error = error_read;
	out_read = error_read = -1;
	return 0;
}

/* Messages of ftwait begin with its name, which everybody knows here. */
static void line_end(struct report_child *child)
{
	const char *text = child->line.text;

	if (child->line.length) {
		buffer_clear(&child->message);
		buffer_puts(&child->message, strncmp(text, "ftwait: ", 8) == 0 ? text + 8 : text);
	}
	buffer_clear(&child->line);
}

static void said_take(struct report_child *child, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] == '\n' || bytes[i] == '\r')
			line_end(child);
		else if (child->line.length < MESSAGE_BYTES - 1)
			buffer_putc(&child->line, bytes[i]);
}

static void pipe_close(int *fd)
{
	closep(fd);
	*fd = -1;
}

/* Reads what there is; closes at the end. */
static void pipe_take(struct report_child *child, int *fd)
{
	char bytes[65536];
	ssize_t got;

	while (*fd >= 0 && (got = read(*fd, bytes, sizeof(bytes))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return;
		if (got < 0)
			break;
		if (fd == &child->error) {
			said_take(child, bytes, (size_t)got);
		} else if (child->text.length + (size_t)got < CHILD_TEXT_MAX) {
			buffer_append(&child->text, bytes, (size_t)got);
		} else {
			child->is_too_long = true;
			(void)kill(child->pid, SIGKILL);
			break;
		}
	}
	pipe_close(fd);
}

static void child_reap(struct report_child *child)
{
	int status = 0;
	pid_t pid;

	do {
		pid = waitpid(child->pid, &status, 0);
	} while (pid < 0 && errno == EINTR);
	child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	child->pid = 0;
}

void report_child_take(struct report_child *child)
{
	pipe_take(child, &child->out);
	pipe_take(child, &child->error);
	if (child->pid == 0 || child->out >= 0 || child->error >= 0)
		return;
	line_end(child);
	child_reap(child);
	child->is_ended = true;
}

static bool has_ended(struct report_child *child)
{
	siginfo_t info = {.si_pid = 0};

	return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid != 0;
}

void report_child_release(struct report_child *child)
{
	if (child->pid) {
		(void)kill(child->pid, SIGTERM);
		for (int i = 0; i < END_STEPS && !has_ended(child); i++)
			(void)usleep(END_STEP_US);
		(void)kill(child->pid, SIGKILL);
		child_reap(child);
	}
	pipe_close(&child->out);
	pipe_close(&child->error);
	buffer_release(&child->text);
	buffer_release(&child->message);
	buffer_release(&child->line);
	report_child_init(child);
}
