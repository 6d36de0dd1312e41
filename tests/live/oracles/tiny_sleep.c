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

static struct truth_sleeper sleeper;

static void *sleeper_run(void *unused)
{
	truth_must(prctl(PR_SET_TIMERSLACK, 1) == 0, "PR_SET_TIMERSLACK");
	truth_sleeper_begin(&sleeper);
	for (unsigned i = 0; i < SLEEPS; i++)
		truth_sleep(i * 7919u % WINDOW_NS);
	truth_sleeper_end(&sleeper);
	return unused;
}

int main(void)
{
	(void)pthread_join(truth_thread(sleeper_run, NULL), NULL);
	truth_add("wait tid=%d begin=%ju end=%ju kind=timer own=true\n", sleeper.tid,
	          sleeper.begin, sleeper.middle);
	truth_sleeper_print(&sleeper);
	return truth_print();
}
