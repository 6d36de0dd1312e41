/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads on two CPUs race: one goes to sleep on a futex while the other already wakes it, so
 * many wake-ups arrive before the sleeper has left its CPU. Each sleep that the scheduler counted
 * is one wait, and in the end nobody is left waiting.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "truth.h"

#define RACES      5000u
/* From the system call to the switch takes about this long: where the wake-up has to hit. */
#define WINDOW_NS  3000u
#define AFTER_NS   20000000u

static atomic_uint announced, word;
static uint64_t sleeps, begin, middle, end;
static int sleeper_tid;

static void *sleeper_run(void *unused)
{
	(void)truth_pin(1);
	sleeper_tid = truth_tid();
	begin = truth_now();
	for (unsigned i = 0; i < RACES; i++) {
		atomic_store(&announced, i + 1);
		while (atomic_load(&word) == i)
			(void)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, i, NULL, NULL, 0);
	}
	middle = truth_now();
	truth_spin(AFTER_NS);
	end = truth_now();
	sleeps = truth_sleeps();
	return unused;
}

int main(void)
{
	int waker_tid = truth_tid();
	pthread_t sleeper;

	if (!truth_pin(1) || !truth_pin(0))
		truth_skip("there is no second CPU");
	sleeper = truth_thread(sleeper_run, NULL);
	for (unsigned i = 0; i < RACES; i++) {
		while (atomic_load(&announced) <= i)
			;
		truth_spin(i * 7919u % WINDOW_NS);
		atomic_store(&word, i + 1);
		(void)syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	(void)pthread_join(sleeper, NULL);
	truth_add("wait tid=%d begin=%ju end=%ju least=1 kind=task waker=%d\n", sleeper_tid, begin,
	          middle, waker_tid);
	truth_add_sleeps(sleeper_tid, middle, end, sleeps);
	return truth_print();
}
