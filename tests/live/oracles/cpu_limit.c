/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_limit [crowd]: a spinner in a control group that may run 20 of 100 ms: how long it was held
 * back the group's own cpu.stat knows. Not all of that can be proved where other programs keep its
 * CPU busy, but more than that there must never be, and somebody else, who only shares its CPU, was
 * never held back; nor was anybody of a crowd, half of which are preempted in the kernel, where a
 * limit takes tasks off their CPUs, too.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define SPIN_NS 2000000000u
#define CROWD   6
/* The group's clock stops when an interrupt lets go of it, the task's when the timer expires. */
#define CLOCK_NS 20000000u

/* Where the controller is: version 1 of control groups, or 2. */
static const struct version {
	const char *root, *limit[2], *stat;
	uint64_t unit; /* ns */
} versions[] = {
	{"/sys/fs/cgroup/cpu", {"cpu.cfs_period_us", "cpu.cfs_quota_us"}, "throttled_time ", 1},
	{"/sys/fs/cgroup", {"cpu.max", NULL}, "throttled_usec ", 1000},
};

static const struct version *version;
static char group[64];

static bool file_put(const char *folder, const char *name, const char *text)
{
	char path[128];
	int fd;
	bool is_put;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	is_put = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	(void)close(fd);
	return is_put;
}

static bool group_limit(void)
{
	(void)snprintf(group, sizeof(group), "%s/ftwait-oracle-%d", version->root, getpid());
	if (mkdir(group, 0700) < 0)
		return false;
	if (version->limit[1])
		return file_put(group, version->limit[0], "100000") &&
		       file_put(group, version->limit[1], "20000");
	return file_put(group, version->limit[0], "20000 100000");
}

static uint64_t group_throttled(void)
{
	char path[128], line[128];
	uint64_t throttled = 0;
	FILE *stat;

	(void)snprintf(path, sizeof(path), "%s/cpu.stat", group);
	stat = fopen(path, "re");
	truth_must(stat != NULL, path);
	while (fgets(line, sizeof(line), stat))
		if (strncmp(line, version->stat, strlen(version->stat)) == 0)
			throttled = strtoull(line + strlen(version->stat), NULL, 10);
	(void)fclose(stat);
	return throttled * version->unit;
}

/* A group that may be limited, in whichever version lets us. */
static bool group_make(void)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		version = &versions[i];
		if (group_limit())
			return true;
		(void)rmdir(group);
	}
	return false;
}

static int other_run(void)
{
	(void)truth_pin(0);
	truth_spin(SPIN_NS / 4);
	truth_add("total tid=%d what=throttled_ns most=0\n", truth_tid());
	return truth_print();
}

/* All the time that the limited one has. */
static int member_run(bool is_in_kernel)
{
	static char bytes[1 << 20];
	uint64_t end = truth_now() + SPIN_NS;
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	truth_must(fd >= 0, "/dev/urandom");
	(void)truth_pin(0);
	while (truth_now() < end)
		if (is_in_kernel)
			truth_must(read(fd, bytes, sizeof(bytes)) > 0, "/dev/urandom");
	(void)close(fd);
	truth_add("total tid=%d what=throttled_ns most=0\n", truth_tid());
	return truth_print();
}

int main(int argc, char **argv)
{
	bool is_crowded = argc > 1 && strcmp(argv[1], "crowd") == 0;
	int others = is_crowded ? CROWD : 1, failed = 0, status;
	uint64_t before, throttled;

	truth_may(group_make(), "a control group with a CPU limit");
	for (int i = 0; i < others; i++) {
		pid_t other = fork();

		truth_must(other >= 0, "fork");
		if (other == 0)
			return is_crowded ? member_run(i % 2) : other_run();
	}
	(void)truth_pin(0);
	truth_must(file_put(group, "cgroup.procs", "0"), "cgroup.procs");
	before = group_throttled();
	truth_spin(SPIN_NS);
	throttled = group_throttled() - before;
	truth_must(file_put(version->root, "cgroup.procs", "0"), "cgroup.procs");
	while (wait(&status) > 0)
		failed |= status;
	truth_must(rmdir(group) == 0, group);
	/* where others have most of the CPU the limit is not what keeps it waiting */
	truth_add("total tid=%d what=throttled_ns least=%ju most=%ju\n", truth_tid(),
	          throttled > SPIN_NS / 2 && !is_crowded ? throttled / 10 * 8 : 0,
	          throttled + CLOCK_NS);
	return truth_print() || failed;
}
