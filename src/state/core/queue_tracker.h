/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run queues; see queue_tracker.c. */
#pragma once

#include "tracker.h"

/* The run queue of one CPU. */
struct cpu_queue {
	uint32_t count; /* number of tasks in it */
	bool is_idle;
	/* tasks that stood in it when the CPU began to idle, or came since, are under a limit */
	bool is_suspect;
	/* its last idle interval; NSEC_NEVER: none was seen, it is not over */
	nsec_t idle_begin, idle_end;
};

/* A stay in a run queue that a limit may have caused. */
struct past_stay {
	nsec_t begin, end; /* until the period ended */
	uint64_t timer;    /* of the limit */
	uint32_t function; /* of the timer, id in names */
	uint64_t number;   /* see told_later_may_correct() */
	uint32_t cpu;
};

#define PAST_STAYS 8

/* State of a task that was able to run while its CPU idled, or that a limit may have held back. */
struct held_back {
	bool is_so;      /* it is held back in its present span */
	/* its CPU idled already when it was queued: the CPU may only be slow to wake up */
	bool is_queued_while_idle;
	nsec_t since;    /* since when it is not able to run, if a limit holds it back */
	nsec_t idle;     /* when its CPU was first seen idle */
	uint32_t limit;  /* index in limits.limit of the one that held it back last; 0: none did */
	nsec_t used;     /* time used of the limit in its period, when the task was queued */
	nsec_t quota_used; /* the same for the limit that the recorder noted */
	uint8_t sign;    /* enum throttle_sign of the stack with which it was queued */
	double odds;     /* odds, to 1, that a limit causes its preemptions; 0: as initially */
	nsec_t until_end; /* time to the end of the period from the last preemption that raised
	                     the odds */
	/* the only limit in use, if the task stood in the queue at the ends of its last periods for
	   far longer than at any other time: how many periods, when the last ended, the longest
	   other stay */
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

/* NULL: the task was never held back, as far as known. */
static inline struct held_back *task_held_back(const struct machine *machine, uint32_t line)
{
	return tracker_task(machine, TRACKER_QUEUE, line);
}

static inline void queue_unlink(struct machine *machine, struct task_state *task)
{
	cpu_queue(machine, machine->cpu[task->queue_cpu])->count--;
	task->is_listed = false;
}

/* The slow paths of queue_put(), queue_take(), queue_drop() and queue_end_idle(). */
void queue_note_limits(struct machine *machine, uint32_t line);
void queue_resolve(struct machine *machine, uint32_t line, nsec_t t);
void queue_leave(struct machine *machine, uint32_t line);
void queue_stop_idle(struct machine *machine, struct cpu *cpu, nsec_t t);
/* The slow path of queue_is_refuted(), for a task that may stand in a queue. */
bool queue_has_idled(const struct machine *machine, uint32_t line);
/* Whether its CPU idles, or has idled, while it stood there: it cannot have been able to run. */
static inline bool queue_is_refuted(const struct machine *machine, uint32_t line)
{
	const struct task_state *task = &machine->task[line];

	return (task->is_listed || task->has & TRACKER_BIT(QUEUE)) &&
	       queue_has_idled(machine, line);
}

/* Any task may stand in a queue for less: no limit is guessed from it. */
#define QUEUE_STAY_MIN 10000000u

/* The task leaves the run queue at t. If it was held back, what that means is recorded. */
static inline void queue_take(struct machine *machine, uint32_t line, nsec_t t)
{
	struct task_state *task = &machine->task[line];
	bool is_listed = task->is_listed;

	/* common case: it soon got a CPU that was not idle */
	if (is_listed && !(task->has & (TRACKER_BIT(QUEUE) | TRACKER_BIT(BUDGET))) &&
	    t < task->queued_at + QUEUE_STAY_MIN &&
	    !cpu_queue(machine, machine->cpu[task->queue_cpu])->is_idle)
		queue_unlink(machine, task);
	else if (is_listed || task->has & (TRACKER_BIT(QUEUE) | TRACKER_BIT(BUDGET)))
		queue_resolve(machine, line, t);
}

/* The task leaves the run queue, and what was seen there says nothing about it. */
static inline void queue_drop(struct machine *machine, uint32_t line)
{
	if (machine->task[line].is_listed || machine->task[line].has & TRACKER_BIT(QUEUE))
		queue_leave(machine, line);
}

/* The task stands in that CPU's run queue from now on, and in no other. Inline: for each switch. */
static inline void queue_put(struct machine *machine, uint32_t line, uint32_t number)
{
	struct task_state *task = &machine->task[line];
	struct cpu *cpu = number < machine->cpu_count ? machine->cpu[number] : NULL;

	queue_drop(machine, line);
	if (!cpu) /* nothing was recorded there, so far: whether it idles is not known */
		return;
	cpu_queue(machine, cpu)->count++;
	task->is_listed = true;
	task->queue_cpu = (uint16_t)number;
	task->queued_at = machine->now;
	if (machine->has_quota || task->has & TRACKER_BIT(QUEUE))
		queue_note_limits(machine, line);
}

/* The CPU begins to idle now. */
static inline void queue_begin_idle(struct machine *machine, struct cpu *cpu)
{
	struct cpu_queue *queue = cpu_queue(machine, cpu);

	queue->idle_begin = machine->now;
	queue->idle_end = NSEC_NEVER;
	queue->is_idle = true;
	queue->is_suspect = queue->count > 0;
}

/* The CPU stopped idling at t. */
static inline void queue_end_idle(struct machine *machine, struct cpu *cpu, nsec_t t)
{
	if (cpu_queue(machine, cpu)->is_idle)
		queue_stop_idle(machine, cpu, t);
}
