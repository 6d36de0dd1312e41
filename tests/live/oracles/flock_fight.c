/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two processes fight for a file lock, of flock() or, as "posix", of fcntl(): who wants it waits for
 * who has it, and for what that one does. Who waited for whom in all is what --lock tells.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

/* A turn of one process: when it wanted the lock, had it, and gave it back. */
struct turn {
	struct truth_wait wait;
	struct truth_wait nap; /* while it had the lock */
	uint64_t got, gave;
};

static bool is_posix;

static void file_lock(int fd)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (is_posix)
		truth_must(fcntl(fd, F_SETLKW, &all) == 0, "fcntl");
	else
		truth_must(flock(fd, LOCK_EX) == 0, "flock");
}

static void file_unlock(int fd)
{
	struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};

	if (is_posix)
		truth_must(fcntl(fd, F_SETLKW, &all) == 0, "fcntl");
	else
		truth_must(flock(fd, LOCK_UN) == 0, "flock");
}

static void fight(const char *path, struct turn *turns)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	truth_must(fd >= 0, path);
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_wait_begin(&turns[i].wait);
		file_lock(fd);
		turns[i].got = truth_now();
		truth_wait_end(&turns[i].wait);
		truth_nap(&turns[i].nap);
		turns[i].gave = truth_now();
		file_unlock(fd);
		/* else the same one would take it again before the other is awake */
		truth_sleep(TRUTH_PAUSE_NS / 5);
	}
}

/*
 * `tid` wanted what `other` had: it waited until that one gave it, which slept before. Once it is
 * woken it may lose the lock again before it has run, but then it is runnable.
 */
static void turn_print(int tid, const struct turn *turn, int other, const struct turn *others)
{
	const struct truth_wait *wait = &turn->wait;
	uint64_t least = truth_wait_least(wait, others->gave);

	if (wait->begin < others->nap.begin || !least)
		return;
	truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n", tid, wait->begin,
	          others->gave, least, other);
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1 state=waiting kind=timer "
	          "own=true\n",
	          tid, wait->begin, others->gave, truth_wait_nap_least(wait, &others->nap), other);
}

static void fight_print(int tid, const struct turn *turns, int other, const struct turn *others)
{
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		for (int j = 0; j < TRUTH_ROUNDS; j++)
			turn_print(tid, &turns[i], other, &others[j]);
}

/* Older kernels tell nothing of them. */
static bool kernel_reports(void)
{
	return access("/sys/kernel/tracing/events/filelock/flock_lock_inode", F_OK) == 0;
}

/* What `tid` waited in all, and for whom. */
static void sum_print(int tid, const struct turn *turns, int other, uintmax_t inode)
{
	const char *kind = is_posix ? "posix" : "flock";
	uint64_t least = 0, most = 0;

	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t time = turns[i].got - turns[i].wait.begin;

		most += time;
		if (time >= TRUTH_PAUSE_NS / 5)
			least += time / 10 * 9;
	}
	truth_add("lock tid=%d what=waiters kind=%s number=%ju least=%ju most=%ju\n", tid, kind,
	          inode, least, most);
	truth_add("lock tid=%d what=owners kind=%s number=%ju least=%ju most=%ju\n", other, kind,
	          inode, least, most);
}

int main(int argc, char **argv)
{
	struct turn *turns = truth_shared(2 * TRUTH_ROUNDS * sizeof(*turns));
	struct stat file;
	char path[64];
	int lock = memfd_create("lock", MFD_CLOEXEC);
	pid_t child;

	is_posix = argc > 1 && strcmp(argv[1], "posix") == 0;
	truth_must(lock >= 0 && fstat(lock, &file) == 0, "memfd_create");
	/* flock belongs to the open file, so each process opens it for itself */
	(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", truth_tid(), lock);
	child = fork();
	truth_must(child >= 0, "fork");
	fight(path, child == 0 ? turns + TRUTH_ROUNDS : turns);
	if (child == 0)
		_exit(EXIT_SUCCESS);
	truth_must(waitpid(child, NULL, 0) == child, "waitpid");
	fight_print(truth_tid(), turns, child, turns + TRUTH_ROUNDS);
	fight_print(child, turns + TRUTH_ROUNDS, truth_tid(), turns);
	if (kernel_reports()) {
		sum_print(truth_tid(), turns, child, file.st_ino);
		sum_print(child, turns + TRUTH_ROUNDS, truth_tid(), file.st_ino);
	}
	return truth_print();
}
