/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two spinners on one CPU: each is runnable, not waiting, for about half of the time; how long
 * exactly, whatever else the machine does, the kernel's count of its run delay knows. Who had the
 * CPU meanwhile is the other one.
 */
#include <stdatomic.h>

#include "truth.h"

#define HOG_NS 200000000u

static int hog_tid;
static uint64_t hog_ran;
static atomic_bool is_over;

static void *hog_run(void *unused)
{
	(void)truth_pin(0);
	hog_tid = truth_tid();
	while (!atomic_load(&is_over))
		;
	hog_ran = truth_cpu_time();
	return unused;
}

int main(void)
{
	pthread_t hog;
	uint64_t begin, end, ran, queued;

	if (!truth_pin(0))
		truth_skip("CPU 0 may not be used");
	hog = truth_thread(hog_run, NULL);
	begin = truth_now();
	queued = truth_run_delay();
	ran = truth_cpu_time();
	truth_spin(HOG_NS);
	ran = truth_cpu_time() - ran;
	queued = truth_run_delay() - queued;
	end = truth_now();
	atomic_store(&is_over, true);
	(void)pthread_join(hog, NULL);
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=runnable\n", truth_tid(),
	          begin, end, queued / 10 * 9, truth_tid());
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=running\n", truth_tid(),
	          begin, end, ran / 10 * 9, truth_tid());
	truth_add("rival tid=%d of=%d least=%ju\n", truth_tid(), hog_tid, hog_ran / 10 * 9);
	return truth_print();
}
