/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run queues; see queue_tracker.c. */
#pragma once

#include "queue_state.h"
#include "unseen_cpu.h"

static inline void queue_unlink(struct machine *machine, struct task_state *task)
{
	cpu_queue(machine, machine->cpu[task->queue_cpu])->count--;
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
	if (!cpu) /* nothing was recorded there, so far: see unseen_cpu.h */
		return;
	cpu_queue(machine, cpu)->count++;
	task->is_listed = true;
	task->queue_cpu = (uint16_t)number;
	task->queued_at = machine->now;
	if (machine->has_quota || task->has & TRACKER_BIT(QUEUE))
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
