/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for RCU at once, by membarrier(): its thread wakes some of them, and hands the
 * others to a work item or a soft interrupt, as the kernel is built. All of that is a grace period.
 * Where grace periods are expedited (/sys/kernel/rcu_expedited, or the kernel's own decision), one
 * thread at a time drives them, and the next sleeps for the mutex that it holds (exp_mutex of
 * kernel/rcu/tree_exp.h). That wait is for a lock.
 */
#include <inttypes.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "truth.h"

#define THREADS 12u
#define CALLS   10u
/* A grace period that is not expedited waits for the next tick at least, on any kernel. */
#define EXPEDITED_NS 900000u

struct waiter {
	pthread_t thread;
	int tid;
	uint64_t begin, end;
	uint64_t asleep; /* neither on a CPU nor in a run queue, says the scheduler */
};

static void *waiter_run(void *argument)
{
	struct waiter *waiter = argument;
	uint64_t before = truth_awake();

	waiter->tid = truth_tid();
	waiter->begin = truth_now();
	for (unsigned i = 0; i < CALLS; i++)
		truth_must(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0, "membarrier");
	waiter->end = truth_now();
	before = truth_awake() - before;
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
	for (unsigned i = 0; i < THREADS; i++) {
		bool is_expedited = waiter[i].asleep / CALLS < EXPEDITED_NS;

		truth_add("wait tid=%d begin=%" PRIu64 " end=%" PRIu64 " least=%" PRIu64 " kind=%s\n",
		          waiter[i].tid, waiter[i].begin, waiter[i].end,
		          waiter[i].asleep / 10 * 9, is_expedited ? "rcu|lock" : "rcu");
		truth_add("row list=waits is=task.tid:%d is=cause.kind:rcu what=rows least=%u\n",
		          waiter[i].tid, CALLS / 2);
	}
	return truth_print();
}
