/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which task is on a CPU: each event names it, beside the switches. */
#include "queue_tracker.h"
#include "tracker.h"

/* A task that comes back unseen after longer than this may have to get a lock of its own. */
#define SWITCH_MAX 100000u

static void cpu_emit(struct machine *machine, const struct cpu *cpu, struct interval interval)
{
	interval.kind = INTERVAL_CPU;
	interval.cpu = cpu->number;
	interval.phase[0] = interval.phase[1] = NSEC_NEVER;
	interval.other = TRACK_NONE;
	if (interval.begin < interval.end)
		machine_emit_interval(machine, &interval);
}

void cpu_emit_idle(struct machine *machine, const struct cpu *cpu, nsec_t t, bool is_open)
{
	if (!machine_wants(machine, INTERVAL_CPU) || cpu->idle == TRACK_NONE ||
	    machine->task[cpu->idle].kind != SEGMENT_RUN)
		return;
	cpu_emit(machine, cpu, (struct interval){
				       .begin = machine->task[cpu->idle].since,
				       .end = t,
				       .is_open = is_open,
				       .task = cpu->idle,
			       });
}

/* The CPU's first event is no switch, so the task that it names has run since the trace began. */
static void cpu_emit_first(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu->is_after_gap || machine->setup.lacks_switches)
		return;
	cpu_emit(machine, cpu, (struct interval){
				       .begin = machine->begin,
				       .end = machine->now,
				       .task = machine_track(machine, cpu, event->tid),
			       });
}

void cpu_drop_current(struct machine *machine, struct cpu *cpu)
{
	const struct task_state *task = &machine->task[cpu->current];

	if (cpu->current == cpu->idle)
		cpu_emit_idle(machine, cpu, machine->now, /* is_open= */ false);
	if (task->kind == SEGMENT_RUN && task->cpu == cpu->number)
		task_become(machine, cpu->current, machine->now, SEGMENT_UNKNOWN, 0, NULL);
	cpu->current = TRACK_NONE;
}

void cpu_end_stopper(struct machine *machine, struct cpu *cpu)
{
	const struct task_state *task;

	if (cpu->current == TRACK_NONE)
		return;
	task = &machine->task[cpu->current];
	if (task->role != KERNEL_THREAD_STOPPER || task->kind != SEGMENT_RUN ||
	    task->cpu != (uint16_t)cpu->number)
		return;
	task_become(machine, cpu->current, nsec_max(cpu->last, task->since), SEGMENT_UNKNOWN, 0,
	            NULL);
	cpu->current = TRACK_NONE;
}

void cpu_lose_current(struct machine *machine, struct cpu *cpu, int64_t tid)
{
	if (tid == 0)
		cpu_end_stopper(machine, cpu);
	if (cpu->current == TRACK_NONE)
		return;
	machine_contradict(machine);
	cpu_drop_current(machine, cpu);
}

uint32_t cpu_replace_current(struct machine *machine, struct cpu *cpu, int64_t tid)
{
	/* the switch was not recorded */
	bool is_unseen = cpu->current != TRACK_NONE && !machine->setup.lacks_switches;
	bool was_idle = is_unseen && cpu->current == cpu->idle;
	uint32_t track;

	if (was_idle) {
		machine->health->switches_missing++;
		cpu_emit_idle(machine, cpu, machine->now, /* is_open= */ false);
		task_become(machine, cpu->idle, machine->now, SEGMENT_RUNNABLE, 0, NULL);
		queue_end_idle(machine, cpu, cpu->last);
	} else if (is_unseen) {
		cpu_lose_current(machine, cpu, tid);
	}
	track = machine_track(machine, cpu, tid);
	if (track != TRACK_NONE && machine->task[track].kind == SEGMENT_DEAD) {
		uint32_t heir = was_idle ? machine_find_heir(machine, track) : TRACK_NONE;

		if (heir == TRACK_NONE) {
			track = machine_new_generation(machine, tid);
		} else {
			machine_move_track(machine, cpu, machine->timeline->track[heir].tid, tid);
			track = heir;
		}
	}
	cpu->current = track;
	cpu->current_tid = tid;
	if (track == TRACK_NONE || machine->task[track].kind == SEGMENT_RUN)
		return track; /* it runs on another CPU, as far as known */
	task_run(machine, track, cpu->number, was_idle ? cpu->last : machine->now);
	machine->task[track].is_doubtful = cpu->is_after_gap || is_unseen;
	return track;
}

/*
 * A thread that executes a program takes over the tid of its leader, which is dead by then or about
 * to leave its CPU. Other events show the new tid before the exec event does.
 */
static bool cpu_is_new_leader(const struct machine *machine, const struct cpu *cpu,
                              const struct event *event)
{
	int64_t tid = event->tid;
	uint32_t leader = machine_find_track(machine, cpu, tid);
	const struct track *heir;

	if (cpu->current == TRACK_NONE || cpu->current == cpu->idle || tid == 0 ||
	    leader == TRACK_NONE)
		return false;
	/* at a switch, an exiting leader is the task that leaves */
	if (machine->task[leader].kind != SEGMENT_DEAD &&
	    (!machine->task[leader].is_exiting || event->kind == EVENT_SCHED_SWITCH))
		return false;
	heir = &machine->timeline->track[cpu->current];
	return machine->task[cpu->current].kind == SEGMENT_RUN &&
	       (heir->tgid == tid || heir->tgid < 0);
}

/* After recording a switch, and before switch_to(), the kernel changes memory maps and their ids on
   the CPU (context_switch()) as the task that leaves: it may have to wait for a spinlock. */
bool cpu_is_switching(const struct machine *machine, struct cpu *cpu, const struct event *event)
{
	bool may_be = event->kind == EVENT_STACK || event->kind == EVENT_LOCK_END ||
	              (event->kind == EVENT_LOCK_BEGIN && machine->now <= cpu->last + SWITCH_MAX);

	if (!may_be || cpu->switching_at + 1 != cpu->event_count || cpu->left == TRACK_NONE ||
	    machine->timeline->track[cpu->left].tid != event->tid)
		return false;
	cpu->switching_at = cpu->event_count;
	return true;
}

/* Each event names the task that is current. */
void cpu_follow_current(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (event->kind == EVENT_PROCESS_EXEC && event->process.other_tid == cpu->current_tid)
		return;
	if (cpu->event_count == 1 && machine_wants(machine, INTERVAL_CPU))
		cpu_emit_first(machine, cpu, event);
	if (cpu_is_new_leader(machine, cpu, event)) {
		machine_move_track(machine, cpu, cpu->current_tid, event->tid);
		return;
	}
	/* a switch itself names the task that left */
	if (event->kind != EVENT_SCHED_SWITCH)
		(void)cpu_replace_current(machine, cpu, event->tid);
}
