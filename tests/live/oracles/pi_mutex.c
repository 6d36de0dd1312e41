/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A real-time thread wants a mutex with priority inheritance that an ordinary thread holds, which
 * shares its CPU with a hog. The waiter waits for the owner, and the owner, boosted meanwhile, is
 * not kept off the CPU by the hog.
 */
#include <sched.h>
#include <stdatomic.h>

#include "truth.h"

static pthread_mutex_t lock;
static pthread_barrier_t held, round_end;
static atomic_bool is_over, wants;
static int owner_tid;
static struct truth_wait waits[TRUTH_ROUNDS];
static uint64_t end[TRUTH_ROUNDS];

static void *hog_run(void *unused)
{
	(void)truth_pin(0);
	while (!atomic_load(&is_over))
		;
	return unused;
}

static void *owner_run(void *unused)
{
	(void)truth_pin(0);
	owner_tid = truth_tid();
	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		(void)pthread_mutex_lock(&lock);
		(void)pthread_barrier_wait(&held);
		while (!atomic_load(&wants))
			;
		truth_spin(TRUTH_PAUSE_NS);
		end[i] = truth_now();
		(void)pthread_mutex_unlock(&lock);
		(void)pthread_barrier_wait(&round_end);
	}
	return unused;
}

static void *waiter_run(void *unused)
{
	struct sched_param priority = {.sched_priority = 1};

	(void)unused;
	/* on a CPU of its own it would spin in the kernel for as long as the owner runs */
	(void)truth_pin(0);
	truth_may(sched_setscheduler(0, SCHED_FIFO, &priority) == 0, "SCHED_FIFO");
	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		(void)pthread_barrier_wait(&held);
		truth_wait_begin(&waits[i]);
		atomic_store(&wants, true);
		(void)pthread_mutex_lock(&lock);
		truth_wait_end(&waits[i]);
		atomic_store(&wants, false);
		(void)pthread_mutex_unlock(&lock);
		(void)pthread_barrier_wait(&round_end);
	}
	atomic_store(&is_over, true);
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_t hog, owner;
	int tid = truth_tid();

	(void)pthread_mutexattr_init(&attributes);
	(void)pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	truth_must(pthread_mutex_init(&lock, &attributes) == 0, "pthread_mutex_init");
	(void)pthread_barrier_init(&held, NULL, 2);
	(void)pthread_barrier_init(&round_end, NULL, 2);
	hog = truth_thread(hog_run, NULL);
	owner = truth_thread(owner_run, NULL);
	(void)waiter_run(NULL);
	(void)pthread_join(owner, NULL);
	(void)pthread_join(hog, NULL);
	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t least = truth_wait_least(&waits[i], end[i]);

		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task|lock waker=%d\n", tid,
		          waits[i].begin, end[i], least, owner_tid);
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1 state=running\n",
		          tid, waits[i].begin, end[i], least, owner_tid);
	}
	return truth_print();
}
