/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time that deadline and real-time tasks may have; see budget_tracker.c. */
#pragma once

#include "tracker.h"

/* The most such timers that one task's run on a CPU may arm: its own and those of servers. */
#define BUDGET_ARMED_MAX 4

/* Budgets on one CPU. */
struct cpu_budget {
	bool is_busy; /* a switch here has something to record */
	/* armed since the last switch, with the function of a deadline's timer */
	uint32_t armed_count;
	struct armed_budget {
		uint64_t timer;
		nsec_t time;
	} armed[BUDGET_ARMED_MAX];
	nsec_t server; /* when the timer of a server expired last; 0: not seen */
	/* between these times a task of a higher class had given way to a fair one; given_end
	   NSEC_NEVER: it still does; given_begin 0: none did */
	nsec_t given_begin, given_end;
	uint32_t given_name; /* id in names, of what gave the CPU away; 0: not known */
};

/* The part of a stay in the run queue in which the task was not allowed to run. */
struct budget_stretch {
	nsec_t begin, end;
	struct cause_note cause;
};

static inline struct cpu_budget *cpu_budget(const struct machine *machine, const struct cpu *cpu)
{
	return tracker_cpu(machine, cpu, TRACKER_BUDGET);
}

/* A timer of that function is armed on the CPU. */
void budget_note_armed(struct machine *machine, const struct cpu *cpu, uint32_t function,
                       uint64_t timer);
/* The same, when it expires there; true: it is a server's timer and ends no task's limit. */
bool budget_note_expiry(struct machine *machine, const struct cpu *cpu, uint32_t function,
                        uint64_t timer);
/* The slow path of budget_note_switch(). */
void budget_follow_switch(struct machine *machine, struct cpu *cpu, uint32_t prev,
                          const struct sched_switch_event *event);

/* The CPU switches tasks. prev is already in its new state; LINE_NONE: not known. */
static inline void budget_note_switch(struct machine *machine, struct cpu *cpu, uint32_t prev,
                                      const struct sched_switch_event *event)
{
	bool is_special = event->prev_priority >= PRIORITY_DEADLINE &&
	                  event->prev_priority < PRIORITY_FAIR_MIN;

	if (is_special || cpu_budget(machine, cpu)->is_busy)
		budget_follow_switch(machine, cpu, prev, event);
}

/* The task stood in the run queue until t; false: nothing shows that it was not allowed to run. */
bool budget_find(const struct machine *machine, uint32_t line, nsec_t t,
                 struct budget_stretch *ret);
