/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time that deadline and real-time tasks may have; see budget_tracker.c. */
#pragma once

#include "tracker.h"

/* The most budget timers, of a task and of servers, that may be armed while one task runs. */
#define BUDGET_ARMED_MAX 4

/* Budgets on one CPU. */
struct cpu_budget {
	bool is_busy; /* a switch here has something to record */
	/* timers of the function of deadline tasks' timers, armed here since the last switch */
	uint32_t armed_count;
	struct armed_budget {
		uint64_t timer;
		nsec_t time;
	} armed[BUDGET_ARMED_MAX];
	nsec_t server; /* when the timer of a server last expired here; 0: not seen */
	/* the last stretch in which a task of a higher class had given way to a fair one; given_end
	   NSEC_NEVER: it goes on; given_begin 0: there was none */
	nsec_t given_begin, given_end;
	uint32_t given_name; /* id in names of the timer's function that gave the CPU away; 0: not
	                        known */
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

/* A timer with that function is armed on the CPU. */
void budget_note_armed(struct machine *machine, const struct cpu *cpu, uint32_t function,
                       uint64_t timer);
/* The timer expires on the CPU. Returns true if it is a server's timer, which ends no task's
   limit. */
bool budget_note_expiry(struct machine *machine, const struct cpu *cpu, uint32_t function,
                        uint64_t timer);
/* The slow path of budget_note_switch(). */
void budget_follow_switch(struct machine *machine, struct cpu *cpu, uint32_t prev,
                          const struct sched_switch_event *event);

/* The CPU switches tasks. prev is already in its new state; TRACK_NONE: not known. */
static inline void budget_note_switch(struct machine *machine, struct cpu *cpu, uint32_t prev,
                                      const struct sched_switch_event *event)
{
	bool is_special = event->prev_priority >= PRIORITY_DEADLINE &&
	                  event->prev_priority < PRIORITY_FAIR_MIN;

	if (is_special || cpu_budget(machine, cpu)->is_busy)
		budget_follow_switch(machine, cpu, prev, event);
}

/* Finds the stretch of the task's stay in the run queue, which ends at t, in which the task was not
   allowed to run; false: nothing shows such a stretch. */
bool budget_find(const struct machine *machine, uint32_t track, nsec_t t,
                 struct budget_stretch *ret);
