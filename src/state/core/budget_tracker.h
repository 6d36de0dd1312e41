/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time that deadline and real-time tasks may have; see budget_tracker.c. */
#pragma once

#include "tracker.h"

/* Timers that one task's run on a CPU may have armed of that kind: its own, those of servers. */
#define BUDGET_ARMED_MAX 4

/* Of a CPU. */
struct cpu_budget {
	bool is_busy; /* a switch here has something to tell */
	/* armed since the last switch, with the function of a deadline's timer */
	uint32_t armed_count;
	struct armed_budget {
		uint64_t timer;
		nsec_t time;
	} armed[BUDGET_ARMED_MAX];
	nsec_t server; /* when the timer of a server expired last; 0: not seen */
	/* a task of a higher class gave way to a fair one in between; given_end NSEC_NEVER: it
	   still does; given_begin 0: none did */
	nsec_t given_begin, given_end;
	uint32_t given_name; /* id in names, of what gave the CPU away; 0: not known */
};

/* A stretch of a stay in the run queue in which the task was not allowed to run. */
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
/* The same, it expires there; true: it is that of a server, and ends nobody's limit. */
bool budget_note_expiry(struct machine *machine, const struct cpu *cpu, uint32_t function,
                        uint64_t timer);
/* What budget_note_switch() calls once there is something to do. */
void budget_follow_switch(struct machine *machine, struct cpu *cpu, uint32_t prev,
                          const struct sched_switch_event *event);

/* The CPU switches; prev, LINE_NONE where it is not known, is in its new state already. */
static inline void budget_note_switch(struct machine *machine, struct cpu *cpu, uint32_t prev,
                                      const struct sched_switch_event *event)
{
	bool is_special = event->prev_priority >= PRIORITY_DEADLINE &&
	                  event->prev_priority < PRIORITY_FAIR_MIN;

	if (is_special || cpu_budget(machine, cpu)->is_busy)
		budget_follow_switch(machine, cpu, prev, event);
}

/* The task stood in the run queue until t; false: nothing tells that it was not allowed to run. */
bool budget_find(const struct machine *machine, uint32_t line, nsec_t t,
                 struct budget_stretch *ret);
