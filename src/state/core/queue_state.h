/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of run queues and of the tasks in them, shared by queue_tracker.c, which knows the
 * tasks of each queue, limit_tracker.c, which judges whether a limit holds a task back, and
 * limit_past.c.
 */
#pragma once

#include "tracker.h"

/* No limit is guessed from a shorter stay: any task may stand in a queue that long. */
#define QUEUE_STAY_MIN 10000000u

/* If long stays in the queue end with this many periods in a row, that is no coincidence. */
#define REGULAR_MIN 4u
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

/* A stay in a run queue that a limit may have caused. */
struct past_stay {
	nsec_t begin, end; /* until the period ended */
	uint64_t timer;    /* of the limit */
	uint32_t function; /* of the timer, id in names */
	uint64_t number;   /* see sink_queue_may_correct() */
	uint32_t cpu;
};

#define PAST_STAYS 8

/* State of a task that was able to run while its CPU idled, or that a limit may have held back. */
struct held_back {
	bool is_so;      /* the task is held back in its present span */
	/* its CPU idled already when it was queued: the CPU may only be slow to wake up */
	bool is_queued_while_idle;
	nsec_t since;    /* since when it is not able to run, if a limit holds it back */
	nsec_t idle;     /* when its CPU was first seen idle */
	uint32_t limit;  /* index in limits.limit of the limit that held it back last; 0: no limit
	                    has */
	nsec_t used;     /* time used of the limit in its period, when the task was queued */
	nsec_t quota_used; /* time used of the limit that the recorder noted, when the task was
	                      queued */
	uint8_t sign;    /* enum throttle_sign of the stack with which it was queued */
	double odds;     /* odds, to 1, that a limit causes its preemptions; 0: as initially */
	nsec_t until_end; /* time to the end of the period from the last preemption that raised
	                     the odds */
	/*
	 * regular_timer: the timer of the only limit in use, if the task stood in the queue at the
	 * ends of its last periods for far longer than at any other time; regular_count: at the
	 * ends of how many periods; regular_end: when the last of them ended; regular_else: the
	 * longest other stay since
	 */
	uint64_t regular_timer;
	uint32_t regular_count;
	nsec_t regular_end, regular_else;
	/* its last stays of the shape that a limit gives them: a ring */
	struct past_stay past[PAST_STAYS];
	uint64_t past_count;
};

static inline struct cpu_queue *cpu_queue(const struct machine *machine, const struct cpu *cpu)
{
	return tracker_cpu(machine, cpu, TRACKER_QUEUE);
}

/* The task's state; NULL: the task was never held back, as far as known. */
static inline struct held_back *task_held_back(const struct machine *machine, uint32_t track)
{
	return tracker_task(machine, TRACKER_QUEUE, track);
}
