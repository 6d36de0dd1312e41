/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had each CPU of late: runs of tasks and idleness, less the interrupts in them. Runs and
 * interrupts of one CPU come in order of their ends; so an interrupt is told before the run that
 * it interrupted. What was told up to `covered` stays as it is.
 *
 *	run        A--------------|B------|idle---      told at their ends
 *	irq           |---|
 *	softirq           |-----|
 *	had        A  irq       A  B      idle
 *
 * Memory: at most 1 MB a CPU, however long the trace is. The oldest runs make room: then it is
 * not known any more who had the CPU. Of interrupts nothing is forgotten, but old ones are told
 * together with their neighbours: when they took their time is then known to a part of their age.
 * Cost: O(1) a run and interrupt; a visit O(runs and interrupts in it, log of all).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "timeline.h"

/* Who had a CPU, beside lines. */
#define HAD_UNKNOWN LINE_NONE
#define HAD_IDLE    (LINE_NONE - 1)
#define HAD_IRQ     (LINE_NONE - 2)

struct logged_run {
	nsec_t begin, end;
	uint32_t who;
};

/* One, or several with what lies between: `took` of the time. */
struct logged_interrupt {
	nsec_t begin, end, took;
};

struct logged_cpu {
	struct logged_run *run;
	size_t run_count, run_capacity;
	struct logged_interrupt *interrupt;
	size_t interrupt_count, interrupt_capacity;
	nsec_t covered;   /* who had it is told until then; 0: nothing is */
	nsec_t forgotten; /* runs until then are */
	/* sums of all that was told; the first two without interrupts */
	nsec_t running, idle, irq, softirq;
};

struct cpu_log {
	struct logged_cpu *cpu; /* by number */
	size_t cpu_count, cpu_capacity;
	nsec_t forgotten; /* of what was asked for: of runs that had made room */
};

void cpu_log_init(struct cpu_log *log);
void cpu_log_release(struct cpu_log *log);
/* `who` had the CPU, or an interrupt who did: not what earlier ones are told to have had. */
void cpu_log_run(struct cpu_log *log, uint32_t cpu, const struct logged_run *run);
void cpu_log_interrupt(struct cpu_log *log, uint32_t cpu, nsec_t begin, nsec_t end, bool is_soft);
/* The CPU, made where it is not known. Valid until another one is. */
struct logged_cpu *cpu_log_find(struct cpu_log *log, uint32_t cpu);
/*
 * Who had the CPU between the two instants, in order of time, one and the same several times: they
 * sum to that. Where on_had returns false it has heard enough, and what is left is told at once, as
 * not known.
 */
void cpu_log_visit(struct cpu_log *log, uint32_t cpu, nsec_t begin, nsec_t end,
                   bool (*on_had)(void *state, uint32_t who, nsec_t had), void *state);
