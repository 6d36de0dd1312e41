/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/message.h"
#include "cmd/commands.h"

void child_become(pid_t parent, int out, int error)
{
	static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

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

void child_leave(int status)
{
	_exit(fflush(stdout) == 0 ? status : STATUS_FAILED);
}
