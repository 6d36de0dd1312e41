/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two processes fight for a file lock: who wants it waits for who has it, and for what that one
 * does.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

/* A turn of one process: when it wanted the lock, had it, and gave it back. */
struct turn {
	struct truth_wait wait;
	struct truth_wait nap; /* while it had the lock */
	uint64_t gave;
};

static void fight(const char *path, struct turn *turns)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	truth_must(fd >= 0, path);
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_wait_begin(&turns[i].wait);
		truth_must(flock(fd, LOCK_EX) == 0, "flock");
		truth_wait_end(&turns[i].wait);
		truth_nap(&turns[i].nap);
		turns[i].gave = truth_now();
		truth_must(flock(fd, LOCK_UN) == 0, "flock");
		/* else the same one would take it again before the other is awake */
		truth_sleep(TRUTH_PAUSE_NS / 5);
	}
}

/*
 * `tid` wanted what `other` had: it waited until that one gave it, which slept before. Once it is
 * woken it may lose the lock again before it has run, but then it is runnable.
 */
static void turn_tell(int tid, const struct turn *turn, int other, const struct turn *others)
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

static void fight_tell(int tid, const struct turn *turns, int other, const struct turn *others)
{
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		for (int j = 0; j < TRUTH_ROUNDS; j++)
			turn_tell(tid, &turns[i], other, &others[j]);
}

int main(void)
{
	struct turn *turns = truth_shared(2 * TRUTH_ROUNDS * sizeof(*turns));
	char path[64];
	int lock = memfd_create("lock", MFD_CLOEXEC);
	pid_t child;

	truth_must(lock >= 0, "memfd_create");
	/* flock belongs to the open file, so each process opens it for itself */
	(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", truth_tid(), lock);
	child = fork();
	truth_must(child >= 0, "fork");
	fight(path, child == 0 ? turns + TRUTH_ROUNDS : turns);
	if (child == 0)
		_exit(EXIT_SUCCESS);
	truth_must(waitpid(child, NULL, 0) == child, "waitpid");
	fight_tell(truth_tid(), turns, child, turns + TRUTH_ROUNDS);
	fight_tell(child, turns + TRUTH_ROUNDS, truth_tid(), turns);
	return truth_print();
}
