/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four threads meet at a barrier, cycle after cycle, and in each another one is late by far: the
 * others wait for that one.
 */
#include "truth.h"

#define THREADS 4u
#define CYCLES  8u
/* How late the slow one is: so much that it is last on a busy machine as well. */
#define LATE_NS 40000000u

static pthread_barrier_t barrier;
static int tids[THREADS];
static uint64_t begin[THREADS][CYCLES], end[THREADS][CYCLES];

static void *thread_run(void *position)
{
	unsigned index = (unsigned)(uintptr_t)position;

	tids[index] = truth_tid();
	for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
		/* asleep, not spinning: the fast ones must not need the slow one's CPU */
		if (cycle % THREADS == index)
			truth_sleep(LATE_NS);
		begin[index][cycle] = truth_now();
		(void)pthread_barrier_wait(&barrier);
		end[index][cycle] = truth_now();
	}
	return NULL;
}

static void thread_print(unsigned index)
{
	for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
		unsigned slow = cycle % THREADS;

		if (slow == index || end[index][cycle] - begin[index][cycle] < LATE_NS / 2)
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=task waker=%d\n",
		          tids[index], begin[index][cycle], begin[slow][cycle], LATE_NS / 4,
		          tids[slow]);
		truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d depth=1 state=waiting "
		          "kind=timer own=true\n",
		          tids[index], begin[index][cycle], begin[slow][cycle], LATE_NS / 4,
		          tids[slow]);
	}
}

int main(void)
{
	pthread_t threads[THREADS];

	(void)pthread_barrier_init(&barrier, NULL, THREADS);
	for (unsigned i = 0; i < THREADS; i++)
		threads[i] = truth_thread(thread_run, (void *)(uintptr_t)i);
	for (unsigned i = 0; i < THREADS; i++)
		(void)pthread_join(threads[i], NULL);
	for (unsigned i = 0; i < THREADS; i++)
		thread_print(i);
	return truth_print();
}
