/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file_lock.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>

int file_lock(int fd)
{
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EINTR)
			continue;
		return errno == EWOULDBLOCK ? -EBUSY : 0;
	}
	return 0;
}

bool file_is_at(int fd, const char *path)
{
	struct stat file, named;

	return fstat(fd, &file) == 0 && stat(path, &named) == 0 && file.st_dev == named.st_dev &&
	       file.st_ino == named.st_ino;
}
