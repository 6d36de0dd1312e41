/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A spinner is driven from CPU to CPU by another task while it runs. It never waits, never runs
 * twice at once, and ran whenever it was not in a queue, as the kernel counts that (its CPU time
 * leaves out what the host of a virtual machine steals from it); nobody is to be named for the
 * moves.
 */
#include <sched.h>
#include <stdatomic.h>

#include "truth.h"

#define MOVES   40u
#define MOVE_NS 3000000u

static atomic_int spinner_tid;
static atomic_bool is_over;
static uint64_t begin, end, ran;

static void *spinner_run(void *unused)
{
	uint64_t queued = truth_run_delay();

	begin = truth_now();
	atomic_store(&spinner_tid, truth_tid());
	while (!atomic_load(&is_over))
		;
	end = truth_now();
	ran = end - begin - (truth_run_delay() - queued);
	return unused;
}

/* The mover goes first to where the spinner is not: it must not have to wait for the spinner. */
static void spinner_move(unsigned cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	truth_must(sched_setaffinity(atomic_load(&spinner_tid), sizeof(cpus), &cpus) == 0,
	           "sched_setaffinity");
}

int main(void)
{
	pthread_t spinner;

	if (!truth_pin(1) || !truth_pin(0))
		truth_skip("there is no second CPU");
	spinner = truth_thread(spinner_run, NULL);
	while (atomic_load(&spinner_tid) == 0)
		truth_sleep(TRUTH_PAUSE_NS);
	for (unsigned i = 0; i < MOVES; i++) {
		(void)truth_pin((i + 1) % 2);
		spinner_move(i % 2);
		truth_sleep(MOVE_NS);
	}
	atomic_store(&is_over, true);
	(void)pthread_join(spinner, NULL);
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d state=running|runnable\n",
	          atomic_load(&spinner_tid), begin, end, (end - begin) / 100 * 99,
	          atomic_load(&spinner_tid));
	truth_add("path tid=%d begin=%ju end=%ju least=%ju most=%ju of=%d state=running\n",
	          atomic_load(&spinner_tid), begin, end, ran / 100 * 96, ran / 100 * 104,
	          atomic_load(&spinner_tid));
	truth_add("total tid=%d what=running_ns least=%ju most=%ju\n", atomic_load(&spinner_tid),
	          ran / 100 * 96, ran / 100 * 104);
	return truth_print();
}
