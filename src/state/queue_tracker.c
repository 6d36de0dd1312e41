/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run queues: which tasks are able to run on which CPU, and what it means if that CPU goes idle
 * though they are. A scheduler that has something to run runs it; so either
 *
 *	a limit on CPU time is used up (cgroup's cpu.max, real-time throttling, a deadline task's
 *	budget): the task stays in its queue, or beside it, until a timer of the limit expires,
 *	and is run then;
 *	or the task was not there: it had been moved, or had gone to sleep, unseen. Then nothing
 *	is known of it from when its CPU went idle until it is seen again.
 *
 *	A   RUN |R                         RUN     CPU 0
 *	idle    |--------------------------|       A is queued here, and it idles: held back
 *	timer                            ^ expires, and CPU 0 stops idling: the limit held it back
 *
 * The idle CPU is the proof that a task was held back, the timer only tells by what: one of
 * another group, which expires by chance, makes no task of a busy CPU a throttled one. Once a limit
 * has been proved for a task, it is the first that is thought of.
 *
 * Where the CPU is busy all the time nothing is proved, and limit_tracker.c may guess.
 * A CPU that idled before the task was queued there proves nothing: it may be slow to wake up.
 */
#include "limit_tracker.h"

#include "base/xalloc.h"

/* Idling for less proves nothing: clocks of two CPUs may differ by that. */
#define IDLE_MIN 1000000u
static bool cpu_is_idle(const struct cpu *cpu)
{
	return cpu->idle_begin != NSEC_NEVER && cpu->idle_end == NSEC_NEVER;
}

static void queue_unlink(struct machine *machine, uint32_t line)
{
	struct task_state *task = &machine->task[line];

	if (task->queue_prev != LINE_NONE)
		machine->task[task->queue_prev].queue_next = task->queue_next;
	else
		machine->cpu[task->queue_cpu]->run_queue = task->queue_next;
	if (task->queue_next != LINE_NONE)
		machine->task[task->queue_next].queue_prev = task->queue_prev;
	task->is_listed = false;
}

void queue_put(struct machine *machine, uint32_t line, uint32_t number)
{
	struct task_state *task = &machine->task[line];
	struct cpu *cpu = number < machine->cpu_count ? machine->cpu[number] : NULL;

	queue_drop(machine, line);
	if (!cpu) /* nothing was recorded there, so far: whether it idles is not known */
		return;
	task->is_listed = true;
	task->queue_cpu = (uint16_t)number;
	task->queued_at = machine->now;
	task->queue_prev = LINE_NONE;
	task->queue_next = cpu->run_queue;
	if (cpu->run_queue != LINE_NONE)
		machine->task[cpu->run_queue].queue_prev = line;
	cpu->run_queue = line;
	if (task->held_back)
		task->held_back->used = limits_used(machine, task->held_back->limit);
}

void queue_leave(struct machine *machine, uint32_t line)
{
	struct task_state *task = &machine->task[line];

	if (task->is_listed)
		queue_unlink(machine, line);
	if (task->held_back)
		task->held_back->is_so = false;
}

/* Whether the CPU went idle after the task had been queued there. */
static bool task_saw_idle(const struct task_state *task, const struct cpu *cpu)
{
	/* one that is switched out is queued just before */
	bool was_queued_by_switch = task->detail == RUNNABLE_PREEMPTED ||
	                            task->detail == RUNNABLE_YIELDED;

	return cpu->idle_begin != NSEC_NEVER &&
	       (cpu->idle_begin > task->queued_at ||
	        (cpu->idle_begin == task->queued_at && was_queued_by_switch));
}

/* Its CPU has idled while it stood in the queue: it leaves that, so this is found once. */
static void queue_hold_back(struct machine *machine, uint32_t line, const struct cpu *cpu)
{
	struct task_state *task = &machine->task[line];
	bool saw_idle = task_saw_idle(task, cpu);
	struct held_back *held;

	queue_unlink(machine, line);
	if (!task->held_back)
		task->held_back = xcalloc(1, sizeof(*task->held_back));
	held = task->held_back;
	held->is_so = true;
	held->is_queued_while_idle = !saw_idle;
	held->idle = saw_idle ? cpu->idle_begin : task->queued_at;
	/* What is left of a limit on a CPU is used up by running there, and by nothing else. */
	held->since = task->queued_at;
	if (held->limit && held->limit == cpu->limit)
		held->since = nsec_max(held->since, cpu->limited_off);
}

void queue_begin_idle(struct machine *machine, struct cpu *cpu)
{
	cpu->idle_begin = machine->now;
	cpu->idle_end = NSEC_NEVER;
}

void queue_end_idle(struct machine *machine, struct cpu *cpu, nsec_t t)
{
	uint32_t line, next;

	if (!cpu_is_idle(cpu))
		return;
	cpu->idle_end = nsec_max(t, cpu->idle_begin);
	if (cpu->idle_end - cpu->idle_begin < IDLE_MIN)
		return;
	for (line = cpu->run_queue; line != LINE_NONE; line = next) {
		const struct task_state *task = &machine->task[line];
		bool is_limited = task->held_back && task->held_back->limit;

		next = task->queue_next;
		if (task_saw_idle(task, cpu) ||
		    (is_limited && task->queued_at + IDLE_MIN <= cpu->idle_end))
			queue_hold_back(machine, line, cpu);
	}
}

bool queue_is_refuted(const struct machine *machine, uint32_t line)
{
	const struct task_state *task = &machine->task[line];
	const struct cpu *cpu;

	if (task->held_back && task->held_back->limit)
		return false;
	if (task->held_back && task->held_back->is_so)
		return machine->has_migrate;
	if (!task->is_listed || !machine->has_migrate)
		return false;
	cpu = machine->cpu[task->queue_cpu];
	return cpu_is_idle(cpu) && task_saw_idle(task, cpu) &&
	       machine->now - cpu->idle_begin >= IDLE_MIN;
}

/* Tells of the task's span until t, of that kind; the rest of it begins there. */
static void task_cut(struct machine *machine, uint32_t line, nsec_t t, enum segment_kind kind,
                     const struct cause_note *cause)
{
	struct task_state *task = &machine->task[line];
	struct span span = {
		.line = line,
		.begin = task->since,
		.end = t,
		.kind = kind,
		.detail = kind == SEGMENT_RUNNABLE ? task->detail : 0,
		.cpu = task->cpu,
		.is_doubtful = task_is_doubtful(machine, task),
		.cause = cause,
	};

	task_release(machine, line);
	machine_tell(machine, &span);
	task->since = t;
}

static void task_tell_throttled(struct machine *machine, uint32_t line, nsec_t until,
                                const struct cause_note *cause)
{
	struct task_state *task = &machine->task[line];

	task_cut(machine, line, nsec_max(task->held_back->since, task->since), SEGMENT_RUNNABLE,
	         NULL);
	task_cut(machine, line, until, SEGMENT_RUNNABLE, cause);
	task->detail = RUNNABLE_LET_GO;
}

/* Its CPU idled: whatever it did meanwhile, it was not able to run there. */
static void task_tell_unknown(struct machine *machine, uint32_t line)
{
	struct task_state *task = &machine->task[line];
	nsec_t idle = nsec_max(task->held_back->idle, task->since);

	if (task->held_back->is_queued_while_idle || !machine->has_migrate)
		return;
	task_cut(machine, line, idle, SEGMENT_RUNNABLE, NULL);
	task->kind = SEGMENT_UNKNOWN;
	task->detail = 0;
	machine->health->idle_with_runnable++;
}

static void queue_resolve(struct machine *machine, uint32_t line, nsec_t t)
{
	static const enum confidence confidences[] = {
		[FIT_LATER] = CONFIDENCE_LOW,
		[FIT_IDLE] = CONFIDENCE_MEDIUM,
		[FIT_KNOWN_LATER] = CONFIDENCE_MEDIUM,
		[FIT_KNOWN_IDLE] = CONFIDENCE_HIGH,
	};
	struct held_back *held = machine->task[line].held_back;
	const struct expiry *expiry = NULL;
	enum fit fit = limits_find(machine, line, t, &expiry);
	struct cause_note cause;

	/* where events were lost it may have been moved, or have run */
	if (machine->task[line].queued_at < machine->gap_end || (fit == FIT_NOT && !held->limit)) {
		task_tell_unknown(machine, line);
		return;
	}
	cause_note_init(&cause, CAUSE_THROTTLED, CONFIDENCE_LOW);
	if (expiry) {
		cause.name = expiry->function;
		cause.confidence = (uint8_t)confidences[fit];
		/* idle to this very task: nothing else was let go, or woken */
		if (fit == FIT_IDLE && t == machine->cpu[machine->task[line].queue_cpu]->idle_end)
			cause.confidence = CONFIDENCE_HIGH;
	}
	if (expiry && fit != FIT_LATER)
		held->limit = limits_learn(machine, expiry->timer);
	task_tell_throttled(machine, line, expiry ? expiry->time : t, &cause);
}

/* The task's CPU was busy until t: whether a limit held it back nevertheless. */
static void queue_guess(struct machine *machine, uint32_t line, nsec_t t)
{
	struct task_state *task = &machine->task[line];
	const struct expiry *end;
	struct cause_note cause;

	if (t <= task->queued_at || task->queued_at < machine->gap_end)
		return;
	end = limits_guess(machine, line, t);
	if (!end)
		return;
	cause_note_init(&cause, CAUSE_THROTTLED, CONFIDENCE_MEDIUM);
	cause.name = end->function;
	task->held_back->limit = limits_learn(machine, end->timer);
	task->held_back->since = task->queued_at;
	task_tell_throttled(machine, line, end->time, &cause);
}

/* Any task may stand in a queue for less; guessing takes time. */
static bool queue_may_guess(const struct task_state *task, nsec_t t)
{
	return task->held_back ? !task->held_back->is_so : t >= task->queued_at + LIMIT_STAY_MIN;
}

void queue_take(struct machine *machine, uint32_t line, nsec_t t)
{
	struct task_state *task = &machine->task[line];
	const struct cpu *cpu;

	if (task->is_listed) {
		cpu = machine->cpu[task->queue_cpu];
		if (cpu_is_idle(cpu) && task_saw_idle(task, cpu) && t >= cpu->idle_begin + IDLE_MIN)
			queue_hold_back(machine, line, cpu);
		else
			queue_unlink(machine, line);
		if (queue_may_guess(task, t))
			queue_guess(machine, line, t);
	}
	if (!task->held_back || !task->held_back->is_so)
		return;
	task->held_back->is_so = false;
	queue_resolve(machine, line, t);
}

/* Idleness may have ended. Queues stay: what is in them and should not be is found as ever. */
static void queues_forget(struct machine *machine)
{
	for (uint32_t number = 0; number < machine->cpu_count; number++)
		if (machine->cpu[number])
			machine->cpu[number]->idle_begin = NSEC_NEVER;
}

const struct tracker queue_tracker = {
	.name = "queue",
	.forget = queues_forget,
};
