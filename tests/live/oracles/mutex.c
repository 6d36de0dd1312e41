/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutex sleep|spin: a thread holds a mutex while it sleeps or spins, the other one wants it. The
 * waiter waits for the holder; what the holder did meanwhile is on the waiter's critical path.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t round_begin, held, round_end;
static bool is_sleeper;
static int holder_tid;
static struct truth_wait naps[TRUTH_ROUNDS]; /* of the holder */
static uint64_t given_up[TRUTH_ROUNDS];

static void *holder_run(void *unused)
{
	holder_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		(void)pthread_barrier_wait(&round_begin);
		(void)pthread_mutex_lock(&lock);
		(void)pthread_barrier_wait(&held);
		if (is_sleeper)
			truth_nap(&naps[i]);
		else
			truth_spin(TRUTH_PAUSE_NS);
		given_up[i] = truth_now();
		(void)pthread_mutex_unlock(&lock);
		(void)pthread_barrier_wait(&round_end);
	}
	return unused;
}

static void waiter_round(int round)
{
	struct truth_wait wait;
	uint64_t least;
	const char *what = is_sleeper ? "state=waiting kind=timer" : "state=running|runnable";

	(void)pthread_barrier_wait(&round_begin);
	(void)pthread_barrier_wait(&held);
	truth_wait_begin(&wait);
	(void)pthread_mutex_lock(&lock);
	truth_wait_end(&wait);
	least = truth_wait_least(&wait, given_up[round]);
	(void)pthread_mutex_unlock(&lock);
	(void)pthread_barrier_wait(&round_end);
	if (!least)
		return;
	truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n", truth_tid(),
	          wait.begin, given_up[round], least, holder_tid);
	if (is_sleeper)
		least = truth_wait_nap_least(&wait, &naps[round]);
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1 %s\n", truth_tid(),
	          wait.begin, given_up[round], least, holder_tid, what);
}

int main(int argc, char **argv)
{
	pthread_t holder;

	is_sleeper = argc < 2 || strcmp(argv[1], "spin") != 0;
	(void)pthread_barrier_init(&round_begin, NULL, 2);
	(void)pthread_barrier_init(&held, NULL, 2);
	(void)pthread_barrier_init(&round_end, NULL, 2);
	truth_must(pthread_create(&holder, NULL, holder_run, NULL) == 0, "pthread_create");
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		waiter_round(i);
	(void)pthread_join(holder, NULL);
	return truth_print();
}
