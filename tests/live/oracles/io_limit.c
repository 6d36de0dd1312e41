/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Direct writes in a cgroup that may write only so much a second: a kernel worker submits them when
 * the limit lets go of them. The writer waits for the disk, which the limit holds back; what that
 * worker did before is no part of it.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "disk_file.h"
#include "truth.h"

#define BYTES_A_SECOND (256u * 1024)
#define WRITES         40u

/* Where cgroups of both versions are mounted, and how a limit is told there. */
static const struct {
	const char *template, *file, *before;
} versions[] = {
	{"/sys/fs/cgroup/blkio/ftwait-oracle.XXXXXX", "blkio.throttle.write_bps_device", ""},
	{"/sys/fs/cgroup/ftwait-oracle.XXXXXX", "io.max", "wbps="},
};

static bool text_write(const char *folder, const char *name, const char *text)
{
	char path[256];
	bool is_fine;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	is_fine = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	return close(fd) == 0 && is_fine;
}

/* The numbers of the whole disk, on a partition of which the file may be: "254:0". */
static void disk_number(int fd, char ret[32])
{
	char path[64];
	struct stat file;
	FILE *numbers;

	truth_must(fstat(fd, &file) == 0, "fstat");
	(void)snprintf(ret, 32, "%u:%u", major(file.st_dev), minor(file.st_dev));
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/partition", ret);
	if (access(path, F_OK) != 0)
		return;
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/../dev", ret);
	numbers = fopen(path, "r");
	truth_may(numbers && fscanf(numbers, "%31s", ret) == 1, path);
	(void)fclose(numbers);
}

/* A cgroup of its own whose limit is that; false where there can be none. */
static bool cgroup_new(size_t version, const char *disk, char ret[64])
{
	char limit[64];

	(void)snprintf(ret, 64, "%s", versions[version].template);
	if (!mkdtemp(ret))
		return false;
	(void)snprintf(limit, sizeof(limit), "%s %s%u", disk, versions[version].before,
	               BYTES_A_SECOND);
	if (text_write(ret, versions[version].file, limit))
		return true;
	(void)rmdir(ret);
	return false;
}

/* In the child, so that the parent can remove the cgroup. */
static int write_slowly(int fd, const char *cgroup)
{
	void *block = disk_block_new();
	uint64_t begin, end, least;

	truth_may(text_write(cgroup, "cgroup.procs", "0"), "cgroup.procs");
	begin = truth_now();
	for (unsigned i = 0; i < WRITES; i++)
		truth_must(pwrite(fd, block, DISK_BLOCK_BYTES, (off_t)i * DISK_BLOCK_BYTES) ==
		                   DISK_BLOCK_BYTES, "pwrite");
	end = truth_now();
	/* what the limit makes of it, but for what the kernel lets pass at first */
	least = UINT64_C(1000000000) * WRITES * DISK_BLOCK_BYTES / BYTES_A_SECOND / 2;
	if (end - begin < least)
		truth_skip("the limit does not hold here");
	truth_add("wait tid=%d begin=%" PRIu64 " end=%" PRIu64 " least=%" PRIu64
	          " kind=disk held_back=true\n", truth_tid(), begin, end, least);
	truth_add("path tid=%d begin=%" PRIu64 " end=%" PRIu64 " least=%" PRIu64
	          " state=waiting kind=disk depth=0 held_back=true\n",
	          truth_tid(), begin, end, least);
	return truth_print();
}

int main(void)
{
	int fd = disk_file_open(O_WRONLY | O_DIRECT), status = 0;
	char disk[32], cgroup[64];
	bool is_limited = false;
	pid_t child;

	disk_number(fd, disk);
	for (size_t version = 0; version < 2 && !is_limited; version++)
		is_limited = cgroup_new(version, disk, cgroup);
	if (!is_limited)
		truth_skip("no cgroup can limit what is written to this disk");
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0)
		return write_slowly(fd, cgroup);
	truth_must(waitpid(child, &status, 0) == child, "waitpid");
	(void)rmdir(cgroup);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
