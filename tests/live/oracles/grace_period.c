/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for RCU at once, by membarrier(): its thread wakes some of them, and hands the
 * others to a work item or a soft interrupt, as the kernel is built. All of that is a grace period.
 */
#include <inttypes.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "truth.h"

#define THREADS 12u
#define CALLS   10u

struct waiter {
	pthread_t thread;
	int tid;
	uint64_t begin, end;
	uint64_t asleep; /* neither on a CPU nor in a run queue, says the scheduler */
};

/* What the calling thread has run, and stood in run queues. */
static uint64_t awake(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "r");
	uint64_t running = 0, queued = 0;

	truth_may(file != NULL, "/proc/thread-self/schedstat");
	truth_must(fscanf(file, "%" SCNu64 " %" SCNu64, &running, &queued) == 2, "schedstat");
	(void)fclose(file);
	return running + queued;
}

static void *waiter_run(void *argument)
{
	struct waiter *waiter = argument;
	uint64_t before = awake();

	waiter->tid = truth_tid();
	waiter->begin = truth_now();
	for (unsigned i = 0; i < CALLS; i++)
		truth_must(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0, "membarrier");
	waiter->end = truth_now();
	before = awake() - before;
	waiter->asleep = waiter->end - waiter->begin;
	waiter->asleep -= before < waiter->asleep ? before : waiter->asleep;
	return NULL;
}

int main(void)
{
	struct waiter waiter[THREADS];
	long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

	truth_may(commands > 0 && (commands & MEMBARRIER_CMD_GLOBAL), "membarrier");
	for (unsigned i = 0; i < THREADS; i++)
		waiter[i].thread = truth_thread(waiter_run, &waiter[i]);
	for (unsigned i = 0; i < THREADS; i++)
		truth_must(pthread_join(waiter[i].thread, NULL) == 0, "pthread_join");
	for (unsigned i = 0; i < THREADS; i++)
		truth_add("wait tid=%d begin=%" PRIu64 " end=%" PRIu64 " least=%" PRIu64 " kind=rcu\n",
		          waiter[i].tid, waiter[i].begin, waiter[i].end,
		          waiter[i].asleep / 10 * 9);
	return truth_print();
}
