/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on CPU time and the timers that release the tasks under them, and the state of run queues
 * and of the tasks in them. queue_tracker.c knows the tasks of each queue, and asks whether a limit
 * holds a task back: limit_tracker.c, of any limit; quota_tracker.c, of those that the recorder
 * noted; budget_tracker.c, of deadline and real-time tasks.
 */
#pragma once

#include "base/assume.h"
#include "state/core/tracker.h"

/* A task may stand in a queue for less without a limit: what held it back is not looked for. */
#define QUEUE_STAY_MIN 10000000u

/* Two timers of one limit lie in one struct (cfs_bandwidth: period and slack). */
#define LIMIT_BYTES 256u

static inline bool timer_is_of(uint64_t timer, uint64_t other)
{
	return (timer > other ? timer - other : other - timer) < LIMIT_BYTES;
}

/* The limit that tasks of its class may be under. */
static inline enum cpu_limit track_cpu_limit(const struct machine *machine, uint32_t index)
{
	const struct track *track = &machine->timeline->track[index];

	if (track->priority == PRIORITY_DEADLINE)
		return CPU_LIMIT_DEADLINE;
	return track->priority >= 0 && track->priority < PRIORITY_FAIR_MIN ? CPU_LIMIT_REAL_TIME
	                                                                   : CPU_LIMIT_GROUP;
}

/* The part of a stay in a run queue in which a limit held the task back. */
struct limit_stretch {
	nsec_t begin, end;
	uint64_t timer; /* of a group's limit */
	struct cause_note cause;
};

/* `name`: of the function of the limit's timer, an id in names. */
static inline void throttled_init(struct cause_note *cause, enum cpu_limit limit, uint32_t name,
                                  enum confidence confidence)
{
	ASSUME(confidence <= CONFIDENCE_HIGH);
	cause_note_init(cause, CAUSE_THROTTLED, confidence);
	cause->as.throttled.limit = (uint8_t)limit;
	cause->name = name;
}

/* The run queue of one CPU. */
struct cpu_queue {
	uint32_t count; /* number of tasks in it */
	bool is_idle;
	/* tasks stood in it when the CPU began to idle, or a task under a known limit came since */
	bool is_suspect;
	/* its last idle interval; idle_begin NSEC_NEVER: none was seen; idle_end NSEC_NEVER: it has
	   not ended */
	nsec_t idle_begin, idle_end;
};

/* State of a task that was able to run while its CPU idled, or that a limit may have held back. */
struct held_back {
	bool is_so;      /* the task is held back in its present span */
	/* its CPU idled already when it was queued: the CPU may only be slow to wake up */
	bool is_queued_while_idle;
	nsec_t since;    /* since when it is not able to run, if a limit holds it back */
	nsec_t idle;     /* when its CPU was first seen idle */
	uint64_t limit;  /* timer of the limit that held it back last; 0: no limit has */
	uint8_t sign;    /* enum throttle_sign of the stack with which it was queued */
};

CPU_DATA(cpu_queue, struct cpu_queue, QUEUE)

/* The task's state; NULL: the task was never held back, as far as known. */
TASK_DATA(task_held_back, struct held_back, QUEUE)

/* limit_tracker.c */

/* A timer of a limit expired: it releases the tasks that the limit holds back. */
struct expiry {
	nsec_t time;
	uint64_t timer;
	uint32_t function; /* id in names */
	enum cpu_limit of;
};

/* How well an expiry fits: the higher, the better. */
enum fit {
	FIT_NOT,
	FIT_LATER,       /* the task's CPU was busy then, and has not idled since */
	FIT_IDLE,        /* the task's CPU stopped idling then */
	FIT_KNOWN_LATER, /* as FIT_LATER, and the task is known to be under this limit */
	FIT_KNOWN_IDLE,
};

/* What the stack shows of a task that leaves its CPU although it could go on. */
enum throttle_sign {
	THROTTLE_UNKNOWN,
	THROTTLE_LIKELY, /* it left the CPU in task work, which may be a limit's */
	THROTTLE_SURE,   /* it left the CPU in the task work of a limit */
};

/* A timer with that function expires. */
void limits_note_expiry(struct machine *machine, uint32_t function, uint64_t timer);
/* The slow path of limits_note_off(), where a limit may be known. */
void limits_note_ran(struct machine *machine, struct cpu *cpu, uint32_t track);
/* The task is about to leave its CPU: its run counts as used time of its limit. Inline: for most
   tasks no limit is known. */
static inline void limits_note_off(struct machine *machine, struct cpu *cpu, uint32_t track)
{
	if (machine->found.has_quota || machine->task[track].has & TRACKER_BIT(QUEUE))
		limits_note_ran(machine, cpu, track);
}
/* When a task under the limit with that timer last left the CPU; 0: none has, or a task under
   another limit has left the CPU since. */
nsec_t limits_off(const struct machine *machine, const struct cpu *cpu, uint64_t limit);
/* A limit with that timer was proved for the task. */
void limits_prove(struct machine *machine, uint32_t track, uint64_t timer);
/* Finds the expiry, up to t, that fits best as the one that released the task, whose CPU has idled
   (struct held_back). Returns how well it fits. */
enum fit limits_find(const struct machine *machine, uint32_t track, nsec_t t,
                     const struct expiry **ret);
/* The last expiry by t of a limit of that class; NULL: none is known. */
const struct expiry *limits_find_last(const struct machine *machine, enum cpu_limit of, nsec_t t);
/* The stack with which the task was queued shows `sign`. */
void limits_note_sign(struct machine *machine, uint32_t track, enum throttle_sign sign);
/* The task's CPU was busy from when the task was queued until t. Finds the part of that time in
   which a limit held the task back nevertheless; false: it cannot be decided. */
bool limits_find_busy(struct machine *machine, uint32_t track, nsec_t t,
                      struct limit_stretch *ret);

/* budget_tracker.c: CPU time that deadline and real-time tasks may have. */

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

CPU_DATA(cpu_budget, struct cpu_budget, BUDGET)

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
                 struct limit_stretch *ret);

/* quota_tracker.c: limits on CPU time that the recorder noted. */

/* That timer ends a period of limits. before: the timer's previous expiry, 0: not seen. */
void quota_note_period(struct machine *machine, uint64_t timer, nsec_t before);
/* The limit with that timer was proved for the task. */
void quota_note_timer(struct machine *machine, uint32_t track, uint64_t timer);
/* The task is about to leave its CPU. */
void quota_note_off(struct machine *machine, const struct cpu *cpu, uint32_t track);
/* Whether a limit was noted that has held a task back, and that this task may be under. */
bool quota_is_of(struct machine *machine, uint32_t track);
/* The task's stay in a run queue ends at t: finds the part of it in which a noted limit was used up
   on its CPU: `begin`, `end` and `timer`. false: none was. */
bool quota_find(struct machine *machine, uint32_t track, nsec_t t,
                struct limit_stretch *ret);
/* That limit's timer is reported to have released a task that it held back on that CPU. */
void quota_note_held(struct machine *machine, uint64_t timer, uint32_t cpu, nsec_t begin,
                     nsec_t end);
