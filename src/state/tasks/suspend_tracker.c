/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System suspend. The task that writes to /sys/power/state executes these steps:
 *
 *	freeze_processes begin   wakes sleeping tasks; they then enter the freezer
 *	freeze_processes end     all tasks are frozen
 *	machine_suspend begin    the last CPU stops
 *	syscore_resume end       this CPU runs again (suspend to RAM, hibernation)
 *	thaw_processes begin     wakes frozen tasks
 *	thaw_processes end
 *
 * Since Linux 6.1 the kernel freezes some sleeping tasks without waking them. While a task is
 * frozen, its wake-ups are not recorded, so it seems to sleep until it is thawed. This file splits
 * the sleep at the begin of freeze_processes: the first part ends with an unknown cause, the second
 * part is a wait with the cause "frozen".
 *
 * In suspend-to-idle the CPUs are idle and the suspending task sleeps; sched_switch events show
 * that. In suspend to RAM the suspending task stays current on the last CPU while that is stopped.
 * If the trace clock counts this time, the task would seem to run: this file makes it a wait.
 */
#include "base/assume.h"
#include "ftwait/health.h"
#include "state/core/tracker.h"

struct suspend {
	uint32_t task;  /* track of the suspending task; TRACK_NONE: the system is not suspended */
	nsec_t since;   /* begin of freeze_processes */
	nsec_t stopped; /* when the last CPU stopped; NSEC_NEVER: no CPU is stopped */
	bool is_freezing, is_thawing; /* within freeze_processes, thaw_processes */
	/* the last wake-up by freezing or thawing: its CPU, and event_count of that CPU */
	const struct cpu *step_cpu;
	uint64_t step_at;
};

OWN_DATA(suspend_of, struct suspend, SUSPEND)

/* Suspend ends the sleep before its cause occurs: the task is woken to be frozen, or frozen in
   place. */
static void cause_cut_short(const struct machine *machine, struct cause_note *cause)
{
	cause_note_become(cause, CAUSE_UNKNOWN);
	cause->waker = TRACK_NONE;
	cause->is_walked = false;
	cause->name = intern_adds(&machine->timeline->names, "cut short by system suspend");
}

static void suspend_end(struct machine *machine, nsec_t t)
{
	struct suspend *suspend = suspend_of(machine);

	if (suspend->task == TRACK_NONE)
		return;
	ASSUME(suspend->since <= t);
	machine->health->suspends++;
	machine->health->frozen_ns += t - suspend->since;
	suspend->task = TRACK_NONE;
	suspend->is_freezing = false;
	suspend->is_thawing = false;
}

/* The stopped CPU runs again. Makes the time in between a wait of the suspending task. */
static void suspend_go_on(struct machine *machine, const struct cpu *cpu)
{
	struct suspend *suspend = suspend_of(machine);
	struct cause_note cause;
	struct task_state *task;
	nsec_t stopped = suspend->stopped;

	if (stopped == NSEC_NEVER)
		return;
	ASSUME(stopped <= machine->now);
	suspend->stopped = NSEC_NEVER;
	machine->health->sleeps++;
	machine->health->asleep_ns += machine->now - stopped;
	if (suspend->task == TRACK_NONE || cpu->current != suspend->task)
		return;
	task = &machine->task[suspend->task];
	if (task->kind != SEGMENT_RUN || task->since > stopped) /* a switch shows that it slept */
		return;
	cause_note_init(&cause, CAUSE_FROZEN, CONFIDENCE_HIGH);
	cause.name = intern_adds(&machine->timeline->names, "system suspend");
	task_become(machine, suspend->task, stopped, SEGMENT_WAIT, 'D', NULL);
	task_become(machine, suspend->task, machine->now, SEGMENT_RUN, 0, &cause);
}

static void on_suspend(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct suspend *suspend = suspend_of(machine);
	struct text action = event->suspend.action;
	bool is_begin = event->suspend.is_begin;

	if (text_is(action, "machine_suspend")) {
		if (is_begin && suspend->stopped == NSEC_NEVER)
			suspend->stopped = machine->now;
	} else if ((text_is(action, "syscore_resume") && !is_begin) ||
	           text_is(action, "dpm_resume_noirq") || text_is(action, "thaw_processes")) {
		/* only after the stopped CPU has resumed; syscore_resume may be missing */
		suspend_go_on(machine, cpu);
	}
	if (!cpu_is_in_task(cpu))
		return;
	if (text_is(action, "freeze_processes")) {
		suspend->is_freezing = is_begin;
		/* hibernation freezes in two steps */
		if (is_begin && suspend->task == TRACK_NONE) {
			suspend->task = cpu->current;
			suspend->since = machine->now;
		}
	} else if (text_is(action, "thaw_processes")) {
		suspend->is_thawing = is_begin && suspend->task == cpu->current;
		if (!is_begin)
			suspend_end(machine, machine->now);
	}
}

/* Kernel threads that do work for other tasks are not freezable: if freezing or thawing wakes one,
   it is for that work. */
static void suspend_wake(struct machine *machine, const struct cpu *cpu, uint32_t wakee)
{
	struct suspend *suspend = suspend_of(machine);
	const struct task_state *task = &machine->task[wakee];
	struct cause_note cause;

	if (!(suspend->is_freezing || suspend->is_thawing) || !cpu_is_in_task(cpu) ||
	    cpu->current != suspend->task || task->kind != SEGMENT_WAIT ||
	    (task->role != KERNEL_THREAD_NONE && task->role != KERNEL_THREAD_OTHER))
		return;
	ASSUME(suspend->since <= machine->now);
	/* it was frozen without being woken: its sleep is split at the begin of freeze_processes */
	if (suspend->is_thawing && task->since < suspend->since) {
		machine_explain_unwoken(machine, wakee, &cause);
		cause_cut_short(machine, &cause);
		task_cut(machine, wakee, suspend->since, SEGMENT_WAIT, &cause);
	}
	suspend->step_cpu = cpu;
	suspend->step_at = cpu->event_count;
}

static void suspend_refine(const struct machine *machine, const struct wake *wake,
                           struct cause_note *cause)
{
	const struct suspend *suspend = suspend_of(machine);

	if (!wake->cpu || wake->cpu != suspend->step_cpu ||
	    wake->cpu->event_count != suspend->step_at)
		return;
	if (!suspend->is_thawing) {
		cause_cut_short(machine, cause);
		return;
	}
	cause_note_become(cause, CAUSE_FROZEN);
	cause->name = intern_adds(&machine->timeline->names, "system suspend");
	cause->originator = suspend->task;
	cause->confidence = CONFIDENCE_HIGH;
}

static void suspend_forget(struct machine *machine)
{
	struct suspend *suspend = suspend_of(machine);

	suspend_end(machine, machine->now);
	suspend->stopped = NSEC_NEVER;
	suspend->step_cpu = NULL;
}

static void suspend_begin(struct machine *machine)
{
	suspend_of(machine)->task = TRACK_NONE;
	suspend_of(machine)->stopped = NSEC_NEVER;
}

const struct tracker suspend_tracker = {
	.handlers = HANDLERS({EVENT_SUSPEND, on_suspend}),
	.own_bytes = sizeof(struct suspend),
	.wake = suspend_wake,
	.refine = {suspend_refine, 1u << CAUSE_TASK | 1u << CAUSE_UNKNOWN, 0},
	.begin = suspend_begin,
	.close = suspend_end,
	.forget = suspend_forget,
};

/*
 * Idle states of CPUs. A CPU leaves its state for each interrupt, whether or not a task runs then;
 * the idle task is current all the time. Emits an interval for each stay.
 */
struct cpu_stay {
	nsec_t begin;
	uint32_t state;
	bool is_known; /* it is in a state whose begin was seen */
};

CPU_DATA(cpu_stay, struct cpu_stay, IDLE)

static void stay_emit(struct machine *machine, const struct cpu *cpu, nsec_t end, bool is_open)
{
	const struct cpu_stay *stay = cpu_stay(machine, cpu);
	struct interval interval = interval_of(INTERVAL_IDLE, cpu->number, cpu->current,
	                                       stay->begin, end);

	ASSUME(stay->begin <= end);
	interval.is_open = is_open;
	interval.idle.state = stay->state;
	if (stay->is_known)
		machine_emit_interval(machine, &interval);
}

static void on_cpu_idle(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_stay *stay = cpu_stay(machine, cpu);
	uint32_t state = (uint32_t)event->idle.state;

	/* a driver may enter one state from another: the first one ends then */
	stay_emit(machine, cpu, machine->now, /* is_open= */ false);
	*stay = (struct cpu_stay){machine->now, state, state != IDLE_STATE_LEFT};
}

static void idle_close(struct machine *machine, nsec_t end)
{
	MACHINE_CPU_EACH(machine, cpu)
		stay_emit(machine, cpu, end, /* is_open= */ true);
}

const struct tracker idle_tracker = {
	.handlers = HANDLERS({EVENT_CPU_IDLE, on_cpu_idle}),
	.cpu_bytes = sizeof(struct cpu_stay),
	.close = idle_close,
	.forgets_cpu = true,
};
