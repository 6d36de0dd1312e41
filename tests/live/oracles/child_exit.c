/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A parent waits for children that compute and exit: each child is the waker of its parent.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

int main(void)
{
	uint64_t *child_end = truth_shared(sizeof(*child_end));

	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t begin, end;
		pid_t child = fork();

		truth_must(child >= 0, "fork");
		if (child == 0) {
			truth_spin(TRUTH_PAUSE_NS);
			*child_end = truth_now();
			_exit(EXIT_SUCCESS);
		}
		begin = truth_now();
		truth_must(waitpid(child, NULL, 0) == child, "waitpid");
		end = *child_end;
		if (!truth_least(begin, end))
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n",
		          truth_tid(), begin, end, truth_least(begin, end), child);
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=running|runnable\n",
		          truth_tid(), begin, end, truth_least(begin, end), child);
	}
	return truth_print();
}
