/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/message.h"
#include "cmd/commands.h"
#include "child_process.h"

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

/* The ends of two pipes. */
struct child_pipes {
	int out[2], error[2];
};

static void pipes_close(struct child_pipes *pipes)
{
	for (size_t i = 0; i < 2; i++) {
		closep(&pipes->out[i]);
		closep(&pipes->error[i]);
	}
}

static int pipes_open(struct child_pipes *pipes)
{
	*pipes = (struct child_pipes){{-1, -1}, {-1, -1}};
	if (pipe2(pipes->out, O_CLOEXEC) < 0 || pipe2(pipes->error, O_CLOEXEC) < 0)
		return -errno;
	(void)fcntl(pipes->out[0], F_SETFL, O_NONBLOCK);
	(void)fcntl(pipes->error[0], F_SETFL, O_NONBLOCK);
	return 0;
}

/* The child keeps the ends that are read. */
static void pipes_take(struct report_child *child, struct child_pipes *pipes)
{
	child->out = pipes->out[0];
	child->error = pipes->error[0];
	pipes->out[0] = pipes->error[0] = -1;
}

int report_child_start(struct report_child *child, int (*run)(const void *state),
                       const void *state)
{
	_cleanup_(pipes_close) struct child_pipes pipes;
	pid_t parent = getpid();
	int r = pipes_open(&pipes);

	if (r < 0)
		return r;
	(void)fflush(NULL);
	child->pid = fork();
	if (child->pid < 0) {
		child->pid = 0;
		return -errno;
	}
	if (child->pid == 0) {
		child_become(parent, pipes.out[1], pipes.error[1]);
		child_leave(run(state));
	}
	pipes_take(child, &pipes);
	return 0;
}

int report_child_ask(struct report_child *child, struct report_worker *worker,
                     const char *options, size_t columns)
{
	_cleanup_(pipes_close) struct child_pipes pipes;
	int r = pipes_open(&pipes);

	if (r == 0)
		r = report_worker_ask(worker, options, columns, pipes.out[1], pipes.error[1]);
	if (r < 0)
		return r;
	child->worker = worker;
	pipes_take(child, &pipes);
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

/* What a worker's child is, is known a moment later; then it ends at its closed pipe. */
static void child_kill(const struct report_child *child, int number)
{
	pid_t pid = child->worker ? child->worker->child : child->pid;

	if (pid)
		(void)kill(pid, number);
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
			child_kill(child, SIGKILL);
			break;
		}
	}
	pipe_close(fd);
}

void report_child_take(struct report_child *child)
{
	pipe_take(child, &child->out);
	pipe_take(child, &child->error);
	if (child->is_ended || child->out >= 0 || child->error >= 0)
		return;
	if (child->worker && child->worker->socket >= 0 && child->worker->is_busy)
		return;
	line_end(child);
	if (!child->worker)
		child->status = child_await_end(&child->pid);
	else
		child->status = child->worker->socket >= 0 ? child->worker->status
		                                           : STATUS_NOT_KEPT;
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
	if (child->worker && !child->is_ended)
		child_kill(child, SIGKILL);
	if (child->pid) {
		(void)kill(child->pid, SIGTERM);
		for (int i = 0; i < END_STEPS && !has_ended(child); i++)
			(void)usleep(END_STEP_US);
		(void)kill(child->pid, SIGKILL);
		(void)child_await_end(&child->pid);
	}
	pipe_close(&child->out);
	pipe_close(&child->error);
	buffer_release(&child->text);
	buffer_release(&child->message);
	buffer_release(&child->line);
	*child = (struct report_child){.out = -1, .error = -1};
}
