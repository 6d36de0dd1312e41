/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/message.h"
#include "output_guard.h"

/* A file by name; NULL or "-": the standard stream `otherwise`. */
static bool file_find(const char *path, int otherwise, struct stat *ret)
{
	int r = path && strcmp(path, "-") != 0 ? stat(path, ret) : fstat(otherwise, ret);

	return r == 0;
}

static bool output_is_input(const char *output, const char *input)
{
	struct stat to, from;

	return file_find(output, STDOUT_FILENO, &to) && file_find(input, STDIN_FILENO, &from) &&
	       S_ISREG(to.st_mode) && to.st_dev == from.st_dev && to.st_ino == from.st_ino;
}

static int output_complain(const char *path, int error)
{
	message_error("report: cannot write to %s: %s", path, strerror(-error));
	return error;
}

int report_output_open(const char *path, const char *input, struct report_output *ret)
{
	struct buffer why;
	int fd;

	*ret = (struct report_output){.file = stdout};
	if (output_is_input(path, input)) { /* a recording cannot be made again */
		message_error("report: %s%s: that is the recording itself; name another file",
		              path ? "-o " : "standard output", path ? path : "");
		return -EINVAL;
	}
	if (!path || strcmp(path, "-") == 0)
		return 0;
	buffer_init(&why, 1024);
	fd = output_guard_open(path, O_WRONLY, &why);
	if (fd == -ENOENT) {
		ret->is_new = true;
		fd = output_guard_open(path, O_WRONLY | O_CREAT, &why);
	}
	if (fd >= 0) {
		ret->path = path;
		ret->file = fdopen(fd, "we");
	}
	if (fd < 0 && why.length > 0)
		message_error("report: %s", why.text);
	else if (fd < 0)
		(void)output_complain(path, fd);
	buffer_release(&why);
	return fd < 0 ? fd : 0;
}

bool report_output_is_terminal(const struct report_output *output, const char *format)
{
	if (output->path || !isatty(STDOUT_FILENO))
		return false;
	message_error("report: --format %s is nothing for a terminal; name a file by -o, or use a "
	              "pipe", format);
	return true;
}

int report_output_begin(struct report_output *output)
{
	struct stat file;

	if (output->path && fstat(fileno(output->file), &file) == 0 && S_ISREG(file.st_mode) &&
	    ftruncate(fileno(output->file), 0) < 0)
		return output_complain(output->path, -errno);
	return 0;
}

int report_output_close(struct report_output *output)
{
	bool has_failed;

	if (!output->path)
		return 0;
	has_failed = ferror(output->file) != 0;
	if (fclose(output->file) == 0 && !has_failed)
		return 0;
	(void)output_complain(output->path, -errno);
	return -EIO;
}

void report_output_discard(struct report_output *output)
{
	struct stat file, named;

	if (!output->path)
		return;
	/* where the name is a link that led nowhere, the link is the user's */
	if (output->is_new && fstat(fileno(output->file), &file) == 0 &&
	    lstat(output->path, &named) == 0 && named.st_dev == file.st_dev &&
	    named.st_ino == file.st_ino)
		(void)unlink(output->path);
	(void)fclose(output->file);
}
