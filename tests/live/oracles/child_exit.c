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
		struct truth_wait wait;
		uint64_t least;
		pid_t child = fork();

		truth_must(child >= 0, "fork");
		if (child == 0) {
			truth_spin(TRUTH_PAUSE_NS);
			*child_end = truth_now();
			_exit(EXIT_SUCCESS);
		}
		truth_wait_begin(&wait);
		truth_must(waitpid(child, NULL, 0) == child, "waitpid");
		truth_wait_end(&wait);
		least = truth_wait_least(&wait, *child_end);
		if (!least)
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n",
		          truth_tid(), wait.begin, *child_end, least, child);
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=running|runnable\n",
		          truth_tid(), wait.begin, *child_end, least, child);
	}
	return truth_print();
}
