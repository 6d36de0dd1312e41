/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "output_guard.h"
#include "sudo_caller.h"

static int output_open_stdout(struct record_output *ret, struct buffer *why)
{
	if (isatty(STDOUT_FILENO)) {
		buffer_puts(why, "standard output is a terminal; redirect it, or give -o FILE");
		return -EINVAL;
	}
	*ret = (struct record_output){.fd = STDOUT_FILENO};
	return 0;
}

static void output_give_to_caller_of_sudo(int fd)
{
	uid_t user;
	gid_t group;

	if (!sudo_caller_find(&user, &group))
		return;
	/* A file that stays root's is still a recording. */
	if (fchown(fd, user, group) < 0)
		return;
}

/* Anything that is no regular file (a fifo, /dev/null) is written to as it is. */
static int output_open_special(const char *path, struct record_output *ret, struct buffer *why)
{
	int fd = output_guard_open(path, O_WRONLY, why);

	if (fd < 0)
		return fd;
	*ret = (struct record_output){.path = path, .fd = fd};
	return 0;
}

static int output_open_file(const char *path, bool has_old, struct record_output *ret)
{
	_cleanup_(freep) char *old = xasprintf("%s.old", path);
	int fd;

	if (has_old && rename(path, old) < 0)
		return -errno;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		int error = errno;

		if (has_old)
			(void)rename(old, path);
		return -error;
	}
	output_give_to_caller_of_sudo(fd);
	*ret = (struct record_output){.path = path, .fd = fd, .is_file = true, .has_old = has_old};
	return 0;
}

static bool is_dangling_link(const char *path)
{
	struct stat file;

	return stat(path, &file) < 0 && errno == ENOENT && lstat(path, &file) == 0;
}

int record_output_open(const char *path, struct record_output *ret, struct buffer *why)
{
	struct stat file;
	bool exists;
	int r;

	if (strcmp(path, "-") == 0)
		return output_open_stdout(ret, why);
	r = output_guard_check(path, why);
	if (r < 0)
		return r;
	if (is_dangling_link(path)) {
		buffer_printf(why,
		              "cannot write to %s: it is a symbolic link to a file that is not "
		              "there; remove the link, or give another file with -o",
		              path);
		return -ENOENT;
	}
	exists = stat(path, &file) == 0;
	if (exists && !S_ISREG(file.st_mode))
		r = output_open_special(path, ret, why);
	else
		r = output_open_file(path, exists, ret);
	if (r < 0 && why->length == 0)
		buffer_printf(why, "cannot write to %s: %s%s", path, strerror(-r),
		              r == -EISDIR ? "" : "; give another file with -o");
	return r;
}

void record_output_close(struct record_output *output)
{
	if (output->path && output->fd >= 0)
		(void)close(output->fd);
	output->fd = -1;
}

void record_output_discard(struct record_output *output)
{
	_cleanup_(freep) char *old = NULL;

	record_output_close(output);
	if (!output->is_file)
		return;
	(void)unlink(output->path);
	old = xasprintf("%s.old", output->path);
	if (output->has_old)
		(void)rename(old, output->path);
}
