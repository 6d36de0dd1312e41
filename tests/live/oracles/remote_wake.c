/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread on one CPU wakes one that sleeps on another, idle CPU: the kernel only puts it on a
 * list of that CPU, which wakes it later. The wait ends when the waker asked, inside its write().
 */
#include <sys/eventfd.h>
#include <unistd.h>

#include "truth.h"

static int event;
static int waker_tid;
static uint64_t write_begin[TRUTH_ROUNDS], write_end[TRUTH_ROUNDS];

static void *waker_run(void *unused)
{
	uint64_t one = 1;

	(void)truth_pin(0);
	waker_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_sleep(TRUTH_PAUSE_NS);
		write_begin[i] = truth_now();
		truth_must(write(event, &one, sizeof(one)) == sizeof(one), "write");
		write_end[i] = truth_now();
	}
	return unused;
}

int main(void)
{
	struct truth_wait waits[TRUTH_ROUNDS];
	uint64_t one;
	pthread_t waker;

	if (!truth_pin(1))
		truth_skip("there is no second CPU");
	/* each read takes one write, so that the n-th wait is for the n-th write */
	event = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	truth_must(event >= 0, "eventfd");
	waker = truth_thread(waker_run, NULL);
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_wait_begin(&waits[i]);
		truth_must(read(event, &one, sizeof(one)) == sizeof(one), "read");
		truth_wait_end(&waits[i]);
	}
	(void)pthread_join(waker, NULL);
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t least = truth_wait_least(&waits[i], write_begin[i]);

		if (!least)
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d "
		          "woken_from=%ju woken_to=%ju\n",
		          truth_tid(), waits[i].begin, write_begin[i], least, waker_tid,
		          write_begin[i], write_end[i]);
	}
	return truth_print();
}
