/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replaced_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/file_io.h"
#include "base/monotonic.h"
#include "base/xalloc.h"

#define TRIES_MAX   100
#define MODE_BITS   07777
#define COPY_BYTES  65536
#define ACL_NAME    "system.posix_acl_access"
#define ACL_BYTES   4096
#define BESIDE_NAME ".ftwait-%08" PRIx32

/* Signals that end a process by default and are sent by users or programs. */
static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM,
                                     SIGUSR1, SIGUSR2, SIGXCPU, SIGABRT};

/* The state for signal handlers; global, as these get no argument. */
static struct {
	atomic_int folder; /* -1: there is nothing to remove */
	pid_t process;     /* a child process inherits the handlers, but must not remove anything */
	char name[32];
	bool is_taken[ARRAY_SIZE(ending_signals)];
} beside = {.folder = -1};

static void beside_remove(void)
{
	int folder = atomic_exchange(&beside.folder, -1);

	if (folder >= 0 && beside.process == getpid())
		(void)unlinkat(folder, beside.name, 0);
}

/* With SA_RESETHAND a second signal has its default action, and ends the process. */
static void on_signal(int number)
{
	int error = errno;

	beside_remove();
	errno = error;
	(void)raise(number);
}

/* An ignored signal, as under nohup, stays ignored. */
static void signals_take(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
	struct sigaction before;

	(void)sigfillset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(ending_signals); i++)
		if (sigaction(ending_signals[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_DFL)
			beside.is_taken[i] = sigaction(ending_signals[i], &action, NULL) == 0;
	xalloc_before_end(beside_remove);
}

static void signals_give_back(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	xalloc_before_end(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(ending_signals); i++) {
		if (beside.is_taken[i])
			(void)sigaction(ending_signals[i], &action, NULL);
		beside.is_taken[i] = false;
	}
}

/* Creates the file beside. From then on a signal that ends the process also removes the file.
   `mode` has few rights if the file gets the rights of another file later. */
static int beside_create(int folder, mode_t mode)
{
	uint32_t number = (uint32_t)monotonic_now() ^ (uint32_t)getpid() << 16;
	sigset_t all, before;
	int fd = -1, error = EEXIST;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	for (int i = 0; i < TRIES_MAX && fd < 0 && error == EEXIST; i++, number += 0x9e3779b9) {
		(void)snprintf(beside.name, sizeof(beside.name), BESIDE_NAME, number);
		fd = openat(folder, beside.name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		error = errno;
	}
	if (fd >= 0) {
		beside.process = getpid();
		atomic_store(&beside.folder, folder);
		signals_take();
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return fd < 0 ? -error : fd;
}

/* Copies the access control list. If there is none, removes the list that the new file has
   inherited from its folder. */
static int acl_copy(int from, int to)
{
	char text[ACL_BYTES];
	ssize_t bytes = fgetxattr(from, ACL_NAME, text, sizeof(text));

	if (bytes >= 0)
		return fsetxattr(to, ACL_NAME, text, (size_t)bytes, 0) < 0 ? -errno : 0;
	if (errno == ERANGE)
		return -ERANGE;
	(void)fremovexattr(to, ACL_NAME);
	return 0;
}

/* Copies owner, mode and access control list of one file to the other. */
static int rights_copy(int from, int to)
{
	struct stat old, new;
	mode_t mode;

	if (fstat(from, &old) < 0 || fstat(to, &new) < 0)
		return -errno;
	if (!S_ISREG(old.st_mode) || old.st_nlink != 1)
		return -EMLINK;
	if ((old.st_uid != new.st_uid || old.st_gid != new.st_gid) &&
	    fchown(to, old.st_uid, old.st_gid) < 0)
		return -errno;
	if (acl_copy(from, to) < 0)
		return -EPERM;
	mode = old.st_mode & MODE_BITS;
	return mode != (new.st_mode & MODE_BITS) && fchmod(to, mode) < 0 ? -errno : 0;
}

int replaced_file_begin(const struct output_place *place, int old, struct replaced_file *ret)
{
	int folder, fd, r;

	if (place->is_kernels)
		return -EINVAL;
	if (!*place->name)
		return -ENOENT;
	folder = fcntl(place->folder, F_DUPFD_CLOEXEC, 3);
	if (folder < 0)
		return -errno;
	*ret = (struct replaced_file){folder, -1, -1, xstrdup(place->name)};
	fd = beside_create(folder, old < 0 ? 0666 : 0600);
	r = fd < 0 ? fd : old < 0 ? 0 : rights_copy(old, fd);
	if (r == 0) {
		ret->new = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		r = ret->new < 0 ? -errno : 0;
	}
	if (r < 0) {
		closep(&fd);
		replaced_file_discard(ret);
		return r;
	}
	ret->old = old;
	return fd;
}

static void replaced_file_end(struct replaced_file *file)
{
	signals_give_back();
	closep(&file->folder);
	closep(&file->old);
	closep(&file->new);
	free(file->name);
	*file = (struct replaced_file){.folder = -1, .old = -1, .new = -1};
}

void replaced_file_discard(struct replaced_file *file)
{
	beside_remove();
	replaced_file_end(file);
}

static int bytes_copy(int from, int to)
{
	_cleanup_(freep) char *piece = xmalloc(COPY_BYTES);
	uint64_t done = 0;
	int64_t got;

	while ((got = file_read_at(from, piece, COPY_BYTES, done)) > 0) {
		int r = file_write_all(to, piece, (size_t)got);

		if (r < 0)
			return r;
		done += (uint64_t)got;
	}
	return (int)got;
}

/* Copies the bytes of the new file to the old one. From the begin of the copy on, only the new file
   is complete, so it is not removed before everything is copied. */
static int replaced_file_fill(const struct replaced_file *file, struct buffer *why)
{
	int r;

	if (ftruncate(file->old, 0) < 0)
		return -errno;
	atomic_store(&beside.folder, -1);
	r = bytes_copy(file->new, file->old);
	if (r == 0)
		(void)unlinkat(file->folder, beside.name, 0);
	else
		buffer_printf(why, "it is incomplete; all of it is in %s beside it", beside.name);
	return r;
}

int replaced_file_commit(struct replaced_file *file, struct buffer *why)
{
	int r = renameat(file->folder, beside.name, file->folder, file->name) < 0 ? -errno : 0;

	if (r == 0)
		atomic_store(&beside.folder, -1);
	else if (file->old >= 0 && (r == -EBUSY || r == -EPERM || r == -EACCES))
		r = replaced_file_fill(file, why);
	beside_remove();
	replaced_file_end(file);
	return r;
}
