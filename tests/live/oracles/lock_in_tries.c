/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process tries to lock a file that another one has locked, sleeps, and tries again, as databases
 * and package managers do: all these sleeps are for what that one does until it lets go. "parts":
 * both lock another part of it for reading before, and let go of that after each try.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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

static bool is_in_parts;

static bool part_lock(int fd, short type, off_t begin, off_t length)
{
	struct flock part = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = begin, .l_len = length};
	int r = fcntl(fd, F_SETLK, &part);

	truth_must(r == 0 || errno == EAGAIN || errno == EACCES, "fcntl");
	return r == 0;
}

static bool file_lock(int fd, short type)
{
	bool is_done;

	if (!is_in_parts)
		return part_lock(fd, type, 0, 0);
	truth_must(part_lock(fd, F_RDLCK, 100, 200), "the part of all readers");
	is_done = part_lock(fd, type, 10, 1);
	(void)part_lock(fd, F_UNLCK, 100, 200);
	return is_done;
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

int main(int argc, char **argv)
{
	struct turn *turns = truth_shared(ROUNDS * sizeof(*turns));
	int fd = memfd_create("lock", MFD_CLOEXEC);
	pid_t keeper;

	if (access("/sys/kernel/tracing/events/filelock/posix_lock_inode", F_OK) != 0)
		truth_skip("this kernel has no events of file locks");
	is_in_parts = argc > 1 && strcmp(argv[1], "parts") == 0;
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
	/* each wait for it is one, whatever is locked meanwhile; of the keeper's turns, too */
	truth_add("row list=lock.locks what=count is=kind:posix least=1 most=%u\n", 2 * ROUNDS);
	return truth_print();
}
