/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps so short that the timer often fires while the sleeper is still on its way off the CPU: it
 * is woken by an interrupt of its own. Each sleep that the scheduler counted is one wait, for the
 * own timer, and in the end nobody is left waiting.
 */
#include <sys/prctl.h>

#include "truth.h"

#define SLEEPS   3000u
/* From arming the timer to the switch takes about half of this on a slow machine. */
#define WINDOW_NS 60000u
#define AFTER_NS 20000000u

static uint64_t sleeps, begin, middle, end;
static int sleeper_tid;

static void *sleeper_run(void *unused)
{
	truth_must(prctl(PR_SET_TIMERSLACK, 1) == 0, "PR_SET_TIMERSLACK");
	sleeper_tid = truth_tid();
	begin = truth_now();
	for (unsigned i = 0; i < SLEEPS; i++)
		truth_sleep(i * 7919u % WINDOW_NS);
	middle = truth_now();
	truth_spin(AFTER_NS);
	end = truth_now();
	sleeps = truth_sleeps();
	return unused;
}

int main(void)
{
	(void)pthread_join(truth_thread(sleeper_run, NULL), NULL);
	truth_add("wait tid=%d begin=%ju end=%ju kind=timer own=true\n", sleeper_tid, begin,
	          middle);
	truth_add_sleeps(sleeper_tid, middle, end, sleeps);
	return truth_print();
}
