/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two spinners on one CPU: each is runnable, not waiting, for about half of the time.
 */
#include <pthread.h>

#include "truth.h"

#define HOG_NS 200000000u

static void *hog_run(void *unused)
{
	(void)truth_pin(0);
	truth_spin(HOG_NS);
	return unused;
}

int main(void)
{
	pthread_t hog;
	uint64_t begin, end;

	if (!truth_pin(0))
		truth_skip("CPU 0 may not be used");
	truth_must(pthread_create(&hog, NULL, hog_run, NULL) == 0, "pthread_create");
	begin = truth_now();
	truth_spin(HOG_NS);
	end = truth_now();
	(void)pthread_join(hog, NULL);
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d state=runnable\n", truth_tid(),
	          begin, end, HOG_NS / 5, truth_tid());
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d state=running\n", truth_tid(),
	          begin, end, HOG_NS / 5, truth_tid());
	return truth_print();
}
