/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/file_io.h"
#include "base/file/output_guard.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"

#define OPEN_TRIES     3
#define CLAIM_TRIES    50
#define CLAIM_PAUSE_NS 10000000

static bool is_same_file(const struct stat *file, const struct stat *other)
{
	return file->st_dev == other->st_dev && file->st_ino == other->st_ino;
}

bool record_output_is_stdout(const char *path)
{
	struct stat file, output;
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	bool is_open;

	if (strcmp(path, "-") == 0)
		return true;
	if (stat(path, &file) < 0 || fstat(STDOUT_FILENO, &output) < 0 ||
	    !is_same_file(&file, &output))
		return false;
	if (!S_ISREG(file.st_mode))
		return S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode);
	/* a file that is given by its name becomes NAME.old; given as /dev/stdout it is written
	   to */
	is_open = output_guard_check(path, &why) > 0;
	return is_open;
}

/* Refuses an output that is also standard error: messages would end up inside the recording. */
static int output_check_errors(int fd, struct buffer *why)
{
	struct stat file, errors;

	if (fstat(fd, &file) < 0 || fstat(STDERR_FILENO, &errors) < 0 ||
	    !is_same_file(&file, &errors) || S_ISCHR(file.st_mode))
		return 0;
	return buffer_fail(why, -EINVAL, "standard error goes where the recording goes, and "
	                   "messages there would damage it; redirect one of them, as with 2> FILE");
}

static int output_open_stdout(struct record_output *ret, struct buffer *why)
{
	int r = output_check_errors(STDOUT_FILENO, why);

	if (r < 0)
		return r;
	if (isatty(STDOUT_FILENO))
		return buffer_fail(why, -EINVAL, "standard output is a terminal; redirect it, or "
		                   "give -o FILE");
	*ret = (struct record_output){.fd = STDOUT_FILENO};
	return 0;
}

/* Opens a FIFO, which blocks until it has a reader; so that is announced. */
static int output_open_waiting(const char *path, struct buffer *why)
{
	int fd = output_guard_open(path, O_WRONLY | O_APPEND | O_NONBLOCK, why);

	if (fd == -ENXIO) {
		message_note("waiting for somebody to read %s", path);
		fd = output_guard_open(path, O_WRONLY | O_APPEND, why);
		if (fd == -EINTR)
			buffer_printf(why, "nobody read %s until a signal came; nothing was "
			                   "recorded", path);
	} else if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) < 0) {
		int error = errno;

		(void)close(fd);
		return -error;
	}
	return fd;
}

/* Opens a file that is written in place: it is not a regular file (a FIFO, /dev/null), or a program
   has it open. */
static int output_open_special(const char *path, struct record_output *ret, struct buffer *why)
{
	int fd = output_open_waiting(path, why), r;

	if (fd < 0)
		return fd;
	r = output_check_errors(fd, why);
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	*ret = (struct record_output){.path = path, .fd = fd};
	return 0;
}

/*
 * Locks the file at `path`, if there is one, so that it can be renamed. Returns a descriptor that
 * holds the lock, -ENOENT if there is no file, -EBUSY if it is being recorded into.
 */
static int output_lock_existing(const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno != ENOENT) /* if it is not writable, a read lock is enough */
		fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (file_lock(fd) < 0) {
		(void)close(fd);
		return -EBUSY;
	}
	return fd;
}

/* Renames an existing file to NAME.old, unless another ftwait records into either of the two. */
static int output_move_away(const char *path, const char *old, struct buffer *why)
{
	_cleanup_(closep) int there = output_lock_existing(path);
	_cleanup_(closep) int before = there == -EBUSY ? -EBUSY : output_lock_existing(old);

	if (there == -EBUSY || before == -EBUSY)
		return buffer_fail(why, -EBUSY, "%s is being recorded into by another ftwait; wait "
		                   "for its end, or give another file with -o",
		                   there == -EBUSY ? path : old);
	return rename(path, old) < 0 ? -errno : 0;
}

/*
 * Locks the new file, which shows other recorders that it is in use. Another recorder may have
 * found the file before it was locked, and moved it away: then the file belongs to that recorder.
 */
static int output_claim(int fd, const char *path, struct buffer *why)
{
	const struct timespec pause = {.tv_nsec = CLAIM_PAUSE_NS};
	int r = file_lock(fd);

	for (int i = 0; r == -EBUSY && i < CLAIM_TRIES; i++) {
		(void)nanosleep(&pause, NULL);
		r = file_lock(fd);
	}
	if (r == 0 && file_is_at(fd, path))
		return 0;
	return buffer_fail(why, -EBUSY, "%s was taken by another ftwait that began at the same "
	                   "time; give another file with -o", path);
}

static int output_open_file(const char *path, bool has_old, struct record_output *ret,
                            struct buffer *why)
{
	_cleanup_(freep) char *old = xasprintf("%s.old", path);
	uid_t user;
	gid_t group;
	int fd, r;

	r = has_old ? output_move_away(path, old, why) : 0;
	if (r < 0)
		return r;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	r = fd < 0 ? -errno : output_claim(fd, path, why);
	if (fd >= 0 && r < 0)
		(void)close(fd);
	if (fd < 0 && has_old)
			(void)rename(old, path);
	if (r < 0)
		return r;
	/* if that fails, the file belongs to root, but is a usable recording */
	if (sudo_caller_find(&user, &group))
		(void)!fchown(fd, user, group);
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
	bool exists, is_open;
	int r;

	if (strcmp(path, "-") == 0)
		return output_open_stdout(ret, why);
	r = output_guard_check(path, why);
	if (r < 0)
		return r;
	is_open = r > 0;
	if (is_dangling_link(path))
		return buffer_fail(why, -ENOENT, "cannot write to %s: it is a symbolic link to a "
		                   "file that is not there; remove the link, or give another file "
		                   "with -o", path);
	for (int i = 0; i < OPEN_TRIES; i++) {
		exists = stat(path, &file) == 0;
		if (is_open || (exists && !S_ISREG(file.st_mode)))
			r = output_open_special(path, ret, why);
		else
			r = output_open_file(path, exists, ret, why);
		if (r != -EEXIST) /* EEXIST: another process made the file in between */
			break;
	}
	if (r < 0 && why->length == 0)
		buffer_printf(why, "cannot write to %s: %s%s", path, strerror(-r),
		              r == -EISDIR || r == -EMFILE ? "" : "; give another file with -o");
	return r;
}

int record_output_open_new(const char *path, struct record_output *ret, struct buffer *why)
{
	int r = output_open_file(path, /* has_old= */ false, ret, why);

	if (r < 0 && why->length == 0)
		buffer_printf(why, "cannot write to %s: %s", path, strerror(-r));
	return r;
}

char *record_output_locate(const struct record_output *output)
{
	char path[PATH_MAX];
	ssize_t length;

	if (file_is_at(output->fd, output->path))
		return xstrdup(output->path);
	length = readlink(PROC_PATH("/proc/self/fd/%d", output->fd), path, sizeof(path) - 1);
	if (length <= 0)
		return NULL;
	path[length] = '\0';
	return file_is_at(output->fd, path) ? xstrdup(path) : NULL;
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

	bool is_there = output->is_file && output->fd >= 0 && file_is_at(output->fd, output->path);

	record_output_close(output);
	if (!is_there)
		return;
	(void)unlink(output->path);
	old = xasprintf("%s.old", output->path);
	if (output->has_old)
		(void)rename(old, output->path);
}
