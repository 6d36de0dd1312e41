/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child that fills the memory of a cgroup of its own, until the OOM killer ends it. That must not
 * read as a signal that the child has sent itself.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_cgroup.h"
#include "truth.h"

#define LIMIT_BYTES (8u << 20)
#define MUCH_BYTES  (64u << 20)

static const struct {
	const char *template, *limit;
} versions[] = {
	{"/sys/fs/cgroup/memory/ftwait-oracle.XXXXXX", "memory.limit_in_bytes"},
	{"/sys/fs/cgroup/ftwait-oracle.XXXXXX", "memory.max"},
};

static bool cgroup_new(char ret[OWN_CGROUP_BYTES])
{
	char limit[32];

	(void)snprintf(limit, sizeof(limit), "%u", LIMIT_BYTES);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (own_cgroup_new(versions[i].template, versions[i].limit, limit, ret))
			return true;
	return false;
}

/* Locked memory is none that could be swapped out. */
static int fill(const char *cgroup)
{
	void *memory;

	own_cgroup_join(cgroup);
	memory = mmap(NULL, MUCH_BYTES, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	truth_must(memory != MAP_FAILED, "mmap");
	(void)mlock(memory, MUCH_BYTES);
	memset(memory, 1, MUCH_BYTES);
	return 0;
}

int main(void)
{
	char cgroup[OWN_CGROUP_BYTES];
	int status = 0;
	pid_t child;

	if (!cgroup_new(cgroup))
		truth_skip("no cgroup can limit memory");
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0)
		return fill(cgroup);
	truth_must(waitpid(child, &status, 0) == child, "waitpid");
	(void)rmdir(cgroup);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return 77;
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		truth_skip("the limit does not hold here");
	truth_add("row list=processes.processes is=task.tid:%d is=killed_by:SIGKILL is=oom:true"
	          " what=rows least=1 most=1\n", child);
	truth_add("row list=processes.signals is=to.tid:%d is=number:%d is=oom:true what=rows"
	          " least=1 most=1\n", child, SIGKILL);
	truth_add("row list=processes.signals is=to.tid:%d is=from.tid:%d what=rows most=0\n",
	          child, child);
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}
