/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget deadline: a spinner of SCHED_DEADLINE that may run 10 of 50 ms, on CPUs that others keep
 * busy: as long as it does not run its budget is used up, and nothing else. budget fifo: one of
 * SCHED_FIFO that shares its CPU with a spinner of no priority, to which the kernel gives the CPU
 * for a part of each second: by real-time throttling, or the fair server.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

#define DEADLINE_NS 600000000u
#define FIFO_NS     2500000000u
#define CROWD       4
#define LEAST_NS    10000000u
/* What the two clocks are read apart, and what interrupts take. */
#define CLOCK_NS    5000000u

struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static const struct attributes deadline = {
	.size = sizeof(deadline), .policy = 6, /* SCHED_DEADLINE */
	.runtime = 10000000, .deadline = 50000000, .period = 50000000,
};

static const struct attributes fifo = {
	.size = sizeof(fifo), .policy = 1, /* SCHED_FIFO */ .priority = 50,
};

/* Spins until its parent ends. */
static pid_t spinner_make(bool is_pinned)
{
	pid_t parent = getpid(), child = fork();

	truth_must(child >= 0, "fork");
	if (child > 0)
		return child;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (is_pinned)
		(void)truth_pin(0);
	while (getppid() == parent)
		;
	_exit(0);
}

/* What the spinners have run so far, in ns. */
static uint64_t crowd_ran(const pid_t *crowd)
{
	uint64_t sum = 0;

	for (int i = 0; i < CROWD; i++) {
		struct timespec ran;
		clockid_t clock;

		truth_must(clock_getcpuclockid(crowd[i], &clock) == 0 &&
		                   clock_gettime(clock, &ran) == 0,
		           "a spinner's clock");
		sum += (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec;
	}
	return sum;
}

/*
 * The time the task did not run is throttled, but for what a host steals: 5 % of the two seconds
 * that the task of SCHED_FIFO runs is as long as its throttling. While a pinned crowd runs, the
 * task is throttled, however much is stolen: that is the least.
 */
static void run(const struct attributes *attributes, uint64_t duration, const pid_t *pinned,
                const char *cause)
{
	uint64_t begin, end, ran, off, least;

	truth_may(syscall(SYS_sched_setattr, 0, attributes, 0) == 0, "sched_setattr");
	begin = truth_now();
	ran = truth_cpu_time();
	least = pinned ? crowd_ran(pinned) : 0;
	truth_spin(duration);
	ran = truth_cpu_time() - ran;
	end = truth_now();
	off = end - begin > ran ? end - begin - ran : 0;
	least = pinned ? crowd_ran(pinned) - least : off;
	if (least < LEAST_NS)
		truth_skip("the kernel lets tasks of this class run all the time");
	truth_add("path tid=%d begin=%ju end=%ju least=%ju most=%ju of=%d kind=throttled %s\n",
	          truth_tid(), begin, end, least / 10 * 9, off + CLOCK_NS, truth_tid(), cause);
	truth_add("total tid=%d what=throttled_ns least=%ju most=%ju\n", truth_tid(),
	          least / 10 * 9, off + CLOCK_NS);
}

int main(int argc, char **argv)
{
	bool is_fifo = argc > 1 && strcmp(argv[1], "fifo") == 0;
	pid_t spinner[CROWD];

	for (int i = 0; i < CROWD; i++)
		spinner[i] = spinner_make(is_fifo);
	if (is_fifo && !truth_pin(0))
		truth_skip("CPU 0 may not be used");
	if (is_fifo)
		run(&fifo, FIFO_NS, spinner, "");
	else
		run(&deadline, DEADLINE_NS, NULL, "name=dl_task_timer");
	for (int i = 0; i < CROWD; i++) {
		(void)kill(spinner[i], SIGKILL);
		(void)waitpid(spinner[i], NULL, 0);
	}
	return truth_print();
}
