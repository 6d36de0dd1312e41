/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_futex [crowd]: an owner sleeps with a mutex, and another thread, or several, wait for it.
 * --lock must have that futex by its address and its variable's name, with the time that they
 * waited for it, each of them, and the owner first, though each of several is woken by the one
 * before it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

#define WAITERS_MAX 3
#define ROUNDS      5
#define HOLD_NS     (4 * TRUTH_PAUSE_NS)

static pthread_mutex_t big_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held, round_end;

struct waiter {
	int tid;
	uint64_t least, most; /* ns that it has waited */
};

static uint64_t given_up[ROUNDS];

static void *waiter_run(void *argument)
{
	struct waiter *waiter = argument;

	waiter->tid = truth_tid();
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct truth_wait wait;

		(void)pthread_barrier_wait(&held);
		truth_wait_begin(&wait);
		(void)pthread_mutex_lock(&big_lock);
		truth_wait_end(&wait);
		(void)pthread_mutex_unlock(&big_lock);
		waiter->most += truth_now() - wait.begin;
		waiter->least += truth_wait_least(&wait, given_up[i]);
		(void)pthread_barrier_wait(&round_end);
	}
	return NULL;
}

static void waiters_print(const struct waiter *waiters, unsigned count)
{
	uint64_t least = 0, most = 0, one_least = UINT64_MAX, one_most = 0;
	unsigned tids = 0;
	char futex[96];

	(void)snprintf(futex, sizeof(futex),
	               "row list=lock.locks is=kind:futex is=name:big_lock is=address:0x%" PRIxPTR,
	               (uintptr_t)&big_lock);
	for (unsigned i = 0; i < count; i++) {
		least += waiters[i].least;
		most += waiters[i].most;
		one_least = waiters[i].least < one_least ? waiters[i].least : one_least;
		one_most = waiters[i].most > one_most ? waiters[i].most : one_most;
		tids += (unsigned)waiters[i].tid;
	}
	truth_add("%s is=tgid:%d what=total_ns least=%ju most=%ju\n", futex, truth_tid(), least, most);
	truth_add("%s what=waiters.0.task.tid+waiters.1.task.tid+waiters.2.task.tid"
	          " least=%u most=%u\n", futex, tids, tids);
	for (unsigned i = 0; i < count; i++)
		truth_add("%s what=waiters.%u.total_ns least=%ju most=%ju\n", futex, i,
		          one_least, one_most);
	truth_add("%s is=owners.0.task.tid:%d what=owners.0.total_ns least=%ju most=%ju\n", futex,
	          truth_tid(), least, most);
}

int main(int argc, char **argv)
{
	unsigned count = argc > 1 && strcmp(argv[1], "crowd") == 0 ? WAITERS_MAX : 1;
	struct waiter waiters[WAITERS_MAX] = {0};
	pthread_t thread[WAITERS_MAX];

	(void)pthread_barrier_init(&held, NULL, count + 1);
	(void)pthread_barrier_init(&round_end, NULL, count + 1);
	for (unsigned i = 0; i < count; i++)
		thread[i] = truth_thread(waiter_run, &waiters[i]);
	for (unsigned i = 0; i < ROUNDS; i++) {
		(void)pthread_mutex_lock(&big_lock);
		(void)pthread_barrier_wait(&held);
		truth_sleep(HOLD_NS);
		given_up[i] = truth_now();
		(void)pthread_mutex_unlock(&big_lock);
		(void)pthread_barrier_wait(&round_end);
	}
	for (unsigned i = 0; i < count; i++)
		(void)pthread_join(thread[i], NULL);
	waiters_print(waiters, count);
	return truth_print();
}
