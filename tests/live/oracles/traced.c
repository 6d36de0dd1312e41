/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child that spins is held by its parent as debuggers do it: attached to, which stops it, looked
 * at for a while, and left. That is no waiting, and nothing but the parent did it: on the child's
 * path is what the parent does meanwhile, which is to sleep.
 */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

int main(void)
{
	uint64_t held_least = 0, held_most = 0;
	pid_t child = fork();
	int status;

	truth_must(child >= 0, "fork");
	if (child == 0)
		for (;;)
			;
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t asked = truth_now(), begin, end;

		truth_may(ptrace(PTRACE_ATTACH, child, NULL, NULL) == 0, "PTRACE_ATTACH");
		truth_must(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "waitpid");
		begin = truth_now();
		truth_sleep(TRUTH_PAUSE_NS);
		end = truth_now();
		truth_must(ptrace(PTRACE_DETACH, child, NULL, NULL) == 0, "PTRACE_DETACH");
		held_least += end - begin;
		held_most += truth_now() - asked;
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1\n", child, begin,
		          end, (end - begin) / 10 * 9, truth_tid());
		truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d state=waiting kind=timer\n",
		          child, begin, end, TRUTH_PAUSE_NS / 10 * 9, truth_tid());
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d stopper=%d "
		          "state=t\n",
		          child, asked, truth_now(), (end - begin) / 10 * 9, truth_tid(),
		          truth_tid());
	}
	truth_sleep(TRUTH_PAUSE_NS); /* else it looks as if that had ended its last stop */
	truth_must(kill(child, SIGKILL) == 0, "kill");
	truth_must(waitpid(child, NULL, 0) == child, "waitpid");
	truth_add("total tid=%d what=stopped_ns least=%ju most=%ju\n", child, held_least / 10 * 9,
	          held_most);
	truth_add("total tid=%d what=waiting_total_ns most=%u\n", child, TRUTH_PAUSE_NS);
	truth_add("total tid=%d what=longest_ns least=%u\n", child, TRUTH_PAUSE_NS);
	return truth_print();
}
