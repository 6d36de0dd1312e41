/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_requeue: two threads wait for a condition, and who signals it wakes the first and moves the
 * second to the futex of a mutex, asleep, as C libraries do. The first one keeps that for a while.
 * --lock must have both futexes: the condition with what both waited for it, which nobody had, the
 * mutex with what the second one did from then on, all of it for the first.
 */
#include <inttypes.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "truth.h"

#define ROUNDS  5
#define HOLD_NS (4 * TRUTH_PAUSE_NS)

#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif

static uint32_t condition, mutex;
static pthread_barrier_t round_begin, round_end;
static atomic_uint asleep; /* how many are about to */

/* Of a round. */
static struct {
	struct truth_wait wait[2];
	uint64_t moving, moved;  /* before and after that call */
	uint64_t given_up, woken; /* the mutex, by the first; the second is back */
} rounds[ROUNDS];
static int tid[2];

static long futex(uint32_t *address, int op, long value, long moves, uint32_t *to)
{
	return syscall(SYS_futex, address, op | FUTEX_PRIVATE_FLAG, value, moves, to, 0);
}

static void *first_run(void *argument)
{
	(void)argument;
	tid[0] = truth_tid();
	for (unsigned i = 0; i < ROUNDS; i++) {
		(void)pthread_barrier_wait(&round_begin);
		truth_wait_begin(&rounds[i].wait[0]);
		atomic_fetch_add(&asleep, 1);
		truth_must(futex(&condition, FUTEX_WAIT, 0, 0, NULL) == 0, "FUTEX_WAIT");
		truth_wait_end(&rounds[i].wait[0]);
		truth_sleep(HOLD_NS);
		rounds[i].given_up = truth_now();
		truth_must(futex(&mutex, FUTEX_WAKE, 1, 0, NULL) == 1, "FUTEX_WAKE");
		(void)pthread_barrier_wait(&round_end);
	}
	return NULL;
}

static void *second_run(void *argument)
{
	(void)argument;
	tid[1] = truth_tid();
	for (unsigned i = 0; i < ROUNDS; i++) {
		(void)pthread_barrier_wait(&round_begin);
		while (atomic_load(&asleep) == 0)
			truth_sleep(TRUTH_PAUSE_NS);
		truth_sleep(TRUTH_PAUSE_NS);
		truth_wait_begin(&rounds[i].wait[1]);
		atomic_fetch_add(&asleep, 1);
		truth_must(futex(&condition, FUTEX_WAIT, 0, 0, NULL) == 0, "FUTEX_WAIT");
		rounds[i].woken = truth_now();
		truth_wait_end(&rounds[i].wait[1]);
		(void)pthread_barrier_wait(&round_end);
	}
	return NULL;
}

static void round_run(unsigned i)
{
	atomic_store(&asleep, 0);
	(void)pthread_barrier_wait(&round_begin);
	while (atomic_load(&asleep) < 2)
		truth_sleep(TRUTH_PAUSE_NS);
	truth_sleep(TRUTH_PAUSE_NS);
	rounds[i].moving = truth_now();
	truth_must(futex(&condition, FUTEX_CMP_REQUEUE, 1, INT32_MAX, &mutex) == 2,
	           "FUTEX_CMP_REQUEUE");
	rounds[i].moved = truth_now();
	(void)pthread_barrier_wait(&round_end);
}

static void rounds_print(void)
{
	uint64_t least[2] = {0}, most[2] = {0};

	for (unsigned i = 0; i < ROUNDS; i++) {
		for (unsigned j = 0; j < 2; j++) {
			least[0] += truth_wait_least(&rounds[i].wait[j], rounds[i].moving);
			most[0] += rounds[i].moved - rounds[i].wait[j].begin;
		}
		if (rounds[i].given_up > rounds[i].moved)
			least[1] += rounds[i].given_up - rounds[i].moved;
		most[1] += rounds[i].woken - rounds[i].moving;
	}
	truth_add("row list=lock.locks is=kind:condition is=address:0x%" PRIxPTR
	          " is=ended_by.0.task.tid:%d is=count:%d what=total_ns least=%ju most=%ju\n",
	          (uintptr_t)&condition, truth_tid(), 2 * ROUNDS, least[0], most[0]);
	truth_add("row list=lock.locks is=kind:futex is=address:0x%" PRIxPTR
	          " is=waiters.0.task.tid:%d is=owners.0.task.tid:%d what=owners.0.total_ns"
	          " least=%ju most=%ju\n",
	          (uintptr_t)&mutex, tid[1], tid[0], least[1], most[1]);
}

int main(void)
{
	pthread_t first, second;

	(void)pthread_barrier_init(&round_begin, NULL, 3);
	(void)pthread_barrier_init(&round_end, NULL, 3);
	first = truth_thread(first_run, NULL);
	second = truth_thread(second_run, NULL);
	for (unsigned i = 0; i < ROUNDS; i++)
		round_run(i);
	(void)pthread_join(first, NULL);
	(void)pthread_join(second, NULL);
	rounds_print();
	return truth_print();
}
