/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "piped_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int piped_child_fork(struct piped_child *child)
{
	int ends[2], error;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	(void)fflush(NULL);
	pid = fork();
	error = errno;
	if (pid != 0)
		(void)close(ends[1]);
	if (pid < 0) {
		(void)close(ends[0]);
		return -error;
	}
	*child = (struct piped_child){pid, ends[pid == 0]};
	return 0;
}

static bool child_wait(struct piped_child *child, int options, int *ret_status)
{
	pid_t ended = 0;

	while (child->pid && (ended = waitpid(child->pid, ret_status, options)) < 0 &&
	       errno == EINTR)
		;
	if (!child->pid || ended == 0)
		return false;
	child->pid = 0;
	return true;
}

bool piped_child_poll(struct piped_child *child, int *ret_status)
{
	return child_wait(child, WNOHANG, ret_status);
}

bool piped_child_await(struct piped_child *child, int *ret_status)
{
	return child_wait(child, 0, ret_status);
}
