/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which line a tid is. Tids are reused, threads that execute a program take over their leader's
 * tid, and tasks that lived before the trace are met at their first event.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracker.h"

bool machine_is_target(const struct machine *machine, const struct line *line)
{
	const struct source *source = machine->setup.source;

	if (line->is_command)
		return true;
	for (size_t i = 0; i < source->pid_count; i++)
		if (line->tid == source->pids[i] || line->tgid == source->pids[i])
			return true;
	return false;
}

static bool machine_is_recorder(const struct machine *machine, const struct line *line)
{
	const struct source *source = machine->setup.source;

	for (size_t i = 0; i < RECORDER_THREADS_MAX && source->recorder[i]; i++)
		if (line->tid == source->recorder[i] || line->tgid == source->recorder[i])
			return true;
	return false;
}

/* Whether the current event is older than the snapshot's data of the task. */
static bool event_precedes_snapshot(const struct machine *machine, const struct known_task *known)
{
	return machine->now < known->read && !machine->has_ended;
}

/* Fills in what was known of the task when recording began. */
static void line_fill_known(struct machine *machine, struct line *line, struct task_state *task)
{
	const struct source *source = machine->setup.source;
	uint32_t index = map_get(&machine->known_by_tid, (uint64_t)line->tid);
	const struct known_task *known = index == MAP_NONE ? NULL : &source->known_tasks[index];

	if (known && line->generation == 0) {
		line->tgid = known->tgid;
		line->is_kernel = known->is_kernel;
		if (known->comm[0])
			timeline_add_name(machine->timeline,
			                  (uint32_t)(line - machine->timeline->line),
			                  nsec_max(machine->begin, known->read), known->comm,
			                  strlen(known->comm));
		task->role = (uint8_t)kernel_thread_of(known->comm);
		/*
		 * No event has named the task since the snapshot read it: it still sleeps as it did
		 * then. If it was read after the begin, no event had named it before either, and it
		 * has slept from the begin.
		 */
		if (known->state && strchr("SDITt", known->state) && machine->gap_end == 0 &&
		    !event_precedes_snapshot(machine, known)) {
			task->kind = strchr("Tt", known->state) ? SEGMENT_STOPPED : SEGMENT_WAIT;
			task->detail = (uint8_t)known->state;
		}
	}
	line->is_command = source->command_pid && line->tid == source->command_pid &&
	                   line->generation == 0;
	line->is_target = machine_is_target(machine, line);
	line->is_recorder = line->generation == 0 && machine_is_recorder(machine, line);
}

static void machine_grow_tasks(struct machine *machine)
{
	size_t capacity = machine->task_capacity ? machine->task_capacity * 2 : 64;
	struct task_state *task = xaligned_alloc(TASK_STATE_BYTES, capacity, sizeof(*task));

	if (machine->task_capacity)
		memcpy(task, machine->task, machine->task_capacity * sizeof(*task));
	free(machine->task);
	machine->task = task;
	machine->task_capacity = capacity;
}

/* Adds a line and its state, unknown since `since`. */
static uint32_t machine_add_line(struct machine *machine, int64_t tid, uint32_t generation,
                                 nsec_t since)
{
	uint32_t index = timeline_add_line(machine->timeline, (int32_t)tid);
	struct task_state *task;
	struct line *line;

	if (index == LINE_NONE) {
		health_note(machine->health, "more than %u tasks: those beyond are left out",
		            LINES_MAX);
		return LINE_NONE;
	}
	if (index >= machine->task_capacity)
		machine_grow_tasks(machine);
	task = &machine->task[index];
	*task = (struct task_state){
		.kind = SEGMENT_UNKNOWN,
		.since = since,
		.priority = PRIORITY_UNKNOWN,
		.is_idle = tid == 0,
	};
	line = &machine->timeline->line[index];
	line->generation = generation;
	line->is_idle = tid == 0;
	if (tid != 0) {
		line_fill_known(machine, line, task);
		id_table_put(&machine->line_by_tid, (uint64_t)tid, index);
	}
	return index;
}

uint32_t machine_new_line(struct machine *machine, struct cpu *cpu, int64_t tid)
{
	uint32_t line = machine_add_line(machine, tid, 0, machine->begin);
	char name[32];

	if (line != LINE_NONE && tid == 0) {
		int length = snprintf(name, sizeof(name), "swapper/%" PRIu32, cpu->number);

		cpu->idle = line;
		timeline_add_name(machine->timeline, line, machine->begin, name, (size_t)length);
	}
	return line;
}

uint32_t machine_new_generation(struct machine *machine, int64_t tid)
{
	uint32_t old = id_table_get(&machine->line_by_tid, (uint64_t)tid);
	uint32_t generation = 0, line;
	nsec_t since = machine->begin;

	if (old != LINE_NONE) {
		/* alive although its tid is in use again: its death was not seen */
		if (machine->task[old].kind != SEGMENT_DEAD &&
		    machine->task[old].kind != SEGMENT_NEW) {
			machine_contradict(machine);
			task_become(machine, old, machine->now, SEGMENT_DEAD, 0, NULL);
		}
		generation = machine->timeline->line[old].generation + 1;
		since = machine->task[old].since;
	}
	line = machine_add_line(machine, tid, generation, since);
	if (line != LINE_NONE)
		machine->task[line].has_unfreed_former = old != LINE_NONE;
	return line;
}

void machine_rename(struct machine *machine, uint32_t line, struct text comm)
{
	struct task_state *task = &machine->task[line];
	size_t length = comm.length < sizeof(task->comm) ? comm.length : sizeof(task->comm);

	if (length == 0 || machine->timeline->line[line].is_idle)
		return;
	memset(task->comm, 0, sizeof(task->comm));
	memcpy(task->comm, comm.at, length);
	task->role = (uint8_t)kernel_thread_of(task->comm);
	timeline_add_name(machine->timeline, line, machine->now, task->comm,
	                  strnlen(task->comm, sizeof(task->comm) - 1));
}

/* Sets the new tid of the line on CPUs where the line is current. */
static void machine_update_current(struct machine *machine, uint32_t line, int64_t tid)
{
	for (uint32_t number = 0; number < machine->cpu_count; number++)
		if (machine->cpu[number] && machine->cpu[number]->current == line)
			machine->cpu[number]->current_tid = tid;
}

void machine_move_line(struct machine *machine, struct cpu *cpu, int64_t from, int64_t to)
{
	uint32_t line = machine_find_line(machine, cpu, from);
	uint32_t leader = machine_find_line(machine, cpu, to);

	if (line == LINE_NONE)
		return;
	if (leader != LINE_NONE)
		machine->timeline->line[line].generation =
			machine->timeline->line[leader].generation + 1;
	id_table_drop(&machine->line_by_tid, (uint64_t)from);
	if (leader != LINE_NONE && machine->task[leader].kind != SEGMENT_DEAD) {
		id_table_put(&machine->line_by_tid, (uint64_t)from, leader);
		machine_update_current(machine, leader, from);
	}
	id_table_put(&machine->line_by_tid, (uint64_t)to, line);
	machine_update_current(machine, line, to);
	machine->timeline->line[line].tid = (int32_t)to;
}

uint32_t machine_find_heir(const struct machine *machine, uint32_t leader)
{
	int32_t tid = machine->timeline->line[leader].tid;
	uint32_t heir = LINE_NONE;

	for (uint32_t line = 0; line < machine->timeline->line_count; line++) {
		const struct line *thread = &machine->timeline->line[line];
		bool is_of_leader = thread->tgid == tid ||
		                    (thread->tgid < 0 && thread->parent == leader);

		if (!is_of_leader || line == leader ||
		    machine->task[line].kind != SEGMENT_RUNNABLE)
			continue;
		if (heir != LINE_NONE)
			return LINE_NONE;
		heir = line;
	}
	return heir;
}
