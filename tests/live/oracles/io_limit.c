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
#include <sys/wait.h>
#include <unistd.h>

#include "disk_file.h"
#include "own_cgroup.h"
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

static bool cgroup_new(const char *disk, char ret[OWN_CGROUP_BYTES])
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		char limit[64];

		(void)snprintf(limit, sizeof(limit), "%s %s%u", disk, versions[i].before,
		               BYTES_A_SECOND);
		if (own_cgroup_new(versions[i].template, versions[i].file, limit, ret))
			return true;
	}
	return false;
}

/* In the child, so that the parent can remove the cgroup. */
static int write_slowly(int fd, const char *cgroup)
{
	void *block = disk_block_new();
	uint64_t begin, end, least;

	own_cgroup_join(cgroup);
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
	char disk[DISK_DEVICE_BYTES], cgroup[OWN_CGROUP_BYTES];
	pid_t child;

	disk_file_device(fd, disk);
	if (!cgroup_new(disk, cgroup))
		truth_skip("no cgroup can limit what is written to this disk");
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0)
		return write_slowly(fd, cgroup);
	truth_must(waitpid(child, &status, 0) == child, "waitpid");
	(void)rmdir(cgroup);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
