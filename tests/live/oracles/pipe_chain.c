/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chain of three over pipes: the last thread reads what the middle one forwards, which reads
 * what the first one writes after a sleep. So: last waits for middle, middle for first, first for
 * its own timer.
 */
#include <pthread.h>
#include <unistd.h>

#include "truth.h"

static int front[2], back[2];
static int first_tid, middle_tid;
/* The first one begins to sleep, and is about to write; the middle one is about to write. */
static struct truth_wait naps[TRUTH_ROUNDS]; /* of the first */
static struct truth_wait taken[TRUTH_ROUNDS]; /* waits of the middle one */
static uint64_t written[TRUTH_ROUNDS], forwarded[TRUTH_ROUNDS];

static void *first_run(void *unused)
{
	char byte = 'x';

	first_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_nap(&naps[i]);
		written[i] = truth_now();
		truth_must(write(front[1], &byte, 1) == 1, "write");
	}
	return unused;
}

static void byte_take(int fd, struct truth_wait *wait)
{
	char byte;

	truth_wait_begin(wait);
	truth_must(read(fd, &byte, 1) == 1, "read");
	truth_wait_end(wait);
}

static void *middle_run(void *unused)
{
	char byte = 'x';

	middle_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t least;

		byte_take(front[0], &taken[i]);
		least = truth_wait_least(&taken[i], written[i]);
		if (least)
			truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n",
			          middle_tid, taken[i].begin, written[i], least, first_tid);
		forwarded[i] = truth_now();
		truth_must(write(back[1], &byte, 1) == 1, "write");
	}
	return unused;
}

/*
 * How long the last one has surely waited for the nap of the first: not before the middle one waits
 * for it too, which on a busy machine may not be back on a CPU when the last one already sleeps.
 */
static uint64_t chain_least(const struct truth_wait *wait, size_t round)
{
	struct truth_wait both = *wait;

	if (taken[round].begin > both.begin)
		both.begin = taken[round].begin;
	both.is_sure &= taken[round].is_sure;
	return truth_wait_nap_least(&both, &naps[round]);
}

static void last_run(void)
{
	for (size_t i = 0; i < TRUTH_ROUNDS; i++) {
		struct truth_wait wait;
		uint64_t least;

		byte_take(back[0], &wait);
		least = truth_wait_least(&wait, forwarded[i]);
		if (!least)
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n",
		          truth_tid(), wait.begin, forwarded[i], least, middle_tid);
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=waiting kind=timer\n",
		          truth_tid(), wait.begin, forwarded[i],
		          chain_least(&wait, i), first_tid);
	}
}

int main(void)
{
	pthread_t first, middle;

	truth_must(pipe(front) == 0 && pipe(back) == 0, "pipe");
	truth_must(pthread_create(&middle, NULL, middle_run, NULL) == 0, "pthread_create");
	truth_must(pthread_create(&first, NULL, first_run, NULL) == 0, "pthread_create");
	last_run();
	(void)pthread_join(first, NULL);
	(void)pthread_join(middle, NULL);
	return truth_print();
}
