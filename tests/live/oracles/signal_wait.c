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
static uint64_t sent[TRUTH_ROUNDS];

static void *sender_run(void *unused)
{
	sender_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_sleep(TRUTH_PAUSE_NS);
		sent[i] = truth_now();
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
		struct truth_wait wait;
		uint64_t least;

		truth_wait_begin(&wait);
		truth_must(sigwait(&signals, &number) == 0, "sigwait");
		truth_wait_end(&wait);
		least = truth_wait_least(&wait, sent[i]);
		if (least)
			truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=signal waker=%d\n",
			          truth_tid(), wait.begin, sent[i], least, sender_tid);
	}
	(void)pthread_join(sender, NULL);
	return truth_print();
}
