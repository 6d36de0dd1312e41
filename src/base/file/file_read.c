/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file_read.h"

#include <errno.h>
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
