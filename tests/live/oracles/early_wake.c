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

static atomic_uint announced, word;
static struct truth_sleeper sleeper;

static void *sleeper_run(void *unused)
{
	(void)truth_pin(1);
	truth_sleeper_begin(&sleeper);
	for (unsigned i = 0; i < RACES; i++) {
		atomic_store(&announced, i + 1);
		while (atomic_load(&word) == i)
			(void)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, i, NULL, NULL, 0);
	}
	truth_sleeper_end(&sleeper);
	return unused;
}

int main(void)
{
	int waker_tid = truth_tid();
	pthread_t thread;

	if (!truth_pin(1) || !truth_pin(0))
		truth_skip("there is no second CPU");
	thread = truth_thread(sleeper_run, NULL);
	for (unsigned i = 0; i < RACES; i++) {
		while (atomic_load(&announced) <= i)
			;
		truth_spin(i * 7919u % WINDOW_NS);
		atomic_store(&word, i + 1);
		(void)syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	(void)pthread_join(thread, NULL);
	truth_add("wait tid=%d begin=%ju end=%ju least=1 kind=task waker=%d\n", sleeper.tid,
	          sleeper.begin, sleeper.middle, waker_tid);
	truth_sleeper_print(&sleeper);
	return truth_print();
}
