/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several threads have nothing to do, while the first one is in state D nearly all the time: it
 * waits for vfork children, each for less than would count as hanging.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define IDLE_THREADS  3
#define CHILD_US      200000
#define ALARM_SECONDS 20u

static void *idle_run(void *unused)
{
	for (;;)
		(void)pause();
	return unused;
}

/* NOLINTBEGIN(clang-analyzer-*): vfork itself is asked about, and its child only takes the time */
int main(void)
{
	(void)alarm(ALARM_SECONDS);
	for (int i = 0; i < IDLE_THREADS; i++)
		(void)truth_thread(idle_run, NULL);
	for (;;) {
		pid_t child = vfork();

		if (child == 0) {
			(void)usleep(CHILD_US);
			_exit(0);
		}
		truth_must(child > 0, "vfork");
		(void)waitpid(child, NULL, 0);
	}
}
/* NOLINTEND(clang-analyzer-*) */
