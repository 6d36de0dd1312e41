/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instance_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

#define CPUS_MAX      65536u
#define CPUS_PER_WORD 32u /* of a mask */

int instance_cpus_count(const char *dir, unsigned *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/per_cpu", dir);
	_cleanup_(closedirp) DIR *folder = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		uint64_t cpu;

		if (strncmp(entry->d_name, "cpu", 3) == 0 &&
		    parse_u64(entry->d_name + 3, &cpu) == 0 && cpu < CPUS_MAX && cpu >= count)
			count = (unsigned)cpu + 1;
	}
	*ret = count;
	return count > 0 ? 0 : -ENOENT;
}

void instance_cpus_mask_append(const char *dir, struct buffer *to)
{
	unsigned count = 0, rest;

	(void)instance_cpus_count(dir, &count);
	rest = count % CPUS_PER_WORD;
	if (rest)
		buffer_printf(to, "%x", (1u << rest) - 1);
	for (unsigned word = 0; word < count / CPUS_PER_WORD; word++)
		buffer_printf(to, "%sffffffff", rest || word ? "," : "");
}

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
