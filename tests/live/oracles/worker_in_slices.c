/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task waits for a worker with a time limit of its own, as build tools do that show progress: the
 * limit is over once, then the worker ends the next wait. All of it is a wait for the worker, and
 * what the worker did is on the critical path.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "truth.h"

#define ROUNDS   5
#define SLICE_NS 200000000u
#define WORK_NS  280000000u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, done;
static bool is_asked, is_done;
static int worker_tid;
static uint64_t done_at;

static void *worker_run(void *unused)
{
	worker_tid = truth_tid();
	for (int i = 0; i < ROUNDS; i++) {
		(void)pthread_mutex_lock(&lock);
		while (!is_asked)
			(void)pthread_cond_wait(&asked, &lock);
		is_asked = false;
		(void)pthread_mutex_unlock(&lock);
		truth_spin(WORK_NS);
		(void)pthread_mutex_lock(&lock);
		is_done = true;
		done_at = truth_now();
		(void)pthread_cond_signal(&done);
		(void)pthread_mutex_unlock(&lock);
	}
	return unused;
}

static struct timespec limit_from_now(void)
{
	uint64_t at = truth_now() + SLICE_NS;

	return (struct timespec){(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
}

static void wait_in_slices(void)
{
	struct truth_wait wait;
	uint64_t end, over = 0;
	int tid = truth_tid();

	(void)pthread_mutex_lock(&lock);
	is_asked = true;
	(void)pthread_cond_signal(&asked);
	truth_wait_begin(&wait);
	while (!is_done) {
		struct timespec until = limit_from_now();

		if (pthread_cond_timedwait(&done, &lock, &until) == ETIMEDOUT && !over)
			over = truth_now();
	}
	truth_wait_end(&wait);
	is_done = false;
	end = done_at;
	(void)pthread_mutex_unlock(&lock);
	/* preempted before it slept it set no equal limits */
	if (!over || !wait.is_sure)
		return;
	truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=timer own=true\n", tid, wait.begin,
		  over, SLICE_NS / 10 * 9);
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d depth=1 state=running|runnable\n",
		  tid, wait.begin, end, WORK_NS / 10 * 9, worker_tid);
	truth_add("path tid=%d begin=%ju end=%ju most=0 kind=timer of=%d\n", tid, wait.begin, end,
		  tid);
}

int main(void)
{
	pthread_condattr_t by_monotonic;
	pthread_t worker;

	(void)pthread_condattr_init(&by_monotonic);
	(void)pthread_condattr_setclock(&by_monotonic, CLOCK_MONOTONIC);
	truth_must(pthread_cond_init(&done, &by_monotonic) == 0, "pthread_cond_init");
	worker = truth_thread(worker_run, NULL);
	for (int i = 0; i < ROUNDS; i++)
		wait_in_slices();
	(void)pthread_join(worker, NULL);
	return truth_print();
}
