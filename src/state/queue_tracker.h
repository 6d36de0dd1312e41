/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run queues; see queue_tracker.c. */
#pragma once

#include "tracker.h"

/* Of a CPU. */
struct cpu_queue {
	uint32_t first; /* line put there last; LINE_NONE: none is known of */
	/* its last stretch of idleness; NSEC_NEVER: none was seen, it is not over */
	nsec_t idle_begin, idle_end;
};

/* Of a task that was able to run while its CPU idled, or that a limit may have held back. */
struct held_back {
	bool is_so;      /* in its present span */
	/* its CPU idled before already: it may only be slow to wake up */
	bool is_queued_while_idle;
	nsec_t since;    /* not able to run since then, if a limit holds it back */
	nsec_t idle;     /* when its CPU is seen to idle first */
	uint32_t limit;  /* that held it back last, of limits.limit; 0: none did */
	nsec_t used;     /* of the limit's time in its period, when the task was queued */
	/* the only limit in use, in whose last periods it stood in the queue when they ended, for
	   far longer than at any other time: how many, when the last ended, how long else */
	uint64_t regular_timer;
	uint32_t regular_count;
	nsec_t regular_end, regular_else;
};

static inline struct cpu_queue *cpu_queue(const struct machine *machine, const struct cpu *cpu)
{
	return tracker_cpu(machine, cpu, TRACKER_QUEUE);
}

/* NULL: it never was, as far as known. */
static inline struct held_back *task_held_back(const struct machine *machine, uint32_t line)
{
	return tracker_task(machine, TRACKER_QUEUE, line);
}

/* The task stands in that CPU's run queue since now, and in no other. */
void queue_put(struct machine *machine, uint32_t line, uint32_t cpu);
/* What queue_take(), queue_drop() and queue_end_idle() call once there is something to do. */
void queue_resolve(struct machine *machine, uint32_t line, nsec_t t);
void queue_leave(struct machine *machine, uint32_t line);
void queue_stop_idle(struct machine *machine, struct cpu *cpu, nsec_t t);
/* Whether its CPU idles, or has, while it stood there: it cannot have been able to run. */
bool queue_is_refuted(const struct machine *machine, uint32_t line);

/* It leaves the run queue at t: what its being held back means is told, if it was. */
static inline void queue_take(struct machine *machine, uint32_t line, nsec_t t)
{
	if (machine->task[line].is_listed || machine->task[line].has & TRACKER_BIT(QUEUE))
		queue_resolve(machine, line, t);
}

/* It leaves the run queue, and what was seen there says nothing of it. */
static inline void queue_drop(struct machine *machine, uint32_t line)
{
	if (machine->task[line].is_listed || machine->task[line].has & TRACKER_BIT(QUEUE))
		queue_leave(machine, line);
}

static inline bool cpu_is_idle(const struct machine *machine, const struct cpu *cpu)
{
	const struct cpu_queue *queue = cpu_queue(machine, cpu);

	return queue->idle_begin != NSEC_NEVER && queue->idle_end == NSEC_NEVER;
}

/* The CPU begins to idle now. */
static inline void queue_begin_idle(struct machine *machine, struct cpu *cpu)
{
	struct cpu_queue *queue = cpu_queue(machine, cpu);

	queue->idle_begin = machine->now;
	queue->idle_end = NSEC_NEVER;
}

/* It ended to idle at t. */
static inline void queue_end_idle(struct machine *machine, struct cpu *cpu, nsec_t t)
{
	if (cpu_is_idle(machine, cpu))
		queue_stop_idle(machine, cpu, t);
}
