/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task polls for its child's end, and looks before each sleep: after that end it sleeps on, and
 * once more. What it slept until the end was a wait for the child, the rest was noticing it late.
 */
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define PERIOD_NS 40000000u
#define WORK_NS   430000000u

static pid_t child_begin(uint64_t *ended)
{
	pid_t child = fork();

	truth_must(child >= 0, "fork");
	if (child > 0)
		return child;
	truth_spin(WORK_NS);
	*ended = truth_now();
	_exit(0);
}

int main(void)
{
	uint64_t *ended = truth_shared(sizeof(*ended));
	pid_t child = child_begin(ended);
	uint64_t awake = truth_awake(), begin = truth_now(), noticed, asleep;
	int tid = truth_tid();
	bool is_over;

	do {
		is_over = waitpid(child, NULL, WNOHANG) == child;
		truth_sleep(PERIOD_NS);
	} while (!is_over);
	noticed = truth_now();
	/* between its sleeps the task is queued, for long on a busy machine: that is no wait */
	awake = truth_awake() - awake;
	asleep = *ended - begin > awake ? *ended - begin - awake : 0;
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1 state=running|runnable\n",
		  tid, begin, *ended, asleep / 10 * 9, child);
	truth_add("path tid=%d begin=%ju end=%ju least=%u kind=timer late=true of=%d depth=0\n",
		  tid, *ended, noticed, PERIOD_NS / 10 * 9, tid);
	return truth_print();
}
