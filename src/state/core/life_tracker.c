/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Birth, change of identity and end of tasks: fork, exec by a thread that becomes the leader, a new
 * name, and the release by the kernel of a task whose end was not seen.
 */
#include "queue_tracker.h"

#include <string.h>

#include "base/array.h"

/* Bits of clone_flags, include/uapi/linux/sched.h. */
#define FLAG_CLONE_VFORK  0x4000
#define FLAG_CLONE_THREAD 0x10000

/* A task is born. Two tracepoints record it; at the second one nothing is left to do. */
static uint32_t task_be_born(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	int64_t tid = event->process.tid;
	uint32_t line = machine_find_line(machine, cpu, tid), parent = cpu->current;
	struct line *child;

	if (tid == 0)
		return LINE_NONE;
	if (line != LINE_NONE && machine->task[line].kind == SEGMENT_NEW)
		return line;
	line = machine_new_generation(machine, tid);
	if (line == LINE_NONE)
		return LINE_NONE;
	/* it did not exist before, so its past is known */
	machine->task[line].kind = SEGMENT_NEW;
	machine->task[line].since = machine->now;
	child = &machine->timeline->line[line];
	child->born = machine->now;
	if (cpu->level == LEVEL_TASK && parent != LINE_NONE && parent != cpu->idle) {
		child->parent = parent;
		child->is_target |= machine->timeline->line[parent].is_target;
		child->is_kernel = machine->timeline->line[parent].tid == 2;
		child->is_program_seen = machine->timeline->line[parent].is_program_seen;
		child->accepts = machine->timeline->line[parent].accepts;
	}
	return line;
}

static void on_fork(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t line = task_be_born(machine, cpu, event);
	struct line *child;

	if (line == LINE_NONE)
		return;
	cpu_note_act(machine, cpu);
	machine_name(machine, line, event->process.comm);
	if (event->kind != EVENT_NEWTASK)
		return;
	child = &machine->timeline->line[line];
	machine->task[line].is_vforked = event->process.clone_flags & FLAG_CLONE_VFORK;
	if (!(event->process.clone_flags & FLAG_CLONE_THREAD))
		child->tgid = child->tid;
	else if (child->parent != LINE_NONE)
		child->tgid = machine->timeline->line[child->parent].tgid;
	child->is_recorder = child->parent != LINE_NONE &&
	                     machine->timeline->line[child->parent].is_recorder &&
	                     child->tgid == machine->timeline->line[child->parent].tgid;
}

static void on_wakeup_new(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct event birth = *event;
	uint32_t line;

	birth.process = (struct process_event){.tid = event->wake.tid};
	line = task_be_born(machine, cpu, &birth);
	if (line == LINE_NONE)
		return;
	cpu_note_act(machine, cpu);
	machine_name(machine, line, event->wake.comm);
	task_set_priority(machine, line, event->wake.priority);
	task_become(machine, line, machine->now, SEGMENT_RUNNABLE, RUNNABLE_NEW, NULL);
	if (event->wake.cpu < 0)
		return;
	machine->task[line].cpu = (uint16_t)event->wake.cpu;
	queue_put(machine, line, machine->task[line].cpu);
}

/* A parent that no longer waits has gone on: it does not wait for this child's exec any more. */
static void task_end_vfork(struct machine *machine, uint32_t line)
{
	uint32_t parent = machine->timeline->line[line].parent;

	if (parent == LINE_NONE || machine->task[parent].kind != SEGMENT_WAIT)
		machine->task[line].is_vforked = false;
}

static void exec_emit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct text *filename = &event->process.comm;
	struct interval interval = {
		.kind = INTERVAL_EXEC,
		.cpu = event->cpu,
		.begin = machine->now,
		.end = machine->now,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = machine_line(machine, cpu, event->process.tid),
		.other = LINE_NONE,
	};

	if (interval.task == LINE_NONE)
		return;
	if (filename->length)
		interval.exec.filename =
			intern_add(&machine->timeline->names, filename->at,
		                   strnlen(filename->at, filename->length));
	machine_emit_interval(machine, &interval);
}

/* A thread that is not the leader executes a program and becomes the leader: same task. */
static void on_exec(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	int64_t from = event->process.other_tid, to = event->process.tid;

	if (cpu->current != LINE_NONE)
		task_end_vfork(machine, cpu->current);
	/* otherwise the task has been seen already, by its new tid */
	if (from != to && from > 0 && to > 0 &&
	    machine_find_line(machine, cpu, from) == cpu->current)
		machine_move_line(machine, cpu, from, to);
	if (cpu->current != LINE_NONE && cpu->current != cpu->idle) {
		machine->timeline->line[cpu->current].is_program_seen = true;
		machine->timeline->line[cpu->current].accepts = false;
	}
	if (to > 0 && machine_wants(machine, INTERVAL_EXEC))
		exec_emit(machine, cpu, event);
}

/* The task ended some time ago; its wait has no known waker. */
static void task_die_unseen(struct machine *machine, uint32_t line)
{
	const struct task_state *task = &machine->task[line];
	struct cause_note cause;

	if (task->since >= machine->gap_end) /* otherwise its end was among the lost events */
		machine_contradict(machine);
	if (task->kind == SEGMENT_WAIT && !task->is_tentative) {
		machine_explain_unwoken(machine, line, &cause);
		machine->health->waits_without_waker++;
		task_become(machine, line, machine->now, SEGMENT_DEAD, 0, &cause);
	} else {
		task_become(machine, line, machine->now, SEGMENT_DEAD, 0, NULL);
	}
}

static void on_free(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t line = machine_find_line(machine, cpu, event->process.tid);

	if (line == LINE_NONE || event->process.tid == 0)
		return;
	/* the kernel frees a task a grace period after its end: the tid may be in use again */
	if (machine->task[line].has_unfreed_former) {
		machine->task[line].has_unfreed_former = false;
		return;
	}
	if (machine->task[line].kind != SEGMENT_DEAD) { /* its end was not seen */
		if (machine->task[line].kind == SEGMENT_RUN)
			return; /* so the event is not about this task */
		task_die_unseen(machine, line);
	}
	id_table_drop(&machine->line_by_tid, (uint64_t)event->process.tid);
}

static void on_rename(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	int64_t tid = event->process.tid ? event->process.tid : event->tid;
	uint32_t line = machine_find_line(machine, cpu, tid);

	if (line != LINE_NONE && tid != 0)
		machine_name(machine, line, event->process.comm);
}

static const struct handler_row life_handlers[] = {
	{EVENT_SCHED_WAKEUP_NEW, on_wakeup_new},
	{EVENT_PROCESS_FORK, on_fork},
	{EVENT_NEWTASK, on_fork},
	{EVENT_PROCESS_EXEC, on_exec},
	{EVENT_PROCESS_FREE, on_free},
	{EVENT_TASK_RENAME, on_rename},
};

const struct tracker life_tracker = {
	.name = "life",
	.handlers = life_handlers,
	.handler_count = ARRAY_SIZE(life_handlers),
};
