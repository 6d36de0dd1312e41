/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A parent sleeps, uninterruptibly, until its vforked child executes a program.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

/* Until its exec the child runs in its parent's memory. */
static volatile uint64_t begin, end;

/* NOLINTBEGIN(clang-analyzer-*): vfork itself is asked about, and its child only takes the time */
static void vfork_round(void)
{
	pid_t child = vfork();

	if (child == 0) {
		begin = truth_now();
		truth_spin(TRUTH_PAUSE_NS);
		end = truth_now();
		(void)execl("/proc/self/exe", "vfork", "child", (char *)NULL);
		_exit(EXIT_FAILURE);
	}
	truth_must(child > 0, "vfork");
	truth_must(waitpid(child, NULL, 0) == child, "waitpid");
	truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=task name=vfork waker=%d state=D\n",
	          truth_tid(), begin, end, TRUTH_PAUSE_NS / 2, child);
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d depth=1 state=running|runnable\n",
	          truth_tid(), begin, end, TRUTH_PAUSE_NS / 2, child);
}
/* NOLINTEND(clang-analyzer-*) */

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return EXIT_SUCCESS;
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		vfork_round();
	return truth_print();
}
