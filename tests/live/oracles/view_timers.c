/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_timers [hog]: a task that sleeps until an absolute time again and again, as cyclictest does,
 * and measures how late it was: --timers must say the same of it, and that no more of it was slack
 * than the task had allowed; --cycles must find the cycles that were missed. With "hog" a real-time
 * task often has the CPU. The scheduler has counted how long the task stood in the run queue.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "truth.h"

#define CYCLES      300
#define PERIOD_NS   2000000u
#define SLACK_NS    200000u
#define SPIN_NS     3000000u
#define PRIORITY    10
/* From a switch to when the task has read the clock, from a wake-up to its place in a queue: most
   often less. */
#define RETURN_NS   40000u
/* What the clocks of the scheduler and of the trace differ by. */
#define CLOCKS_NS   1000000u

static atomic_bool is_over;
static uint64_t late[CYCLES];
static unsigned missed_surely, missed_perhaps;

static void *hog_run(void *unused)
{
	struct sched_param priority = {.sched_priority = PRIORITY};

	truth_may(truth_pin(0), "pin to CPU 0");
	truth_may(sched_setscheduler(0, SCHED_FIFO, &priority) == 0, "SCHED_FIFO");
	while (!atomic_load(&is_over)) {
		truth_spin(SPIN_NS);
		truth_sleep(TRUTH_PAUSE_NS);
	}
	return unused;
}

static void sleep_until(uint64_t time)
{
	struct timespec until = {.tv_sec = (time_t)(time / 1000000000u),
	                         .tv_nsec = (long)(time % 1000000000u)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A task that was late by more than a period begins the next one when it is there. */
static uint64_t next_time(uint64_t last)
{
	uint64_t now = truth_now();

	return last + PERIOD_NS > now + SLACK_NS ? last + PERIOD_NS : now + PERIOD_NS;
}

/* Returns the time of the last cycle. */
static uint64_t cycles_run(uint64_t *ret_late)
{
	uint64_t next = truth_now(), length;

	*ret_late = 0;
	for (unsigned i = 0; i < CYCLES; i++) {
		next = next_time(next);
		sleep_until(next);
		late[i] = truth_now() - next;
		*ret_late += late[i];
		length = truth_now() - next;
		missed_surely += length > PERIOD_NS + RETURN_NS;
		missed_perhaps += length > PERIOD_NS - RETURN_NS;
	}
	return next;
}

/* The span of time in which the cycles began, and what is known of them. */
struct truth_cycles {
	int tid;
	uint64_t begin, end, late, queued;
};

static void tell(const struct truth_cycles *of, const char *what, uint64_t least, uint64_t most)
{
	truth_add("row list=timers.tasks is=task.tid:%d is=function:hrtimer_wakeup what=%s"
	          " least=%ju most=%ju begin=%ju end=%ju\n",
	          of->tid, what, least, most, of->begin, of->end);
}

static void tell_cycles(const struct truth_cycles *of, const char *list, const char *what,
                        uint64_t least, uint64_t most)
{
	truth_add("row list=%s tid=%d period=%u is=task.tid:%d what=%s least=%ju most=%ju"
	          " begin=%ju end=%ju\n",
	          list, of->tid, PERIOD_NS, of->tid, what, least, most, of->begin, of->end);
}

static uint64_t less(uint64_t value, uint64_t by)
{
	return value > by ? value - by : 0;
}

static void tell_all(const struct truth_cycles *of)
{
	uint64_t half = late[CYCLES / 2];

	tell(of, "late.count", CYCLES, CYCLES);
	tell(of, "late.total_ns", less(of->late, CYCLES * RETURN_NS), of->late);
	tell(of, "late.p50_ns", less(half / 16 * 15, RETURN_NS), half / 16 * 17);
	tell(of, "late.max_ns", 0, late[CYCLES - 1]);
	tell(of, "slack.max_ns", SLACK_NS / 4, SLACK_NS);
	tell(of, "run_queue.total_ns", less(of->queued / 100 * 97, CLOCKS_NS),
	     of->queued / 100 * 103 + CLOCKS_NS + CYCLES * RETURN_NS);
	tell_cycles(of, "cycles.tasks", "count", CYCLES, CYCLES);
	tell_cycles(of, "cycles.tasks", "missed", missed_surely, missed_perhaps);
	tell_cycles(of, "cycles.missed", "rows", missed_surely, missed_perhaps);
}

int main(int argc, char **argv)
{
	bool has_hog = argc > 1 && strcmp(argv[1], "hog") == 0;
	struct truth_cycles of = {.tid = truth_tid()};
	pthread_t hog = 0;
	uint64_t last;

	truth_may(truth_pin(0), "pin to CPU 0");
	truth_must(prctl(PR_SET_TIMERSLACK, SLACK_NS) == 0, "PR_SET_TIMERSLACK");
	if (has_hog)
		hog = truth_thread(hog_run, NULL);
	truth_sleep(TRUTH_PAUSE_NS);
	of.begin = truth_now();
	of.queued = truth_run_delay();
	last = cycles_run(&of.late);
	of.end = truth_now();
	sleep_until(next_time(last)); /* this sleep ends the last cycle */
	of.queued = truth_run_delay() - of.queued;
	atomic_store(&is_over, true);
	if (has_hog)
		(void)pthread_join(hog, NULL);
	qsort(late, CYCLES, sizeof(late[0]), compare);
	tell_all(&of);
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}
