/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recent use of each CPU: runs of tasks and idling, less the interrupts in them. Runs and
 * interrupts of one CPU are added in order of their ends; so an interrupt is added before the run
 * that it interrupted. What was added up to `covered` does not change any more.
 *
 *	run        A--------------|B------|idle---      added at their ends
 *	irq           |---|
 *	softirq           |-----|
 *	used by    A  irq       A  B      idle
 *
 * Memory: at most 1 MB a CPU, however long the trace is. The oldest runs are dropped: then the user
 * of the CPU is not known any more. No interrupt is dropped, but old ones are merged with their
 * neighbours: when they were is then exact to a fraction of their age. How much time they took of
 * each run stays exact. Cost: O(1) a run and interrupt; a visit O(runs in it, log of all). A log
 * that is all zero is empty.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "graph/timeline/timeline.h"

/* Users of a CPU other than tracks. */
#define CPU_USER_UNKNOWN TRACK_NONE
#define CPU_USER_IDLE    (TRACK_NONE - 1)
#define CPU_USER_IRQ     (TRACK_NONE - 2)

struct logged_run {
	nsec_t begin, end;
	uint32_t user;
	uint32_t took; /* ns of interrupts in it, UINT32_MAX: more; cpu_log_run() sets it */
};

/* One interrupt, or several with the time between them; `took`: the time in interrupts. */
struct logged_interrupt {
	nsec_t begin, end, took;
};

struct logged_cpu {
	struct logged_run *run;
	size_t run_count, run_capacity;
	struct logged_interrupt *interrupt;
	size_t interrupt_count, interrupt_capacity;
	nsec_t covered;   /* the log is complete until then; 0: it is empty */
	nsec_t forgotten; /* older runs have been dropped; the log begins there */
	/* sums over all that was added; the first two without interrupts */
	nsec_t running, idle, irq, softirq;
};

struct cpu_log {
	struct logged_cpu *cpu; /* by number */
	size_t cpu_count, cpu_capacity;
	nsec_t forgotten; /* ns that were asked for in runs that had been dropped */
};

void cpu_log_release(struct cpu_log *log);
/* `user` had the CPU, or an interrupt did; time of earlier entries is not counted again. */
void cpu_log_run(struct cpu_log *log, uint32_t cpu, const struct logged_run *run);
void cpu_log_interrupt(struct cpu_log *log, uint32_t cpu, nsec_t begin, nsec_t end, bool is_soft);
/* The CPU, added if it is new. Valid until another one is added. */
struct logged_cpu *cpu_log_find(struct cpu_log *log, uint32_t cpu);
/*
 * Reports the users of the CPU between the two instants, in order of time, each possibly several
 * times: the times sum to that interval. After on_use has returned false, all the rest is reported
 * in one call, as not known.
 */
void cpu_log_visit(struct cpu_log *log, uint32_t cpu, nsec_t begin, nsec_t end,
                   bool (*on_use)(void *state, uint32_t user, nsec_t took), void *state);
