/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACE_FD      3
#define OUTPUT_LIMIT  (1u << 30)

static _Noreturn void command_exec(const char *command, int fd, int output,
                                   const char *const *options)
{
	const char *program = getenv("FTWAIT");
	const char *arguments[REPORT_ARGUMENTS_MAX] = {"ftwait", command, "/proc/self/fd/3", "--json"};
	size_t count = 4;

	for (; *options && count < REPORT_ARGUMENTS_MAX - 1; options++)
		arguments[count++] = *options;
	if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
		_exit(126);
	if (fd == TRACE_FD ? fcntl(fd, F_SETFD, 0) < 0 : dup2(fd, TRACE_FD) < 0)
		_exit(126);
	(void)alarm(REPORT_SECONDS_MAX);
	execv(program ? program : "build/ftwait", (char *const *)(uintptr_t)arguments);
	_exit(127);
}

static void output_read(int fd, struct buffer *to)
{
	char chunk[65536];
	ssize_t got;

	while ((got = read(fd, chunk, sizeof(chunk))) > 0)
		buffer_append(to, chunk, (size_t)got);
}

static int status_judge(const char *command, int status, const struct buffer *output,
                        struct buffer *why)
{
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3 ||
	                          WEXITSTATUS(status) == 4))
		return 0;
	if (WIFSIGNALED(status))
		buffer_printf(why, "ftwait %s was killed by signal %d", command, WTERMSIG(status));
	else
		buffer_printf(why, "ftwait %s ended with status %d", command, WEXITSTATUS(status));
	buffer_printf(why, ": %.2000s", output->text);
	return -EIO;
}

int report_run(int fd, const char *const *options, struct json **ret, struct buffer *why)
{
	return command_run("report", fd, options, ret, why);
}

int command_run(const char *command, int fd, const char *const *options, struct json **ret,
                struct buffer *why)
{
	struct buffer output;
	int pipes[2], status = 0, r;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	(void)fflush(NULL);
	pid = fork();
	if (pid == 0)
		command_exec(command, fd, pipes[1], options);
	(void)close(pipes[1]);
	if (pid < 0) {
		(void)close(pipes[0]);
		return -EAGAIN;
	}
	buffer_init(&output, OUTPUT_LIMIT);
	output_read(pipes[0], &output);
	(void)close(pipes[0]);
	(void)waitpid(pid, &status, 0);
	r = status_judge(command, status, &output, why);
	if (r >= 0)
		r = json_parse(output.text, output.length, ret, why);
	buffer_release(&output);
	return r;
}
