/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_sync: threads wait for a mutex, longer at a barrier, for a condition, for a semaphore, and
 * longest for the end of one of them. All sleep in futexes; --lock must tell these apart, and only
 * of the mutex who had it.
 */
#include <inttypes.h>
#include <semaphore.h>
#include <stdio.h>

#include "truth.h"

#define ROUNDS  5
#define THREADS 3 /* at the barrier */
#define HOLD_NS (2 * TRUTH_PAUSE_NS)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t of_condition = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier, held, round_end;
static unsigned signalled;
static int slowest; /* comes last to the barrier */
/* Of all rounds: what was waited at least, and at most. */
static struct {
	uint64_t least, most;
} mutex_time, condition_time, semaphore_time, barrier_time[THREADS];

static void *mutex_run(void *argument)
{
	(void)argument;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct truth_wait wait;

		(void)pthread_barrier_wait(&held);
		truth_wait_begin(&wait);
		(void)pthread_mutex_lock(&mutex);
		truth_wait_end(&wait);
		(void)pthread_mutex_unlock(&mutex);
		mutex_time.most += truth_now() - wait.begin;
		mutex_time.least += truth_wait_least(&wait, wait.begin + HOLD_NS / 2);
		(void)pthread_barrier_wait(&round_end);
	}
	return NULL;
}

static void hold_mutex(void)
{
	pthread_t thread = truth_thread(mutex_run, NULL);

	for (unsigned i = 0; i < ROUNDS; i++) {
		(void)pthread_mutex_lock(&mutex);
		(void)pthread_barrier_wait(&held);
		truth_sleep(HOLD_NS);
		(void)pthread_mutex_unlock(&mutex);
		(void)pthread_barrier_wait(&round_end);
	}
	(void)pthread_join(thread, NULL);
}

static void *condition_run(void *argument)
{
	(void)argument;
	(void)pthread_mutex_lock(&of_condition);
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct truth_wait wait;

		truth_wait_begin(&wait);
		while (signalled <= i)
			(void)pthread_cond_wait(&condition, &of_condition);
		truth_wait_end(&wait);
		condition_time.most += truth_now() - wait.begin;
		condition_time.least += truth_wait_least(&wait, wait.begin + HOLD_NS / 2);
	}
	(void)pthread_mutex_unlock(&of_condition);
	return NULL;
}

static void signal_condition(void)
{
	pthread_t thread = truth_thread(condition_run, NULL);

	for (unsigned i = 0; i < ROUNDS; i++) {
		truth_sleep(HOLD_NS);
		(void)pthread_mutex_lock(&of_condition);
		signalled++;
		(void)pthread_cond_signal(&condition);
		(void)pthread_mutex_unlock(&of_condition);
	}
	(void)pthread_join(thread, NULL);
}

static void *semaphore_run(void *argument)
{
	(void)argument;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct truth_wait wait;

		truth_wait_begin(&wait);
		(void)sem_wait(&semaphore);
		truth_wait_end(&wait);
		semaphore_time.most += truth_now() - wait.begin;
		semaphore_time.least += truth_wait_least(&wait, wait.begin + HOLD_NS / 2);
	}
	return NULL;
}

static void post_semaphore(void)
{
	pthread_t thread = truth_thread(semaphore_run, NULL);

	for (unsigned i = 0; i < ROUNDS; i++) {
		truth_sleep(HOLD_NS);
		(void)sem_post(&semaphore);
	}
	(void)pthread_join(thread, NULL);
}

static void *barrier_run(void *argument)
{
	unsigned number = (unsigned)(uintptr_t)argument;

	if (number == 0)
		slowest = truth_tid();
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct truth_wait wait;

		if (number == 0)
			truth_sleep(3 * HOLD_NS);
		truth_wait_begin(&wait);
		(void)pthread_barrier_wait(&barrier);
		truth_wait_end(&wait);
		barrier_time[number].most += truth_now() - wait.begin;
		if (number != 0)
			barrier_time[number].least +=
				truth_wait_least(&wait, wait.begin + HOLD_NS);
	}
	return NULL;
}

static void meet_at_barrier(void)
{
	pthread_t thread[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		thread[i] = truth_thread(barrier_run, (void *)i);
	for (unsigned i = 0; i < THREADS; i++)
		(void)pthread_join(thread[i], NULL);
}

static void *late_run(void *argument)
{
	(void)argument;
	truth_sleep(ROUNDS * 2 * HOLD_NS);
	return NULL;
}

static void rows_emit(uint64_t joined_least, uint64_t joined_most)
{
	truth_add("row list=lock.locks is=kind:futex is=address:0x%" PRIxPTR
	          " is=owners.0.task.tid:%d what=total_ns least=%ju most=%ju\n",
	          (uintptr_t)&mutex, truth_tid(), mutex_time.least, mutex_time.most);
	/* of others none seems to be one; the condition's may be waited for, too, and shortly */
	truth_add("row list=lock.locks is=kind:futex is=tgid:%d what=total_ns most=%ju\n",
	          truth_tid(), mutex_time.most + HOLD_NS);
	truth_add("row list=lock.locks is=kind:condition is=tgid:%d what=total_ns least=%ju most=%ju\n",
	          truth_tid(), condition_time.least, condition_time.most);
	truth_add("row list=lock.locks is=kind:semaphore is=tgid:%d what=total_ns least=%ju most=%ju\n",
	          truth_tid(), semaphore_time.least, semaphore_time.most);
	truth_add("row list=lock.locks is=kind:barrier is=ended_by.0.task.tid:%d"
	          " is=ended_by.0.count:%d what=total_ns least=%ju most=%ju\n",
	          slowest, ROUNDS, barrier_time[1].least + barrier_time[2].least,
	          barrier_time[0].most + barrier_time[1].most + barrier_time[2].most);
	truth_add("row list=lock.locks is=kind:join is=waiters.0.task.tid:%d what=total_ns least=%ju"
	          " most=%ju\n",
	          truth_tid(), joined_least, joined_most);
}

int main(void)
{
	uint64_t begin, least, most;
	pthread_t late;

	(void)pthread_barrier_init(&held, NULL, 2);
	(void)pthread_barrier_init(&round_end, NULL, 2);
	(void)pthread_barrier_init(&barrier, NULL, THREADS);
	begin = truth_now();
	hold_mutex();
	signal_condition();
	(void)sem_init(&semaphore, 0, 0);
	post_semaphore();
	meet_at_barrier();
	most = truth_now() - begin;
	late = truth_thread(late_run, NULL);
	begin = truth_now();
	(void)pthread_join(late, NULL);
	most += truth_now() - begin;
	least = ROUNDS * HOLD_NS;
	rows_emit(least, most);
	return truth_print();
}
