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

static void *first_run(void *unused)
{
	char byte = 'x';

	first_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_sleep(TRUTH_PAUSE_NS);
		truth_must(write(front[1], &byte, 1) == 1, "write");
	}
	return unused;
}

static void *middle_run(void *unused)
{
	char byte;

	middle_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t begin = truth_now();

		truth_must(read(front[0], &byte, 1) == 1, "read");
		if (i)
			truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=task waker=%d\n",
			          middle_tid, begin, truth_now(), TRUTH_PAUSE_NS / 2, first_tid);
		truth_must(write(back[1], &byte, 1) == 1, "write");
	}
	return unused;
}

static void last_run(void)
{
	char byte;

	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t begin = truth_now(), end;

		truth_must(read(back[0], &byte, 1) == 1, "read");
		end = truth_now();
		if (i == 0)
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=task waker=%d\n",
		          truth_tid(), begin, end, TRUTH_PAUSE_NS / 2, middle_tid);
		truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d state=waiting kind=timer\n",
		          truth_tid(), begin, end, TRUTH_PAUSE_NS / 2, first_tid);
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
