/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cgroup of its own, with a child that spins and one that sleeps, is frozen and let go by their
 * parent: meanwhile both are frozen by it. A third child, of no such cgroup, waits for a pipe that
 * the parent writes to right before it lets the others go and right after.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

static char root[] = "/tmp/ftwait-frozen.XXXXXX";
static char name[64], group[128];

static void group_write(const char *file, const char *text)
{
	char path[192];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", group, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	truth_must(fd >= 0, path);
	truth_must(write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	(void)close(fd);
}

static bool group_is_frozen(void)
{
	char path[192], text[256] = "";
	ssize_t length;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/cgroup.events", group);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	truth_must(fd >= 0, path);
	length = read(fd, text, sizeof(text) - 1);
	truth_must(length > 0, path);
	(void)close(fd);
	return strstr(text, "frozen 1") != NULL;
}

/*
 * How often the task went to sleep, says the scheduler. Who counts as frozen may still be preempted
 * on its way to sleep.
 */
static unsigned long child_sleeps(pid_t child)
{
	static const char key[] = "\nvoluntary_ctxt_switches:";
	char path[64], text[8192] = "";
	const char *found;
	ssize_t length;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)child);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	truth_must(fd >= 0, path);
	length = read(fd, text, sizeof(text) - 1);
	truth_must(length > 0, path);
	(void)close(fd);
	found = strstr(text, key);
	truth_must(found != NULL, path);
	return strtoul(found + sizeof(key) - 1, NULL, 10);
}

/* In a mount namespace of its own nothing of it is left behind but the cgroup, which goes too. */
static void group_make(void)
{
	truth_may(unshare(CLONE_NEWNS) == 0, "unshare");
	truth_may(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "mount");
	truth_must(mkdtemp(root) != NULL, "mkdtemp");
	if (mount("none", root, "cgroup2", 0, NULL) < 0) {
		int saved = errno;

		(void)rmdir(root);
		errno = saved;
		truth_may(false, "mount of cgroup2");
	}
	(void)snprintf(name, sizeof(name), "/ftwait-frozen-%d", (int)getpid());
	(void)snprintf(group, sizeof(group), "%s%s", root, name);
	truth_may(mkdir(group, 0755) == 0, "a cgroup");
}

static void group_remove(void)
{
	while (rmdir(group) < 0 && errno == EBUSY) /* until the dead have left it */
		truth_sleep(1000000);
	(void)umount2(root, MNT_DETACH);
	(void)rmdir(root);
}

static pid_t child_begin(void (*run)(int), int argument)
{
	pid_t child = fork();

	truth_must(child >= 0, "fork");
	if (child > 0)
		return child;
	for (;;)
		run(argument);
}

static void spin(int unused)
{
	(void)unused;
}

static void sleep_on(int unused)
{
	(void)unused;
	(void)pause();
}

static void read_on(int fd)
{
	char byte;

	(void)read(fd, &byte, 1);
}

int main(void)
{
	int ends[2];
	pid_t child[3];
	char text[16];

	group_make();
	truth_must(pipe(ends) == 0, "pipe");
	child[0] = child_begin(spin, 0);
	child[1] = child_begin(sleep_on, 0);
	child[2] = child_begin(read_on, ends[0]);
	for (int i = 0; i < 2; i++) {
		(void)snprintf(text, sizeof(text), "%d", (int)child[i]);
		group_write("cgroup.procs", text);
	}
	for (int round = 0; round < TRUTH_ROUNDS; round++) {
		unsigned long sleeps[2];
		uint64_t begin, end;

		truth_sleep(TRUTH_PAUSE_NS);
		for (int i = 0; i < 2; i++)
			sleeps[i] = child_sleeps(child[i]);
		group_write("cgroup.freeze", "1");
		while (!group_is_frozen() || child_sleeps(child[0]) == sleeps[0] ||
		       child_sleeps(child[1]) == sleeps[1])
			truth_sleep(100000);
		begin = truth_now();
		truth_must(write(ends[1], "x", 1) == 1, "write");
		truth_sleep(TRUTH_PAUSE_NS);
		end = truth_now();
		group_write("cgroup.freeze", "0");
		truth_must(write(ends[1], "x", 1) == 1, "write");
		for (int i = 0; i < 2; i++)
			truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=frozen name=%s "
			          "waker=%d\n", child[i], begin, end, (end - begin) / 10 * 9, name,
			          truth_tid());
		/* how soon the reader came to wait again is not known: any wait will do */
		truth_add("wait tid=%d begin=%ju end=%ju least=0 kind=task waker=%d\n", child[2],
		          begin, end, truth_tid());
	}
	for (int i = 0; i < 3; i++) {
		truth_must(kill(child[i], SIGKILL) == 0, "kill");
		truth_must(waitpid(child[i], NULL, 0) == child[i], "waitpid");
	}
	group_remove();
	return truth_print();
}
