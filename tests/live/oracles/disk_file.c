/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "truth.h"

#define TMPFS_MAGIC 0x01021994

void *disk_block_new(void)
{
	void *block = NULL;

	truth_must(posix_memalign(&block, DISK_BLOCK_BYTES, DISK_BLOCK_BYTES) == 0, "memory");
	memset(block, 'x', DISK_BLOCK_BYTES);
	return block;
}

int disk_file_open(int flags)
{
	const char *directory = getenv("ORACLE_DIR");
	char path[4096];
	struct statfs system;
	void *block = disk_block_new();
	int writer, fd;

	(void)snprintf(path, sizeof(path), "%s/oracle.XXXXXX", directory ? directory : ".");
	writer = mkstemp(path);
	truth_must(writer >= 0, path);
	if (fstatfs(writer, &system) < 0 || system.f_type == TMPFS_MAGIC) {
		(void)unlink(path);
		truth_skip("the file system has no disk behind it");
	}
	for (unsigned i = 0; i < DISK_FILE_BLOCKS; i++)
		truth_must(write(writer, block, DISK_BLOCK_BYTES) == DISK_BLOCK_BYTES, path);
	truth_must(fsync(writer) == 0, "fsync");
	(void)posix_fadvise(writer, 0, 0, POSIX_FADV_DONTNEED);
	fd = open(path, flags | O_CLOEXEC);
	(void)unlink(path);
	(void)close(writer);
	if (fd < 0)
		truth_skip("the file system refuses direct reads");
	free(block);
	return fd;
}

void disk_file_device(int fd, char ret[DISK_DEVICE_BYTES])
{
	char path[64];
	struct stat file;
	FILE *numbers;

	truth_must(fstat(fd, &file) == 0, "fstat");
	(void)snprintf(ret, DISK_DEVICE_BYTES, "%u:%u", major(file.st_dev), minor(file.st_dev));
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/partition", ret);
	if (access(path, F_OK) != 0)
		return;
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/../dev", ret);
	numbers = fopen(path, "r");
	truth_may(numbers && fscanf(numbers, "%31s", ret) == 1, path);
	(void)fclose(numbers);
}
