/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals: a wake-up by the same task directly before or after the generation of one is the
 * signal's. Which of the two the kernel records first differs; where it was seen to record the
 * wake-up first, a generation explains no later one. The woken thread may be another of the
 * process than the one that the signal was meant for. SIGCONT continues a stopped task even where
 * the signal itself is ignored or blocked.
 */
#include "tracker.h"

#include <string.h>

#include "base/array.h"
#include "base/signal_names.h"

/* Events of one CPU between a wake-up and the generation of its signal: the sched_wakeup, a
   migration, a call to another CPU. */
#define SIGNAL_EVENTS_MAX 6

static const char *signal_text(const struct machine *machine, int64_t number)
{
	return number > 0 && number < INT32_MAX ? signal_name(machine->signals, (int)number) : NULL;
}

static uint32_t signal_name_id(const struct machine *machine, int64_t number)
{
	const char *name = signal_text(machine, number);

	return name ? intern_adds(&machine->timeline->names, name) : 0;
}

static bool signal_is(const struct machine *machine, const struct event *event, const char *name)
{
	const char *text = signal_text(machine, event->signal.number);

	return text && strcmp(text, name) == 0;
}

/* Whether the signal ends such a wait or stop at all. */
static bool signal_ends(const struct machine *machine, const struct event *event,
                        enum segment_kind kind)
{
	if (kind == SEGMENT_STOPPED)
		return signal_is(machine, event, "SIGCONT") || signal_is(machine, event, "SIGKILL");
	/* one that is ignored, a SIGCHLD say, wakes nobody: what comes next has another reason */
	return event->signal.result == 0;
}

/* Whether the woken task is meant, or may be another thread of the process that is. */
static bool signal_is_for(const struct machine *machine, const struct cpu *cpu, uint32_t woken,
                          int64_t tid)
{
	const struct line *line = &machine->timeline->line[woken];
	uint32_t meant = machine_find_line(machine, cpu, tid);
	int32_t tgid = meant == LINE_NONE ? -1 : machine->timeline->line[meant].tgid;

	if (line->tid == tid || tid == 0 || line->tgid == tid)
		return true;
	return line->tgid < 0 || tgid < 0 ? line->tgid < 0 && tgid < 0 : line->tgid == tgid;
}

/* The wait that was ended just before, if this signal may have done it; else NULL. */
static struct cause_note *signal_find_wait(const struct machine *machine, const struct cpu *cpu,
                                           const struct event *event)
{
	struct task_state *task;

	if (cpu->woken == LINE_NONE || cpu->woken_at + SIGNAL_EVENTS_MAX < cpu->event_count ||
	    !signal_is_for(machine, cpu, cpu->woken, event->signal.tid))
		return NULL;
	task = &machine->task[cpu->woken];
	if (!task->held || task->held->cause.kind != CAUSE_TASK ||
	    task->held->cause.waker != cpu->current ||
	    !signal_ends(machine, event, task->held->span.kind))
		return NULL;
	return &task->held->cause;
}

static void on_signal_generate(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cause_note *cause;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	/* SIGCHLD of a task that ends: its parent waited for that end, not for a signal */
	if (machine->task[cpu->current].is_exiting && signal_is(machine, event, "SIGCHLD"))
		return;
	cause = signal_find_wait(machine, cpu, event);
	if (cause) {
		cause->kind = CAUSE_SIGNAL;
		cause->number = (int32_t)event->signal.number;
		cause->name = signal_name_id(machine, event->signal.number);
		cpu->woken = LINE_NONE;
		machine->has_signal_after_wake = true;
	} else if (event->signal.result == 0) {
		cpu->signal_number = (int32_t)event->signal.number;
		cpu->signal_tid = event->signal.tid;
		cpu->signal_at = cpu->event_count;
	}
}

static bool signal_explain(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;

	if (machine->has_signal_after_wake || cpu->current == cpu->idle || cpu->signal_at == 0 ||
	    cpu->signal_at + 1 != cpu->event_count || wake->wakee == LINE_NONE ||
	    !signal_is_for(machine, cpu, wake->wakee, cpu->signal_tid))
		return false;
	cause_note_init(ret, CAUSE_SIGNAL, CONFIDENCE_HIGH);
	ret->number = cpu->signal_number;
	ret->name = signal_name_id(machine, cpu->signal_number);
	ret->waker = cpu->current;
	ret->is_walked = true;
	return true;
}

static void signals_begin(struct machine *machine)
{
	machine->signals = signal_names_of(machine->setup.source->arch);
}

static const struct handler_row signal_handlers[] = {
	{EVENT_SIGNAL_GENERATE, on_signal_generate},
};

const struct tracker signal_tracker = {
	.name = "signal",
	.handlers = signal_handlers,
	.handler_count = ARRAY_SIZE(signal_handlers),
	.begin = signals_begin,
	.explain = signal_explain,
	.explains = IN_TASK,
};
