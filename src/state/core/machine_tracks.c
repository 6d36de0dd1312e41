/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which track a tid is. Tids are reused, threads that execute a program take over their leader's
 * tid, and tasks that lived before the trace are met at their first event.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "graph/timeline/timeline_tasks.h"
#include "tracker.h"

/* Generations of processes that are examined for descendants of targets. */
#define GENERATIONS_MAX 64

static bool id_is_target(const struct machine *machine, int32_t id)
{
	return id > 0 && map_get(&machine->is_target, (uint32_t)id) != MAP_NONE;
}

void machine_find_targets(struct machine *machine)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	bool is_more = notes->pids.count > 0;

	for (size_t i = 0; i < notes->pids.count; i++)
		map_put(&machine->is_target, (uint32_t)notes->pids.item[i], 1);
	for (unsigned n = 0; is_more && n < GENERATIONS_MAX; n++) {
		is_more = false;
		for (size_t i = 0; i < notes->processes.count; i++) {
			const struct known_process *known = &notes->processes.item[i];

			if (!id_is_target(machine, known->parent) ||
			    id_is_target(machine, known->tgid) ||
			    known->tgid == notes->recorder[0])
				continue;
			map_put(&machine->is_target, (uint32_t)known->tgid, 1);
			is_more = true;
		}
	}
}

bool machine_is_target(const struct machine *machine, const struct track *track)
{
	if (track->is_command)
		return true;
	return id_is_target(machine, track->tid) || id_is_target(machine, track->tgid);
}

/* Whether the track's process had several threads when recording began. The first of them with a
   track stands for the process until its first thread has one. */
static bool track_fill_process(struct machine *machine, const struct track *track)
{
	uint32_t first = track->tgid > 0 ? map_get(&machine->first_thread, (uint32_t)track->tgid)
	                                 : MAP_NONE;

	if (first == MAP_NONE)
		return false;
	if (first == 0)
		map_put(&machine->first_thread, (uint32_t)track->tgid,
		        (uint32_t)(track - machine->timeline->track) + 1);
	return true;
}

/* Fills in what was known of the task when recording began. */
static void track_fill_known(struct machine *machine, struct track *track, struct task_state *task)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	uint32_t index = map_get(&machine->known_by_tid, (uint64_t)track->tid);
	const struct known_task *known = index == MAP_NONE ? NULL : &notes->tasks.item[index];

	ASSUME(!known || known->tid == track->tid);
	if (known && track->generation == 0) {
		track->tgid = known->tgid;
		track->is_kernel = known->is_kernel;
		task->is_threaded = track_fill_process(machine, track);
		if (known->comm[0])
			timeline_add_name(machine->timeline,
			                  (uint32_t)(track - machine->timeline->track),
			                  nsec_max(machine->begin, known->read), known->comm,
			                  strlen(known->comm));
		task->role = (uint8_t)kernel_thread_of(known->comm);
		/*
		 * No event has named the task since the snapshot read it: it still sleeps as it did
		 * then. If it was read after the begin, no event had named it before either, and it
		 * has slept from the begin.
		 */
		if (known->state && strchr("SDITt", known->state) && machine->gap_end == 0 &&
		    (machine->now >= known->read || machine->has_ended)) {
			task->kind = strchr("Tt", known->state) ? SEGMENT_STOPPED : SEGMENT_WAIT;
			task->detail = (uint8_t)known->state;
		}
	}
	track->is_command = notes->command.pid && track->tid == notes->command.pid &&
	                    track->generation == 0;
	track->is_target = machine_is_target(machine, track);
	for (size_t i = 0; i < RECORDER_THREADS_MAX && notes->recorder[i]; i++)
		track->is_recorder |= track->generation == 0 &&
		                      (track->tid == notes->recorder[i] ||
		                       track->tgid == notes->recorder[i]);
}

/* Makes room for the state of that track. */
static void machine_grow_tasks(struct machine *machine, uint32_t track)
{
	size_t capacity = machine->task_capacity ? machine->task_capacity * 2 : 64;
	struct task_state *task;

	ASSUME(track >= machine->task_capacity);
	while (capacity <= track)
		capacity *= 2;
	task = xaligned_alloc(TASK_STATE_BYTES, capacity, sizeof(*task));
	if (machine->track_end)
		memcpy(task, machine->task, machine->track_end * sizeof(*task));
	free(machine->task);
	machine->task = task;
	machine->task_capacity = capacity;
}

/* Adds a track and its state, unknown since `since`. */
static uint32_t machine_add_track(struct machine *machine, int64_t tid, uint32_t generation,
                                  nsec_t since)
{
	uint32_t index = timeline_add_track(machine->timeline, (int32_t)tid);
	struct task_state *task;
	struct track *track;

	if (index == TRACK_NONE) {
		health_doubt(machine->health, "more than %u tasks: those beyond are left out",
		             TRACKS_MAX);
		return TRACK_NONE;
	}
	if (index >= machine->task_capacity)
		machine_grow_tasks(machine, index);
	ASSUME(index >= machine->track_end);
	/* other machines may have added tracks since */
	memset(&machine->task[machine->track_end], 0,
	       (index - machine->track_end) * sizeof(*task));
	machine->track_end = index + 1;
	task = &machine->task[index];
	*task = (struct task_state){
		.kind = SEGMENT_UNKNOWN,
		.since = since,
		.priority = PRIORITY_UNKNOWN,
		.is_idle = tid == 0,
		.cpu = (uint16_t)machine_first_cpu(machine), /* until it was seen on one */
	};
	track = &machine->timeline->track[index];
	track->host = (uint8_t)machine->setup.host;
	track->generation = generation;
	track->is_idle = tid == 0;
	if (tid != 0) {
		track_fill_known(machine, track, task);
		id_table_put(&machine->track_by_tid, (uint64_t)tid, index);
	}
	return index;
}

uint32_t machine_new_track(struct machine *machine, struct cpu *cpu, int64_t tid)
{
	uint32_t track = machine_add_track(machine, tid, 0, machine->begin);
	char name[32];

	if (track != TRACK_NONE && tid == 0) {
		int length = snprintf(name, sizeof(name), "swapper/%" PRIu32,
		                      machine_own_cpu(machine, cpu));

		cpu->idle = track;
		timeline_add_name(machine->timeline, track, machine->begin, name, (size_t)length);
	}
	return track;
}

uint32_t machine_new_generation(struct machine *machine, uint32_t old, int64_t tid)
{
	uint32_t generation = 0, track;
	nsec_t since = machine->begin;

	ASSUME(tid != 0);
	if (old != TRACK_NONE) {
		/* alive although its tid is in use again: its death was not seen */
		if (machine->task[old].kind != SEGMENT_DEAD &&
		    machine->task[old].kind != SEGMENT_NEW) {
			machine->health->inconsistencies++;
			task_become(machine, old, machine->now, SEGMENT_DEAD, 0, NULL);
		}
		generation = machine->timeline->track[old].generation + 1;
		since = machine->task[old].since;
	}
	track = machine_add_track(machine, tid, generation, since);
	if (track != TRACK_NONE)
		machine->task[track].has_unfreed_former = old != TRACK_NONE;
	return track;
}

void machine_rename(struct machine *machine, uint32_t track, struct text comm)
{
	struct task_state *task = &machine->task[track];
	size_t length = comm.length < sizeof(task->comm) ? comm.length : sizeof(task->comm);

	ASSUME(machine_owns(machine, track));
	/* an event without a name may have an empty one */
	if (length == 0 || comm.at[0] == '\0' || machine->timeline->track[track].is_idle)
		return;
	memset(task->comm, 0, sizeof(task->comm));
	memcpy(task->comm, comm.at, length);
	task->role = (uint8_t)kernel_thread_of(task->comm);
	timeline_add_name(machine->timeline, track, machine->now, task->comm,
	                  strnlen(task->comm, sizeof(task->comm) - 1));
}

/* Sets the new tid of the track on CPUs where the track is current. */
static void machine_update_current(struct machine *machine, uint32_t track, int64_t tid)
{
	ASSUME(tid != 0);
	MACHINE_CPU_EACH(machine, cpu)
		if (cpu->current == track)
			cpu->current_tid = tid;
}

void machine_move_track(struct machine *machine, struct cpu *cpu, int64_t from, uint32_t leader,
                        int64_t to)
{
	uint32_t track = machine_find_track(machine, cpu, from);

	if (track == TRACK_NONE)
		return;
	if (leader == TRACK_NONE) {
		machine->timeline->track[track].is_command =
			machine->setup.source->notes.command.pid == to;
	} else {
		machine->timeline->track[track].generation =
			machine->timeline->track[leader].generation + 1;
		timeline_succeed(machine->timeline, track, leader);
		machine->task[track].has_unfreed_former = true;
	}
	id_table_drop(&machine->track_by_tid, (uint64_t)from);
	if (leader != TRACK_NONE) {
		id_table_put(&machine->track_by_tid, (uint64_t)from, leader);
		machine_update_current(machine, leader, from);
	}
	machine_update_current(machine, track, to);
	id_table_put(&machine->track_by_tid, (uint64_t)to, track);
	machine->timeline->track[track].tid = machine->timeline->track[track].tgid = (int32_t)to;
}

uint32_t machine_find_heir(const struct machine *machine, uint32_t leader)
{
	int32_t tid = machine->timeline->track[leader].tid;
	uint32_t heir = TRACK_NONE;

	ASSUME(machine->task[leader].kind == SEGMENT_DEAD);
	MACHINE_TRACK_EACH(machine, track) {
		const struct track *thread = &machine->timeline->track[track];
		bool is_of_leader = thread->tgid == tid ||
		                    (thread->tgid < 0 && thread->parent == leader);

		if (!is_of_leader || track == leader ||
		    machine->task[track].kind != SEGMENT_RUNNABLE)
			continue;
		if (heir != TRACK_NONE)
			return TRACK_NONE;
		heir = track;
	}
	return heir;
}
