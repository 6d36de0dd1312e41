/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process sleeps, forks a child that sleeps twice as long and forks again, and waits for it:
 * sleeps within waits, each deeper by one.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define LEVELS  4u
#define UNIT_NS 20000000u

/* One process of the nest: when it slept, and when it waited for the next. */
struct level {
	int tid;
	uint64_t sleep_begin, sleep_end, wait_end;
};

static struct level *levels;

static void level_run(unsigned depth)
{
	struct level *level = &levels[depth];
	pid_t child;

	level->tid = truth_tid();
	level->sleep_begin = truth_now();
	truth_sleep((uint64_t)UNIT_NS << depth);
	level->sleep_end = truth_now();
	if (depth + 1 == LEVELS)
		return;
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0) {
		level_run(depth + 1);
		_exit(EXIT_SUCCESS);
	}
	truth_must(waitpid(child, NULL, 0) == child, "waitpid");
	level->wait_end = truth_now();
}

int main(void)
{
	levels = truth_shared(LEVELS * sizeof(*levels));
	level_run(0);
	for (unsigned i = 0; i < LEVELS; i++) {
		const struct level *level = &levels[i];

		truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d depth=%u state=waiting "
		          "kind=timer own=true\n",
		          levels[0].tid, level->sleep_begin, level->sleep_end,
		          (UNIT_NS << i) / 10 * 9, level->tid, i);
		if (i + 1 < LEVELS)
			truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=task name=exit "
			          "waker=%d\n",
			          level->tid, level->sleep_end, level->wait_end, UNIT_NS << i,
			          level[1].tid);
	}
	return truth_print();
}
