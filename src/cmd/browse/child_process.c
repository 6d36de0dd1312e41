/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/message.h"
#include "cmd/commands.h"

void child_become(pid_t parent, int out, int error)
{
	static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
	/* a sealed process may open nothing for writing; its descriptors are given */
	int null = open("/dev/null", (out < 0 || error < 0 ? O_RDWR : O_RDONLY) | O_CLOEXEC);

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || null < 0)
		_exit(STATUS_FAILED);
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		(void)signal(handled[i], SIG_DFL);
	if (dup2(null, STDIN_FILENO) < 0 || dup2(out < 0 ? null : out, STDOUT_FILENO) < 0 ||
	    dup2(error < 0 ? null : error, STDERR_FILENO) < 0)
		_exit(STATUS_FAILED);
	if (error >= 0)
		status_line_pass_on();
}

int child_await_end(pid_t *child)
{
	int status = 0;

	while (waitpid(*child, &status, 0) < 0 && errno == EINTR)
		;
	*child = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void child_leave(int status)
{
	_exit(fflush(stdout) == 0 ? status : STATUS_FAILED);
}
