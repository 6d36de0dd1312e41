/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process tries to lock a file that another one has locked, sleeps, and tries again, as databases
 * and package managers do: all these sleeps are for what that one does until it lets go.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define ROUNDS   5
#define HELD_NS  60000000u
#define SLEEP_NS 10000000u

/* A turn of the keeper. */
struct turn {
	_Atomic uint64_t taken, gave; /* 0: not yet */
};

static bool file_lock(int fd, short type)
{
	struct flock all = {.l_type = type, .l_whence = SEEK_SET};
	int r = fcntl(fd, F_SETLK, &all);

	truth_must(r == 0 || errno == EAGAIN || errno == EACCES, "fcntl");
	return r == 0;
}

/* The other one has it no longer than it takes to see that. */
static void keep(int fd, struct turn *turns)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (!file_lock(fd, F_WRLCK))
			truth_sleep(SLEEP_NS / 10);
		turns[i].taken = truth_now();
		truth_sleep(HELD_NS);
		turns[i].gave = truth_now();
		(void)file_lock(fd, F_UNLCK);
		truth_sleep(2 * SLEEP_NS);
	}
}

static void try_until_it_is_had(int fd, const struct turn *turn, int keeper)
{
	uint64_t begin, got;
	int tries = 0;

	while (!turn->taken)
		truth_sleep(SLEEP_NS / 10);
	begin = truth_now();
	for (; !file_lock(fd, F_WRLCK); tries++)
		truth_sleep(SLEEP_NS);
	got = truth_now();
	(void)file_lock(fd, F_UNLCK);
	/* it was late itself */
	if (tries < 2 || turn->gave < begin + HELD_NS / 2)
		return;
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d depth=1 state=waiting kind=timer "
	          "own=true\n",
	          truth_tid(), begin, got, HELD_NS / 4, keeper);
	truth_add("path tid=%d begin=%ju end=%ju most=%ju kind=timer of=%d\n", truth_tid(), begin,
	          got, got - turn->gave, truth_tid());
}

int main(void)
{
	struct turn *turns = truth_shared(ROUNDS * sizeof(*turns));
	int fd = memfd_create("lock", MFD_CLOEXEC);
	pid_t keeper;

	if (access("/sys/kernel/tracing/events/filelock/posix_lock_inode", F_OK) != 0)
		truth_skip("this kernel has no events of file locks");
	truth_must(fd >= 0, "memfd_create");
	keeper = fork();
	truth_must(keeper >= 0, "fork");
	if (keeper == 0) {
		keep(fd, turns);
		_exit(EXIT_SUCCESS);
	}
	for (int i = 0; i < ROUNDS; i++)
		try_until_it_is_had(fd, &turns[i], keeper);
	truth_must(waitpid(keeper, NULL, 0) == keeper, "waitpid");
	return truth_print();
}
