/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tid_reuse [at_once]: a child sleeps and ends; the next one gets the same tid and reads from a
 * pipe. They are two tasks, each with the waits of its own. The kernel frees a task some time after
 * its end; at_once the tid is used again before that.
 */
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define SLEEP_NS 20000000u
/* By then the first child has been freed. */
#define FREED_NS 200000000u

static int ends[2];
static uint64_t *instants;

/* fork() with a chosen tid; what is chosen may have been taken meanwhile. */
static pid_t fork_as(pid_t tid)
{
	struct clone_args arguments = {
		.exit_signal = SIGCHLD,
		.set_tid = (uint64_t)(uintptr_t)&tid,
		.set_tid_size = 1,
	};

	return (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));
}

static pid_t sleeper_begin(void)
{
	pid_t child = fork();

	truth_must(child >= 0, "fork");
	if (child)
		return child;
	instants[0] = truth_now();
	truth_sleep(SLEEP_NS);
	instants[1] = truth_now();
	_exit(EXIT_SUCCESS);
}

static pid_t reader_begin(pid_t tid)
{
	pid_t child = fork_as(tid);
	char byte;

	truth_may(child >= 0, "clone3 with a chosen tid");
	if (child)
		return child;
	instants[2] = truth_now();
	truth_must(read(ends[0], &byte, 1) == 1, "read");
	_exit(EXIT_SUCCESS);
}

int main(int argc, char **argv)
{
	pid_t sleeper, reader;
	uint64_t asked;

	instants = truth_shared(3 * sizeof(*instants));
	truth_must(pipe(ends) == 0, "pipe");
	sleeper = sleeper_begin();
	truth_must(waitpid(sleeper, NULL, 0) == sleeper, "waitpid");
	if (argc < 2 || strcmp(argv[1], "at_once") != 0)
		truth_sleep(FREED_NS);
	reader = reader_begin(sleeper);
	truth_must(reader == sleeper, "another tid than the chosen one");
	while (__atomic_load_n(&instants[2], __ATOMIC_ACQUIRE) == 0)
		truth_sleep(TRUTH_PAUSE_NS);
	truth_sleep(SLEEP_NS);
	asked = truth_now();
	truth_must(write(ends[1], "x", 1) == 1, "write");
	truth_must(waitpid(reader, NULL, 0) == reader, "waitpid");
	truth_add("total tid=%d what=rows least=2 most=2\n", sleeper);
	truth_add("total tid=%d what=unknown_ns most=0\n", sleeper);
	truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=timer own=true\n", sleeper,
	          instants[0], instants[1], SLEEP_NS / 10 * 9);
	truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n", sleeper,
	          instants[2], asked, (asked - instants[2]) / 2, truth_tid());
	return truth_print();
}
