/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"

bool mapped_file_name(struct mapped_file *file, const char *path)
{
	return path[0] == '/' &&
	       snprintf(file->path, sizeof(file->path), "%s", path) < (int)sizeof(file->path);
}

int mapped_file_open(const struct mapped_file *file, mapped_file_test *test, const void *wanted)
{
	_cleanup_(freep) char *mapped =
		xasprintf("/proc/%d/map_files/%llx-%llx", (int)file->tgid,
			  (unsigned long long)file->begin, (unsigned long long)file->end);
	_cleanup_(freep) char *inside = xasprintf("/proc/%d/root%s", (int)file->tgid, file->path);
	const char *const paths[] = {mapped, inside, file->path};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		int fd = open(paths[i], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		struct stat status;

		if (fd < 0)
			continue;
		if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && test(fd, &status, wanted))
			return fd;
		(void)close(fd);
	}
	return -ENOENT;
}
