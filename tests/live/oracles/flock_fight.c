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
	uint64_t wanted, had, gave;
};

static void fight(const char *path, struct turn *turns)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	truth_must(fd >= 0, path);
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		turns[i].wanted = truth_now();
		truth_must(flock(fd, LOCK_EX) == 0, "flock");
		turns[i].had = truth_now();
		truth_sleep(TRUTH_PAUSE_NS);
		turns[i].gave = truth_now();
		truth_must(flock(fd, LOCK_UN) == 0, "flock");
		/* else the same one would take it again before the other is awake */
		truth_sleep(TRUTH_PAUSE_NS / 5);
	}
}

/* While `other` slept with the lock in its hands, `tid` waited, and for that. */
static void fight_tell(int tid, const struct turn *turns, int other, const struct turn *others)
{
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		for (int j = 0; j < TRUTH_ROUNDS; j++) {
			uint64_t begin = turns[i].wanted > others[j].had ? turns[i].wanted
			                                                 : others[j].had;
			uint64_t end = others[j].gave;

			if (turns[i].had < end || end < begin + TRUTH_PAUSE_NS / 5)
				continue;
			truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n",
			          tid, begin, end, (end - begin) / 2, other);
			truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1 "
			          "state=waiting kind=timer own=true\n",
			          tid, begin, end, (end - begin) / 2, other);
		}
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
