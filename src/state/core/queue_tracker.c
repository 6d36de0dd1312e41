/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run queues: which tasks are able to run on which CPU, and what it means if that CPU goes idle
 * nevertheless. A scheduler that has a task to run runs it; so either
 *
 *	a limit on CPU time is used up (cgroup's cpu.max, real-time throttling, a deadline task's
 *	budget): the task stays in its queue, or beside it, until a timer of the limit expires,
 *	and is run then;
 *	or the task was not there: it had been migrated, or had gone to sleep, unseen. Then nothing
 *	is known of it from when its CPU went idle until it is seen again.
 *
 *	A   RUN |R                         RUN     CPU 0
 *	idle    |--------------------------|       A is queued here, and it idles: held back
 *	timer                            ^ expires, and CPU 0 stops idling: the limit held it back
 *
 * The idle CPU proves that a task was held back; the timer only shows by what. So a timer of
 * another group, which expires by chance, does not make a task of a busy CPU a throttled one. Once
 * a limit is proved for a task, it is considered first.
 *
 * If the CPU is busy all the time, limit_tracker.c may know of a limit nevertheless. A CPU that
 * idled before the task was queued there proves nothing: it may be slow to wake up.
 */
#include "queue_tracker.h"

#include "base/assume.h"
#include "base/xalloc.h"
#include "state/limits/limits.h"

#define WORD_BITS 64u

void task_lose_sight(struct machine *machine, uint32_t track, uint32_t number)
{
	struct task_state *task = &machine->task[track];

	ASSUME(cpu_is_unseen(machine, number) && task->kind != SEGMENT_DEAD);
	if (!machine->unseen_cpus)
		machine->unseen_cpus = xcalloc(CPUS_MAX / WORD_BITS, sizeof(uint64_t));
	machine->unseen_cpus[number / WORD_BITS] |= UINT64_C(1) << number % WORD_BITS;
	tracker_drop_task(machine, TRACKER_PLACE, track);
	task->kind = SEGMENT_UNKNOWN;
	task->detail = 0;
	task->is_tentative = false;
}

void unseen_lose_woken(struct machine *machine, uint32_t track, int64_t number)
{
	const struct task_state *task = &machine->task[track];
	bool is_runnable = task->kind == SEGMENT_RUNNABLE;
	/* it was seen to leave another CPU */
	bool has_left = (task->kind == SEGMENT_WAIT || task->kind == SEGMENT_STOPPED) &&
	                task->since > machine->begin;

	ASSUME(cpu_is_unseen(machine, task->cpu) || cpu_is_unseen(machine, number));
	if (is_runnable && cpu_is_unseen(machine, task->cpu))
		task_lose_sight(machine, track, task->cpu);
	else if ((is_runnable || has_left) && cpu_is_unseen(machine, number) &&
	         number != task->cpu)
		task_lose_sight(machine, track, (uint32_t)number);
}

void unseen_cpus_close(struct machine *machine)
{
	const struct source *source = machine->setup.source;
	uint32_t others = source->is_of_one_cpu ? source->cpu_count : 0;

	ASSUME(machine->has_ended);
	for (uint32_t number = 0; number < (machine->unseen_cpus ? CPUS_MAX : others); number++)
		if (!machine->cpu[number] &&
		    (number < others ||
		     machine->unseen_cpus[number / WORD_BITS] >> number % WORD_BITS & 1))
			health_unrecorded_add(machine->health, number);
}

/* A shorter idle time proves nothing: clocks of two CPUs may differ by that. */
#define IDLE_MIN 1000000u

/* The run queue in which the task stands, or last stood. */
static struct cpu_queue *task_queue(const struct machine *machine, const struct task_state *task)
{
	ASSUME(task->queue_cpu < machine->cpu_count && machine->cpu[task->queue_cpu]);
	return cpu_queue(machine, machine->cpu[task->queue_cpu]);
}

void queue_note_limits(struct machine *machine, uint32_t track)
{
	struct held_back *held = machine->found.has_quota && quota_is_of(machine, track)
	                                 ? tracker_keep_task(machine, TRACKER_QUEUE, track)
	                                 : task_held_back(machine, track);

	ASSUME(machine->task[track].is_listed);
	if (!held)
		return;
	held->sign = THROTTLE_UNKNOWN;
	task_queue(machine, &machine->task[track])->is_suspect |= held->limit != 0;
}

void queue_leave(struct machine *machine, uint32_t track)
{
	struct task_state *task = &machine->task[track];
	struct held_back *held = task_held_back(machine, track);

	ASSUME(!task->is_listed || task->queued_at <= machine->now);
	if (task->is_listed)
		queue_unlink(machine, task);
	if (held)
		held->is_so = false;
}

/* Whether the CPU went idle after the task had been queued there. */
static bool task_saw_idle(const struct task_state *task, const struct cpu_queue *queue)
{
	/* a switched-out task is queued just before its CPU begins to idle, at the same time */
	bool was_queued_by_switch = runnable_by_switch(task->detail);

	ASSUME(queue->idle_begin == NSEC_NEVER || queue->idle_begin <= queue->idle_end);
	return queue->idle_begin != NSEC_NEVER &&
	       (queue->idle_begin > task->queued_at ||
	        (queue->idle_begin == task->queued_at && was_queued_by_switch));
}

/* The CPU idled while the task stood in its queue. The task leaves the queue, so this is found
   once. */
static void queue_hold_back(struct machine *machine, uint32_t track)
{
	struct task_state *task = &machine->task[track];
	const struct cpu_queue *queue = task_queue(machine, task);
	bool saw_idle = task_saw_idle(task, queue);
	struct held_back *held;

	ASSUME(task->is_listed && task->kind == SEGMENT_RUNNABLE);
	queue_unlink(machine, task);
	held = tracker_keep_task(machine, TRACKER_QUEUE, track);
	held->is_so = true;
	held->is_queued_while_idle = !saw_idle;
	held->idle = saw_idle ? queue->idle_begin : task->queued_at;
	/* what is left of a limit there is used up only by running */
	held->since = nsec_max(task->queued_at,
	                       limits_off(machine, machine->cpu[task->queue_cpu], held->limit));
}

/* Goes through all tasks, which is rare: a task that can run keeps a CPU from idling. Begins with
   the latest, since in a long trace most others are dead, and ends when the queue is complete. */
static void queue_find_held_back(struct machine *machine, const struct cpu *cpu)
{
	const struct cpu_queue *queue = cpu_queue(machine, cpu);
	uint32_t left = queue->count;

	ASSUME(!queue->is_idle && left > 0);
	for (uint32_t track = machine->track_end; left && track-- > 0;) {
		const struct task_state *task = &machine->task[track];
		const struct held_back *held;

		if (!task->is_listed || task->queue_cpu != cpu->number)
			continue;
		left--;
		held = task_held_back(machine, track);
		if (task_saw_idle(task, queue) ||
		    (held && held->limit && task->queued_at + IDLE_MIN <= queue->idle_end))
			queue_hold_back(machine, track);
	}
	ASSUME(left == 0);
}

void queue_stop_idle(struct machine *machine, struct cpu *cpu, nsec_t t)
{
	struct cpu_queue *queue = cpu_queue(machine, cpu);

	ASSUME(queue->is_idle && queue->idle_begin != NSEC_NEVER);
	queue->is_idle = false;
	queue->idle_end = nsec_max(t, queue->idle_begin);
	if (queue->is_suspect && queue->count && queue->idle_end - queue->idle_begin >= IDLE_MIN)
		queue_find_held_back(machine, cpu);
}

/* Whether the task's CPU idles by t for long enough although the task is in its queue. */
static bool task_sees_idle(const struct machine *machine, const struct task_state *task, nsec_t t)
{
	const struct cpu_queue *queue = task_queue(machine, task);

	ASSUME(task->is_listed);
	return queue->is_idle && task_saw_idle(task, queue) &&
	       t >= queue->idle_begin + IDLE_MIN;
}

bool queue_has_idled(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];
	const struct held_back *held = task_held_back(machine, track);

	if (held && held->limit)
		return false;
	if (held && held->is_so)
		return machine->found.has_migrate;
	return task->is_listed && machine->found.has_migrate &&
	       task_sees_idle(machine, task, machine->now);
}

static void task_mark_throttled(struct machine *machine, uint32_t track, nsec_t since, nsec_t until,
                                const struct cause_note *cause)
{
	struct task_state *task = &machine->task[track];

	ASSUME(task->kind == SEGMENT_RUNNABLE && cause->kind == CAUSE_THROTTLED);
	ASSUME(since <= until);
	task_cut(machine, track, nsec_max(since, task->since), SEGMENT_RUNNABLE, NULL);
	task_cut(machine, track, until, SEGMENT_RUNNABLE, cause);
	task->detail = RUNNABLE_UNTHROTTLED;
}

/* The task's CPU idled: whatever the task did meanwhile, it was not able to run there. */
static void task_mark_unknown(struct machine *machine, uint32_t track)
{
	struct task_state *task = &machine->task[track];
	const struct held_back *held = task_held_back(machine, track);

	ASSUME(task->kind == SEGMENT_RUNNABLE && !task->is_listed);
	if (held->is_queued_while_idle || !machine->found.has_migrate)
		return;
	task_cut(machine, track, nsec_max(held->idle, task->since), SEGMENT_RUNNABLE, NULL);
	task->kind = SEGMENT_UNKNOWN;
	task->detail = 0;
	machine->health->idle_with_runnable++;
}

static void queue_resolve_held_back(struct machine *machine, uint32_t track, nsec_t t)
{
	static const enum confidence confidences[] = {
		[FIT_LATER] = CONFIDENCE_LOW,
		[FIT_IDLE] = CONFIDENCE_MEDIUM,
		[FIT_KNOWN_LATER] = CONFIDENCE_MEDIUM,
		[FIT_KNOWN_IDLE] = CONFIDENCE_HIGH,
	};
	const struct task_state *task = &machine->task[track];
	struct held_back *held = task_held_back(machine, track);
	const struct expiry *expiry = NULL;
	enum fit fit = limits_find(machine, track, t, &expiry);
	struct cause_note cause;

	ASSUME((fit == FIT_NOT) == (expiry == NULL));
	ASSUME(!task->is_listed && held->idle <= t);
	/* where events were lost it may have been migrated, or have run */
	if (task->queued_at < machine->gap_end || (fit == FIT_NOT && !held->limit)) {
		task_mark_unknown(machine, track);
		return;
	}
	throttled_init(&cause, track_cpu_limit(machine, track), expiry ? expiry->function : 0,
	               CONFIDENCE_LOW);
	if (expiry) {
		cause.confidence = (uint8_t)confidences[fit];
		/* the CPU idled up to this very task: nothing else was released, or woken */
		if (fit == FIT_IDLE && t == task_queue(machine, task)->idle_end)
			cause.confidence = CONFIDENCE_HIGH;
		if (held->sign != THROTTLE_UNKNOWN)
			cause.confidence = CONFIDENCE_HIGH;
	}
	if (expiry && fit != FIT_LATER)
		limits_prove(machine, track, expiry->timer);
	if (expiry)
		quota_note_held(machine, expiry->timer, task->queue_cpu, held->since, expiry->time);
	task_mark_throttled(machine, track, held->since, expiry ? expiry->time : t, &cause);
}

/* A limit may have held the task back although its CPU was busy until t. */
static void queue_resolve_busy(struct machine *machine, uint32_t track, nsec_t t)
{
	const struct task_state *task = &machine->task[track];
	struct limit_stretch stretch;

	ASSUME(!task->is_listed && task->kind == SEGMENT_RUNNABLE);
	if (t <= task->queued_at || task->queued_at < machine->gap_end ||
	    !limits_find_busy(machine, track, t, &stretch))
		return;
	quota_note_held(machine, stretch.timer, task->queue_cpu, stretch.begin, stretch.end);
	task_mark_throttled(machine, track, stretch.begin, stretch.end, &stretch.cause);
}

/* Applies a limit that is known for certain, whether or not the CPU idles. What idling proves is
   then of no interest. */
static bool queue_apply_budget(struct machine *machine, uint32_t track, nsec_t t)
{
	struct task_state *task = &machine->task[track];
	struct limit_stretch stretch;

	if (task->queued_at < machine->gap_end || !budget_find(machine, track, t, &stretch))
		return false;
	queue_leave(machine, track);
	task_mark_throttled(machine, track, stretch.begin, stretch.end, &stretch.cause);
	return true;
}

void queue_resolve(struct machine *machine, uint32_t track, nsec_t t)
{
	struct task_state *task = &machine->task[track];
	struct held_back *held;

	ASSUME(task->kind == SEGMENT_RUNNABLE && task->queued_at <= machine->now);
	if (queue_apply_budget(machine, track, t))
		return;
	if (task->is_listed) {
		if (task_sees_idle(machine, task, t))
			queue_hold_back(machine, track);
		else
			queue_unlink(machine, task);
		held = task_held_back(machine, track);
		if (held && !held->is_so)
			queue_resolve_busy(machine, track, t);
	}
	held = task_held_back(machine, track);
	if (!held || !held->is_so)
		return;
	held->is_so = false;
	queue_resolve_held_back(machine, track, t);
}

static void queue_reset_cpu(struct machine *machine, struct cpu *cpu)
{
	cpu_queue(machine, cpu)->idle_begin = NSEC_NEVER;
}

/* Idleness may have ended. Queues stay: tasks that should not be in them are found as usual. */
static void queues_forget(struct machine *machine)
{
	MACHINE_CPU_EACH(machine, cpu) {
		cpu_queue(machine, cpu)->idle_begin = NSEC_NEVER;
		cpu_queue(machine, cpu)->is_idle = false;
	}
}

const struct tracker queue_tracker = {
	.task_bytes = sizeof(struct held_back),
	.cpu_bytes = sizeof(struct cpu_queue),
	.reset_cpu = queue_reset_cpu,
	.forget = queues_forget,
};
