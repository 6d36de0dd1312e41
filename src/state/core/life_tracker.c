/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Birth, change of identity and end of tasks: fork, exec by a thread that becomes the leader, a new
 * name, and the release by the kernel of a task whose end was not seen.
 */
#include "base/assume.h"
#include "queue_tracker.h"
#include "state/tasks/task_call.h"
#include "tracker.h"

#include <string.h>

/* Bits of clone_flags, include/uapi/linux/sched.h. */
#define FLAG_CLONE_VFORK  0x4000
#define FLAG_CLONE_THREAD 0x10000

/* A task is born. Two tracepoints record it; at the second one nothing is left to do. */
static uint32_t task_be_born(struct machine *machine, struct cpu *cpu, int64_t tid)
{
	uint32_t track = machine_find_track(machine, cpu, tid), parent = cpu->current;
	struct timeline *timeline = machine->timeline;
	struct track *child;

	if (tid == 0)
		return TRACK_NONE;
	if (track != TRACK_NONE && machine->task[track].kind == SEGMENT_NEW)
		return track;
	track = machine_new_generation(machine, track, tid);
	if (track == TRACK_NONE)
		return TRACK_NONE;
	/* it did not exist before, so its past is known */
	machine->task[track].kind = SEGMENT_NEW;
	machine->task[track].since = machine->now;
	child = &timeline->track[track];
	child->born = machine->now;
	if (cpu->level == LEVEL_TASK && parent != TRACK_NONE && parent != cpu->idle) {
		child->parent = parent;
		child->is_target |= timeline->track[parent].is_target;
		child->is_kernel = timeline->track[parent].tid == 2;
		child->is_program_seen = timeline->track[parent].is_program_seen;
		child->accepts = timeline->track[parent].accepts;
		child->listens = timeline->track[parent].listens;
		if (!program_log_is_empty(&timeline->programs))
			program_log_fork(&timeline->programs, track, machine->now,
			                 timeline_program_at(timeline, parent, machine->now));
	}
	return track;
}

/* What clone_flags show of a new task. */
static void child_take_flags(struct machine *machine, uint32_t track, uint64_t flags)
{
	struct track *child = &machine->timeline->track[track];
	struct track *parent =
		child->parent == TRACK_NONE ? NULL : &machine->timeline->track[child->parent];

	ASSUME(child->parent == TRACK_NONE || machine_owns(machine, child->parent));
	machine->task[track].is_vforked = flags & FLAG_CLONE_VFORK;
	if (!(flags & FLAG_CLONE_THREAD)) {
		child->tgid = child->tid;
		if (parent)
			machine->timeline->track[machine_leader(machine, child->parent)].has_asked =
				true;
	} else if (parent) {
		child->tgid = parent->tgid;
		parent->thread = parent->thread == TRACK_NONE ? track : child->parent;
		/* if the parent is not the first thread, that one is marked already */
		machine->task[track].is_threaded = machine->task[child->parent].is_threaded = true;
	}
	syscall_note_fork(machine, track, flags);
	child->is_recorder = parent && parent->is_recorder && child->tgid == parent->tgid;
}

static void on_birth(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	bool is_woken = event->kind == EVENT_SCHED_WAKEUP_NEW;
	uint32_t track = task_be_born(machine, cpu,
	                              is_woken ? event->wake.tid : event->process.tid);

	if (track == TRACK_NONE)
		return;
	ASSUME(machine->task[track].kind == SEGMENT_NEW);
	cpu_note_act(machine, cpu);
	machine_name(machine, track, is_woken ? event->wake.comm : event->process.comm);
	if (event->kind == EVENT_NEWTASK)
		child_take_flags(machine, track, event->process.clone_flags);
	if (machine->timeline->track[track].born == machine->now)
		group_be_born(machine, track);
	if (!is_woken)
		return;
	task_set_priority(machine, track, event->wake.priority);
	task_become(machine, track, machine->now, SEGMENT_RUNNABLE, RUNNABLE_NEW, NULL);
	if (event->wake.cpu < 0)
		return;
	machine->task[track].cpu = (uint16_t)event->wake.cpu;
	queue_put(machine, track, machine->task[track].cpu);
}

static void program_executed(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct text *filename = &event->process.comm;
	uint32_t track = machine_track(machine, cpu, event->process.tid);
	struct interval interval =
		interval_of(INTERVAL_EXEC, event->cpu, track, machine->now, machine->now);

	if (track == TRACK_NONE)
		return;
	if (!program_log_is_empty(&machine->timeline->programs))
		program_log_exec(&machine->timeline->programs, track,
		                 machine_process_id(machine, (int32_t)event->process.tid),
		                 machine->now);
	if (filename->length && machine_wants(machine, INTERVAL_EXEC))
		interval.exec.filename =
			intern_add(&machine->timeline->names, filename->at,
		                   strnlen(filename->at, filename->length));
	machine_emit_interval(machine, &interval);
}

/* A thread that is not the leader executes a program and becomes the leader: same task. */
static void on_exec(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	int64_t from = event->process.other_tid, to = event->process.tid;
	uint32_t parent = cpu->current == TRACK_NONE
	                          ? TRACK_NONE
	                          : machine->timeline->track[cpu->current].parent;

	/* a parent that no longer waits has gone on, and does not wait for this exec any more */
	if (cpu->current != TRACK_NONE &&
	    (parent == TRACK_NONE || machine->task[parent].kind != SEGMENT_WAIT))
		machine->task[cpu->current].is_vforked = false;
	/* otherwise the task has been seen already, by its new tid */
	if (from != to && from > 0 && to > 0 &&
	    machine_find_track(machine, cpu, from) == cpu->current)
		machine_move_track(machine, cpu, from, machine_find_track(machine, cpu, to), to);
	if (cpu->current != TRACK_NONE && cpu->current != cpu->idle) {
		struct track *track = &machine->timeline->track[cpu->current];

		/* what executes a program is the first thread of its process */
		if (track->tgid < 0 && track->tid == to)
			track->tgid = track->tid;
		track->is_program_seen = true;
		track->accepts = false;
		track->listens = false;
		track->has_asked = false;
		syscall_note_exec(machine, cpu->current);
	}
	if (to > 0 && (!program_log_is_empty(&machine->timeline->programs) ||
	               machine_wants(machine, INTERVAL_EXEC)))
		program_executed(machine, cpu, event);
}

/* The task ended some time ago; its wait has no known waker. */
static void task_die_unseen(struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];
	bool is_wait = task->kind == SEGMENT_WAIT && !task->is_tentative;
	struct cause_note cause;

	ASSUME(task->kind != SEGMENT_RUN && task->kind != SEGMENT_DEAD);
	if (task->since >= machine->gap_end) /* otherwise its end was among the lost events */
		machine->health->inconsistencies++;
	if (is_wait)
		machine_explain_unwoken(machine, track, &cause);
	machine->health->waits_without_waker += is_wait;
	task_become(machine, track, machine->now, SEGMENT_DEAD, 0, is_wait ? &cause : NULL);
}

static void on_free(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = machine_find_track(machine, cpu, event->process.tid), heir;

	if (track == TRACK_NONE || event->process.tid == 0)
		return;
	ASSUME(machine_owns(machine, track));
	/* since Linux 5.8, a replaced leader is freed by the tid that it got from the thread */
	heir = machine->timeline->track[track].succession.heir;
	if (heir != TRACK_NONE)
		machine->task[heir].has_unfreed_former = false;
	/* the kernel frees a task a grace period after its end: the tid may be in use again */
	if (machine->task[track].has_unfreed_former) {
		machine->task[track].has_unfreed_former = false;
		return;
	}
	if (machine->task[track].kind != SEGMENT_DEAD) { /* its end was not seen */
		if (machine->task[track].kind == SEGMENT_RUN)
			return; /* so the event is not about this task */
		task_die_unseen(machine, track);
	}
	id_table_drop(&machine->track_by_tid, (uint64_t)event->process.tid);
}

static void on_rename(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	int64_t tid = event->process.tid ? event->process.tid : event->tid;
	uint32_t track = machine_find_track(machine, cpu, tid);

	if (track != TRACK_NONE && tid != 0)
		machine_name(machine, track, event->process.comm);
}

const struct tracker life_tracker = {
	.handlers = HANDLERS(
		{EVENT_SCHED_WAKEUP_NEW, on_birth},
		{EVENT_PROCESS_FORK, on_birth},
		{EVENT_NEWTASK, on_birth},
		{EVENT_PROCESS_EXEC, on_exec},
		{EVENT_PROCESS_FREE, on_free},
		{EVENT_TASK_RENAME, on_rename}),
};
