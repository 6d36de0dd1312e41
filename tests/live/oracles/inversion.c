/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three real-time threads on one CPU: the highest wants a mutex that the lowest has, and the one
 * between them keeps the lowest off the CPU meanwhile: priority inversion. "inherit": the mutex
 * lends the lowest the priority of who waits for it, and it is the middle one that stands behind.
 */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "truth.h"

#define LOW    1
#define MIDDLE 2
#define HIGH   3

#define NAP_NS (TRUTH_PAUSE_NS / 5)

static pthread_mutex_t lock;
static pthread_barrier_t begin_round;
static atomic_bool has_lock;
/* Of the highest: odd while it waits. That of round i is number 2i + 1. */
static atomic_uint waits;
static atomic_uint ready;
static int low_tid, middle_tid;
static uint64_t middle_ran; /* while the highest waited, by its own clock of CPU time */
static uint64_t waited;

static void be_real_time(int priority)
{
	struct sched_param param = {.sched_priority = priority};

	if (!truth_pin(0))
		truth_skip("CPU 0 may not be used");
	truth_may(sched_setscheduler(0, SCHED_FIFO, &param) == 0, "SCHED_FIFO");
}

/*
 * So long on the CPU, however often the thread is kept off it. Returns how much of it was while the
 * highest waited, which may have had to wait for the CPU when this thread wanted it: what else has
 * real-time priority there is not known. A thread with a lower priority on the same CPU runs in an
 * odd phase only while the highest sleeps.
 */
static uint64_t spin_on_cpu(uint64_t duration)
{
	uint64_t begin = truth_cpu_time(), ran = 0, beside_wait = 0;

	while (ran < duration) {
		unsigned wait = atomic_load(&waits);
		uint64_t before = ran;

		truth_spin(NAP_NS / 10);
		ran = truth_cpu_time() - begin;
		if (wait % 2 && wait == atomic_load(&waits))
			beside_wait += ran - before;
	}
	return beside_wait;
}

static void *low_run(void *unused)
{
	be_real_time(LOW);
	low_tid = truth_tid();
	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		atomic_fetch_add(&ready, 1);
		(void)pthread_barrier_wait(&begin_round);
		(void)pthread_mutex_lock(&lock);
		atomic_store(&has_lock, true);
		/* the others come while it has the lock */
		(void)spin_on_cpu(TRUTH_PAUSE_NS);
		(void)pthread_mutex_unlock(&lock);
	}
	atomic_fetch_add(&ready, 1);
	return unused;
}

static void *middle_run(void *unused)
{
	be_real_time(MIDDLE);
	middle_tid = truth_tid();
	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		atomic_fetch_add(&ready, 1);
		(void)pthread_barrier_wait(&begin_round);
		while (atomic_load(&waits) <= 2 * i)
			truth_sleep(NAP_NS / 4);
		middle_ran += spin_on_cpu(TRUTH_PAUSE_NS);
	}
	atomic_fetch_add(&ready, 1);
	return unused;
}

/* Not at a barrier or in a join: who waits for the lowest there has the middle one before it. */
static void wait_until_ready(unsigned round)
{
	while (atomic_load(&ready) < 2 * round)
		truth_sleep(NAP_NS);
}

static void high_run(void)
{
	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t begin;

		wait_until_ready(i + 1);
		atomic_store(&has_lock, false);
		(void)pthread_barrier_wait(&begin_round);
		while (!atomic_load(&has_lock))
			truth_sleep(NAP_NS / 4);
		begin = truth_now();
		atomic_fetch_add(&waits, 1);
		(void)pthread_mutex_lock(&lock);
		atomic_fetch_add(&waits, 1);
		waited += truth_now() - begin;
		(void)pthread_mutex_unlock(&lock);
	}
	wait_until_ready(TRUTH_ROUNDS + 1);
}

static void report(bool inherits)
{
	int high = truth_tid();

	if (inherits) {
		truth_add("row list=summary.inversions what=inverted_ns is=task.tid:%d most=0\n", high);
		truth_add("row list=sched.loans what=total_ns is=task.tid:%d is=lender.tid:%d "
		          "is=priority:%d is=own_priority:%d least=%ju most=%ju\n",
		          low_tid, high, 99 - HIGH, 99 - LOW, waited / 10 * 8, waited / 10 * 12);
		return;
	}
	truth_add("row list=summary.inversions what=inverted_ns is=task.tid:%d is=holder.tid:%d "
	          "is=behind.tid:%d least=%ju most=%ju\n",
	          high, low_tid, middle_tid, middle_ran / 10 * 9, waited);
	truth_add("row list=sched.loans what=total_ns is=task.tid:%d most=0\n", low_tid);
}

int main(int argc, char **argv)
{
	bool inherits = argc > 1 && strcmp(argv[1], "inherit") == 0;
	pthread_mutexattr_t attributes;
	pthread_t low, middle;

	be_real_time(HIGH);
	(void)pthread_mutexattr_init(&attributes);
	if (inherits)
		(void)pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	truth_must(pthread_mutex_init(&lock, &attributes) == 0, "pthread_mutex_init");
	(void)pthread_barrier_init(&begin_round, NULL, 3);
	low = truth_thread(low_run, NULL);
	middle = truth_thread(middle_run, NULL);
	high_run();
	(void)pthread_join(low, NULL);
	(void)pthread_join(middle, NULL);
	report(inherits);
	return truth_print();
}
