/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child that spins is stopped and continued by its parent: while it is stopped it does not
 * wait, and the parent's SIGCONT ends that. Once it is dead its path tells nothing of it.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

int main(void)
{
	uint64_t stopped_least = 0, stopped_most = 0, dead;
	pid_t child = fork();

	truth_must(child >= 0, "fork");
	if (child == 0)
		for (;;)
			;
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t asked = truth_now(), begin, end;
		int status;

		truth_must(kill(child, SIGSTOP) == 0, "kill");
		truth_must(waitpid(child, &status, WUNTRACED) == child, "waitpid");
		begin = truth_now();
		truth_sleep(TRUTH_PAUSE_NS);
		end = truth_now();
		truth_must(kill(child, SIGCONT) == 0, "kill");
		stopped_least += end - begin;
		stopped_most += truth_now() - asked;
		truth_must(waitpid(child, &status, WCONTINUED) == child, "waitpid");
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=stopped kind=signal "
		          "number=%d waker=%d stopper=%d\n",
		          child, begin, end, (end - begin) / 2, child, SIGCONT, truth_tid(),
		          truth_tid());
	}
	truth_must(kill(child, SIGKILL) == 0, "kill");
	truth_must(waitpid(child, NULL, 0) == child, "waitpid");
	truth_add("total tid=%d what=stopped_ns least=%ju most=%ju\n", child,
	          stopped_least / 10 * 9, stopped_most);
	truth_add("total tid=%d what=waiting_total_ns most=%u\n", child, TRUTH_PAUSE_NS);
	truth_add("total tid=%d what=longest_ns least=%u\n", child, TRUTH_PAUSE_NS);
	dead = truth_now();
	truth_sleep(TRUTH_PAUSE_NS);
	truth_add("path tid=%d begin=%ju end=%ju state=unknown most=0\n", child, dead, truth_now());
	return truth_print();
}
