/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instance_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* sweepers hold the lock for a few system calls */
#define LOOKS_MAX     100
#define LOOK_INTERVAL 10000 /* microseconds */

int instance_lock_take(const char *dir)
{
	/* close-on-exec: otherwise COMMAND would hold the lock after the recorder's end */
	_cleanup_(closep) int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat locked, named;
	int r;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return -errno;
	if (fstat(fd, &locked) < 0 || stat(dir, &named) < 0)
		return -errno;
	if (locked.st_dev != named.st_dev || locked.st_ino != named.st_ino)
		return -ENOENT;
	r = fd;
	fd = -1;
	return r;
}

int instance_lock_take_new(const char *dir)
{
	int r = instance_lock_take(dir);

	for (int looks = 0; r == -EWOULDBLOCK && looks < LOOKS_MAX; looks++) {
		(void)usleep(LOOK_INTERVAL);
		r = instance_lock_take(dir);
	}
	return r;
}
