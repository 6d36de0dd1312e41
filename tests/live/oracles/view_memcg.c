/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader in a cgroup whose memory is less than the file it reads: --memory must say how often it
 * had to make room, as the kernel counts it of the cgroup, and that this gained the pages it
 * needed.
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

#define LIMIT_BYTES (8u << 20)
#define PASSES      4u

/* Of both versions: where, how the limit is told, and what counts that it was met. Version 2 counts
   when room is made, version 1 also where those give up who can do with less. */
static const struct version {
	const char *template, *limit, *met, *met_word;
	bool is_exact;
} versions[] = {
	{"/sys/fs/cgroup/memory/ftwait-oracle.XXXXXX", "memory.limit_in_bytes", "memory.failcnt",
	 NULL, false},
	{"/sys/fs/cgroup/ftwait-oracle.XXXXXX", "memory.max", "memory.events", "max", true},
};

static const struct version *version;
static char cgroup[OWN_CGROUP_BYTES];

static bool cgroup_new(void)
{
	char limit[32];

	(void)snprintf(limit, sizeof(limit), "%u", LIMIT_BYTES);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		version = &versions[i];
		if (own_cgroup_new(version->template, version->limit, limit, cgroup))
			return true;
	}
	return false;
}

/* The number in a file of the cgroup; after that word, where one is given. */
static uint64_t count_read(const char *name, const char *word)
{
	char path[256], before[64];
	uint64_t count = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", cgroup, name);
	file = fopen(path, "re");
	truth_may(file, path);
	if (!word) {
		truth_may(fscanf(file, "%" SCNu64, &count) == 1, path);
	} else {
		while (fscanf(file, "%63s %" SCNu64, before, &count) == 2)
			if (strcmp(before, word) == 0)
				break;
		truth_may(strcmp(before, word) == 0, word);
	}
	(void)fclose(file);
	return count;
}

/* In the child, so that the parent can remove the cgroup. */
static int read_much(int fd)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE), kept = LIMIT_BYTES / page_bytes;
	uint64_t pages = PASSES * DISK_FILE_BLOCKS * DISK_BLOCK_BYTES / page_bytes;
	uint64_t begin, took, met;
	void *block = disk_block_new();
	int tid = truth_tid();

	own_cgroup_join(cgroup);
	met = count_read(version->met, version->met_word);
	begin = truth_now();
	for (unsigned i = 0; i < PASSES * DISK_FILE_BLOCKS; i++)
		truth_must(pread(fd, block, DISK_BLOCK_BYTES, (off_t)(i % DISK_FILE_BLOCKS) *
		                 DISK_BLOCK_BYTES) == DISK_BLOCK_BYTES, "pread");
	took = truth_now() - begin;
	met = count_read(version->met, version->met_word) - met;
	if (met == 0)
		truth_skip("the limit does not hold here");
	truth_add("row list=memory.tasks is=task.tid:%d is=what:memcg-reclaim what=count least=%ju"
	          " most=%ju\n", tid, version->is_exact ? met : 1, met);
	/* it keeps some of them, and reads some in vain ahead */
	truth_add("row list=memory.tasks is=task.tid:%d is=what:memcg-reclaim what=pages least=%ju"
	          " most=%ju\n", tid, (pages - kept) / 10 * 9, 2 * pages);
	truth_add("row list=memory.tasks is=task.tid:%d is=what:memcg-reclaim what=total_ns least=1"
	          " most=%ju\n", tid, took);
	return truth_print();
}

int main(void)
{
	int fd = disk_file_open(O_RDONLY), status = 0;
	pid_t child;

	if (!cgroup_new())
		truth_skip("no cgroup can limit memory");
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0)
		return read_much(fd);
	truth_must(waitpid(child, &status, 0) == child, "waitpid");
	(void)rmdir(cgroup);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
