/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file_io.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int64_t file_read_at(int fd, void *to, size_t size, uint64_t offset)
{
	size_t done = 0;

	if (offset > (uint64_t)INT64_MAX - size)
		return -EINVAL;
	while (done < size) {
		ssize_t got = pread(fd, (uint8_t *)to + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (int64_t)done;
}

int file_read_all_at(int fd, void *to, size_t size, uint64_t offset)
{
	int64_t got = file_read_at(fd, to, size, offset);

	if (got < 0)
		return (int)got;
	return (uint64_t)got == size ? 0 : -EIO;
}

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

/* `offset` NULL: where the descriptor is. */
static int write_all(int fd, const char *from, size_t size, uint64_t *offset)
{
	while (size > 0) {
		ssize_t written = offset ? pwrite(fd, from, size, (off_t)*offset)
		                         : write(fd, from, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		from += written;
		size -= (size_t)written;
		if (offset)
			*offset += (uint64_t)written;
	}
	return 0;
}

int file_write_all(int fd, const void *bytes, size_t size)
{
	return write_all(fd, bytes, size, NULL);
}

int file_write_all_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
	return write_all(fd, bytes, size, &offset);
}
