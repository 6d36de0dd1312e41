/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread waits in sigwait() for a signal that another one sends after a sleep. It is a real-time
 * signal, because those queue: no round may be lost.
 */
#include <pthread.h>
#include <signal.h>

#include "truth.h"

static pthread_t waiter;
static int sender_tid;

static void *sender_run(void *unused)
{
	sender_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_sleep(TRUTH_PAUSE_NS);
		(void)pthread_kill(waiter, SIGRTMIN);
	}
	return unused;
}

int main(void)
{
	pthread_t sender;
	sigset_t signals;
	int number;

	waiter = pthread_self();
	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGRTMIN);
	(void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
	truth_must(pthread_create(&sender, NULL, sender_run, NULL) == 0, "pthread_create");
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t begin = truth_now();

		truth_must(sigwait(&signals, &number) == 0, "sigwait");
		if (i)
			truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=signal waker=%d\n",
			          truth_tid(), begin, truth_now(), TRUTH_PAUSE_NS / 2, sender_tid);
	}
	(void)pthread_join(sender, NULL);
	return truth_print();
}
