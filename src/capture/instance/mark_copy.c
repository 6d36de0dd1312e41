/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mark_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "guard_process.h"

#define OPTION "options/copy_trace_marker"

static int option_write(const char *path, char value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), r = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, &value, 1) != 1)
		r = -errno;
	(void)close(fd);
	return r;
}

/*
 * The guard: runs until the other end of the pipe is closed. It must not keep files open that
 * should be closed when its parent dies, and no signal to the terminal's processes may end it
 * earlier.
 */
static _Noreturn void guard_run(const char *path, int fd)
{
	char byte;

	if (guard_process_begin(fd) < 0)
		_exit(1);
	guard_process_close_from(STDIN_FILENO + 1);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		;
	(void)option_write(path, '0');
	_exit(0);
}

int mark_copy_init(struct mark_copy *copy, const char *dir)
{
	int pipes[2];

	*copy = (struct mark_copy){.path = xasprintf("%s/" OPTION, dir), .alive_fd = -1};
	if (access(copy->path, F_OK) < 0) {
		int r = -errno;

		free(copy->path);
		copy->path = NULL;
		return r;
	}
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	copy->guard = fork();
	if (copy->guard == 0)
		guard_run(copy->path, pipes[0]);
	(void)close(pipes[0]);
	copy->alive_fd = pipes[1];
	if (copy->guard < 0) {
		copy->guard = 0;
		return -EAGAIN;
	}
	return 0;
}

int mark_copy_begin(struct mark_copy *copy)
{
	int r = copy->guard > 0 ? option_write(copy->path, '1') : 0;

	copy->is_on = copy->guard > 0 && r == 0;
	return r;
}

void mark_copy_end(struct mark_copy *copy)
{
	if (copy->is_on)
		(void)option_write(copy->path, '0');
	copy->is_on = false;
}

void mark_copy_release(struct mark_copy *copy)
{
	mark_copy_end(copy);
	if (copy->alive_fd >= 0)
		(void)close(copy->alive_fd);
	while (copy->guard > 0 && waitpid(copy->guard, NULL, 0) < 0 && errno == EINTR)
		;
	free(copy->path);
	*copy = (struct mark_copy){.alive_fd = -1};
}
