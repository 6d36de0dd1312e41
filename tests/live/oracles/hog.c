/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two spinners on one CPU: each is runnable, not waiting, for about half of the time; how long
 * exactly, whatever else the machine does, the clock of the thread's own CPU time knows.
 */
#include <pthread.h>
#include <time.h>

#include "truth.h"

#define HOG_NS 200000000u

static uint64_t cpu_time(void)
{
	struct timespec time;

	truth_must(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0, "clock_gettime");
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *hog_run(void *unused)
{
	(void)truth_pin(0);
	truth_spin(HOG_NS);
	return unused;
}

int main(void)
{
	pthread_t hog;
	uint64_t begin, end, ran;

	if (!truth_pin(0))
		truth_skip("CPU 0 may not be used");
	truth_must(pthread_create(&hog, NULL, hog_run, NULL) == 0, "pthread_create");
	begin = truth_now();
	ran = cpu_time();
	truth_spin(HOG_NS);
	ran = cpu_time() - ran;
	end = truth_now();
	(void)pthread_join(hog, NULL);
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=runnable\n", truth_tid(),
	          begin, end, (end - begin - ran) / 10 * 9, truth_tid());
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=running\n", truth_tid(),
	          begin, end, ran / 10 * 9, truth_tid());
	return truth_print();
}
