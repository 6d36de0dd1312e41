/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_sched [fifo]: a victim and a hog that both want the same CPU all the time: --sched must say
 * of the victim's delays what the scheduler has counted of them; with "fifo", where nobody but the
 * hog can have the CPU while it wants it, that they were lost to it.
 */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "truth.h"

#define SPIN_NS   30000000u
#define PRIORITY  10
/* The kernel's own number of it. */
#define PRIORITY_OF_KERNEL (99 - PRIORITY)
/* What the clocks of the scheduler and of the trace differ by. */
#define SLACK_NS  1000000u

static atomic_bool is_ready, is_over;
static bool is_fifo;
static int hog_tid;
/* All the time that it spun and was in no queue; its CPU time leaves out what a host steals. */
static uint64_t hog_ran;

static uint64_t hog_spin(void)
{
	uint64_t begin = truth_now(), queued = truth_run_delay();

	truth_spin(SPIN_NS);
	queued = truth_run_delay() - queued;
	return truth_now() - begin - queued;
}

static void *hog_run(void *unused)
{
	struct sched_param priority = {.sched_priority = PRIORITY};

	truth_may(truth_pin(0), "pin to CPU 0");
	if (is_fifo)
		truth_may(sched_setscheduler(0, SCHED_FIFO, &priority) == 0, "SCHED_FIFO");
	hog_tid = truth_tid();
	/* asleep, so that the victim comes to run */
	while (!atomic_load(&is_ready))
		truth_sleep(TRUTH_PAUSE_NS);
	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		hog_ran += hog_spin();
		truth_sleep(TRUTH_PAUSE_NS);
	}
	atomic_store(&is_over, true);
	return unused;
}

static void *victim_run(void *unused)
{
	uint64_t delay[4], begin, end, ran;
	int tid = truth_tid();

	truth_may(truth_pin(0), "pin to CPU 0");
	delay[0] = truth_run_delay();
	begin = truth_now();
	delay[1] = truth_run_delay();
	ran = truth_cpu_time();
	atomic_store(&is_ready, true);
	while (!atomic_load(&is_over))
		;
	ran = truth_cpu_time() - ran;
	delay[2] = truth_run_delay();
	end = truth_now();
	delay[3] = truth_run_delay();
	truth_add("row list=sched.tasks is=task.tid:%d what=latency.total_ns least=%ju most=%ju"
	          " begin=%ju end=%ju\n", tid, (delay[2] - delay[1]) / 100 * 97 - SLACK_NS,
	          (delay[3] - delay[0]) / 100 * 103 + SLACK_NS, begin, end);
	truth_add("row list=sched.cpus is=cpu:0 what=running_ns least=%ju most=%ju"
	          " begin=%ju end=%ju\n", (ran + hog_ran) / 10 * 9, end - begin, begin, end);
	if (!is_fifo)
		return unused;
	truth_add("row list=sched.tasks is=task.tid:%d is=lost_to.0.task.tid:%d"
	          " what=lost_to.0.total_ns least=%ju most=%ju begin=%ju end=%ju\n",
	          tid, hog_tid, hog_ran / 10 * 9, hog_ran / 100 * 103 + SLACK_NS, begin, end);
	truth_add("row list=sched.tasks is=task.tid:%d is=priority:%d what=rows least=1 most=1"
	          " begin=%ju end=%ju\n", hog_tid, PRIORITY_OF_KERNEL, begin, end);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t victim, hog;

	is_fifo = argc > 1 && strcmp(argv[1], "fifo") == 0;
	hog = truth_thread(hog_run, NULL);
	victim = truth_thread(victim_run, NULL);
	(void)pthread_join(victim, NULL);
	(void)pthread_join(hog, NULL);
	/* the recording ends with the last of the tasks: all that was told of has ended by then */
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}
