/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of run queues and of the tasks in them, shared by queue_tracker.c, which knows the
 * tasks of each queue, and limit_tracker.c, which judges whether a limit holds a task back.
 */
#pragma once

#include "tracker.h"

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
	uint32_t limit;  /* index in limits.timer of the limit that held it back last; 0: no limit
	                    has */
	uint8_t sign;    /* enum throttle_sign of the stack with which it was queued */
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
