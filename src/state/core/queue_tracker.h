/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run queues, see queue_tracker.c; and CPUs that were not recorded, whose queues nobody sees. */
#pragma once

#include "base/assume.h"
#include "state/limits/limits.h"
#include "tracker.h"

/*
 * CPUs that were not recorded: tracing_cpumask leaves them out, or only one file of per_cpu/ was
 * read. Nothing shows when a task runs there, and when it sleeps; but events of other CPUs show
 * that it was there:
 *
 *	A   RUN | WAIT  | UNKNOWN               | RUNNABLE  | RUN    CPU 0
 *	                 ^ woken onto CPU 1      ^ woken again, onto CPU 0: it had slept again
 *
 * A runnable task cannot be woken, so the second wake-up proves that A has run. If no second one
 * comes, a long stay in the queue of such a CPU is no better known: a CPU that is recorded would
 * have begun to run the task, with an event.
 *
 * A CPU counts as not recorded as long as it has no event. One that idled since the trace began has
 * none, either: it is named only if a task was there, and no event comes until the trace ends.
 */

/* So long a CPU may take to wake up; a shorter stay in its queue proves nothing. */
#define UNSEEN_MIN 1000000u

static inline bool cpu_is_unseen(const struct machine *machine, int64_t number)
{
	return number >= 0 && number < CPUS_MAX && !machine->cpu[number];
}

/* Whether the task, runnable until t, may have run meanwhile, as it stood in the queue of a CPU
   that is not recorded. */
static inline bool task_is_unseen(const struct machine *machine, const struct task_state *task,
                                  nsec_t t)
{
	ASSUME(task->kind == SEGMENT_RUNNABLE);
	return cpu_is_unseen(machine, task->cpu) && t >= task->since + UNSEEN_MIN &&
	       (task->is_queued || machine->found.has_migrate); /* else it may be elsewhere */
}

/*
 * The CPU of that number has no event, and the task was there since its present span began: what it
 * did in that span is not known.
 */
void task_lose_sight(struct machine *machine, uint32_t track, uint32_t number);
/* The slow path of unseen_note_wake(). */
void unseen_lose_woken(struct machine *machine, uint32_t track, int64_t number);
/* A wake-up of the task names the CPU on which it was last: loses sight of the task if it must have
   run there unseen. */
static inline void unseen_note_wake(struct machine *machine, uint32_t track, int64_t number)
{
	uint16_t cpu = machine->task[track].cpu;

	if (cpu_is_unseen(machine, cpu) || (number != cpu && cpu_is_unseen(machine, number)))
		unseen_lose_woken(machine, track, number);
}
/* The trace ends: adds to the health the CPUs on which tasks were, and that have no event. */
void unseen_cpus_close(struct machine *machine);

static inline void queue_unlink(struct machine *machine, struct task_state *task)
{
	struct cpu_queue *queue = cpu_queue(machine, machine->cpu[task->queue_cpu]);

	ASSUME(task->is_listed && queue->count > 0);
	queue->count--;
	task->is_listed = false;
}

/* The slow paths of queue_put(), queue_take(), queue_drop() and queue_end_idle(). */
void queue_note_limits(struct machine *machine, uint32_t track);
void queue_resolve(struct machine *machine, uint32_t track, nsec_t t);
void queue_leave(struct machine *machine, uint32_t track);
void queue_stop_idle(struct machine *machine, struct cpu *cpu, nsec_t t);
/* The slow path of queue_is_refuted(), for a task that may stand in a queue. */
bool queue_has_idled(const struct machine *machine, uint32_t track);
/* Whether the CPU idles, or has idled, while the task stood in its queue: then the task cannot have
   been able to run. */
static inline bool queue_is_refuted(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];

	return (task->is_listed || task->has & TRACKER_BIT(QUEUE)) &&
	       queue_has_idled(machine, track);
}

/* The task leaves the run queue at t. Records what held it back, if anything did. */
static inline void queue_take(struct machine *machine, uint32_t track, nsec_t t)
{
	struct task_state *task = &machine->task[track];
	bool is_listed = task->is_listed;

	ASSUME(task->kind == SEGMENT_RUNNABLE);
	/* common case: it soon got a CPU that was not idle */
	if (is_listed && !(task->has & (TRACKER_BIT(QUEUE) | TRACKER_BIT(BUDGET))) &&
	    t < task->queued_at + QUEUE_STAY_MIN &&
	    !cpu_queue(machine, machine->cpu[task->queue_cpu])->is_idle)
		queue_unlink(machine, task);
	else if (!is_listed && task_is_unseen(machine, task, t))
		task_lose_sight(machine, track, task->cpu);
	else if (is_listed || task->has & (TRACKER_BIT(QUEUE) | TRACKER_BIT(BUDGET)))
		queue_resolve(machine, track, t);
}

/* The task leaves the run queue; what was seen while it stood there proves nothing about it. */
static inline void queue_drop(struct machine *machine, uint32_t track)
{
	if (machine->task[track].is_listed || machine->task[track].has & TRACKER_BIT(QUEUE))
		queue_leave(machine, track);
}

/* The task stands in that CPU's run queue from now on, and in no other. Inline: for each switch. */
static inline void queue_put(struct machine *machine, uint32_t track, uint32_t number)
{
	struct task_state *task = &machine->task[track];
	struct cpu *cpu = number < machine->cpu_count ? machine->cpu[number] : NULL;

	queue_drop(machine, track);
	ASSUME(!task->is_listed);
	if (!cpu) /* nothing was recorded there, so far: see cpu_is_unseen() */
		return;
	cpu_queue(machine, cpu)->count++;
	task->is_listed = true;
	task->queue_cpu = (uint16_t)number;
	task->queued_at = machine->now;
	if (machine->found.has_quota || task->has & TRACKER_BIT(QUEUE))
		queue_note_limits(machine, track);
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
