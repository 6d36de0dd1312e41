/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contexts of a CPU. The flags of each event show for certain at which level it was recorded; the
 * stack of frames shows what was being served. Where the two disagree the flags are right: an exit
 * was lost. And which task is on a CPU: each event names it, beside the switches.
 */

#include "base/assume.h"
#include "base/data/array.h"
#include "queue_tracker.h"
#include "tracker.h"

#define CONTEXT_INTERVALS                                                                     \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER))

/* By vector, include/linux/interrupt.h of the kernel; unchanged since 4.x. */
static const char *const softirq_names[] = {
	"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	"IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU",
};

struct contexts {
	uint32_t softirq_name[ARRAY_SIZE(softirq_names)]; /* ids in names; 0: not interned yet */
};

uint32_t softirq_name(const struct machine *machine, int32_t vector)
{
	struct contexts *contexts = machine->own[TRACKER_CONTEXT];

	if ((size_t)vector >= ARRAY_SIZE(softirq_names))
		return 0;
	if (contexts->softirq_name[vector] == 0)
		contexts->softirq_name[vector] =
			intern_adds(&machine->timeline->names, softirq_names[vector]);
	return contexts->softirq_name[vector];
}

static enum context_level event_level(const struct event *event)
{
	if (event->flags & (EVENT_NMI | EVENT_HARDIRQ))
		return LEVEL_HARD;
	return event->flags & EVENT_SOFTIRQ ? LEVEL_SOFT : LEVEL_TASK;
}

/* Drops the frames from `depth` on, which ended unseen. */
static void cpu_drop(struct machine *machine, struct cpu *cpu, uint8_t depth)
{
	bool is_resync = false;

	ASSUME(depth < cpu->depth);
	while (cpu->depth > depth)
		is_resync |= !cpu->frame[--cpu->depth].is_brief;
	machine->health->context_resyncs += is_resync;
}

const struct frame *cpu_softirq(const struct cpu *cpu)
{
	ASSUME(cpu->depth <= CONTEXT_DEPTH_MAX);
	for (unsigned at = cpu->depth; at-- > 0;)
		if (cpu->frame[at].kind == FRAME_SOFTIRQ)
			return &cpu->frame[at];
	return NULL;
}

/*
 * Some kernels (3.10, 4.9) flag as a soft interrupt, too, what a task does with bottom halves off:
 * then the CPU goes on in task context, and enters none. What a soft interrupt does after its exit
 * is still its own. Soft interrupts of PREEMPT_RT are parts of tasks, and go on with them; there,
 * only an event shows that the current task was in task context since it came.
 */
static __attribute__((noinline)) bool task_has_bottom_halves_off(const struct machine *machine,
                                                                 const struct cpu *cpu,
                                                                 enum event_kind kind)
{
	bool is_entry = kind == EVENT_SOFTIRQ_ENTRY || kind == EVENT_TIMER_ENTRY ||
	                kind == EVENT_HRTIMER_ENTRY;

	return !is_entry && !cpu_softirq(cpu) &&
	       (!machine->found.preempts_softirqs ||
	        cpu->event_count - cpu->left_at >
	                cpu->interrupt_count - cpu->left_interrupts + 1);
}

/* Follows the flags of the event; counts exits that were not seen. Changes nothing where
   cpu_stays_in_task(). */
static void cpu_follow_level(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	enum context_level level = event_level(event);
	uint8_t depth = cpu->depth;

	if (level == LEVEL_SOFT && cpu->shows_softirqs && cpu->base_level == LEVEL_TASK &&
	    task_has_bottom_halves_off(machine, cpu, event->kind))
		level = LEVEL_TASK;
	if (event->kind == EVENT_SCHED_SWITCH && depth)
		machine->found.preempts_softirqs |= cpu_softirq(cpu) != NULL;
	if (level != LEVEL_TASK) {
		cpu->interrupt_count++;
		cpu->interrupted = machine->now;
		if (event->flags & (EVENT_RESCHED | EVENT_RESCHED_LAZY))
			cpu->resched = machine->now;
	}
	if (level == cpu->level && (!depth || cpu->frame[depth - 1].level <= level))
		return; /* as before: most events of an interrupt follow each other */
	while (depth && cpu->frame[depth - 1].level > level)
		depth--;
	if (depth != cpu->depth)
		cpu_drop(machine, cpu, depth);
	if (level == LEVEL_HARD) {
		if (cpu->level != LEVEL_HARD)
			cpu->activation[LEVEL_HARD]++;
	} else {
		/* a hard interrupt in between does not make it another soft interrupt */
		if (cpu->base_level != level)
			cpu->activation[level]++;
		cpu->base_level = (uint8_t)level;
	}
	cpu->level = (uint8_t)level;
}

struct frame *cpu_enter(struct machine *machine, struct cpu *cpu, const struct event *event,
                        enum frame_kind kind)
{
	enum context_level level = event_level(event);
	struct frame *frame;

	ASSUME(!cpu->depth || cpu_innermost(cpu)->entered <= machine->now);
	ASSUME(cpu->last <= machine->now);
	if (cpu->depth == CONTEXT_DEPTH_MAX) {
		machine->health->context_resyncs++;
		cpu->depth = 0;
	}
	/* the same level was entered anew: what was served before is over */
	if (kind != FRAME_TIMER && !cpu_top(cpu, level))
		cpu->activation[level]++;
	cpu->shows_softirqs |= kind == FRAME_SOFTIRQ;
	frame = &cpu->frame[cpu->depth++];
	*frame = (struct frame){
		.kind = kind,
		.level = level,
		.entered = machine->now,
		.before = cpu->last,
		.begun = NSEC_NEVER,
		.beginner = TRACK_NONE,
		.task = cpu->current,
	};
	return frame;
}

/* Whether the frame is nested in another interrupt's frame. Frames of timers do not count: a
   timer's callback is part of its interrupt. */
static bool frame_is_nested(const struct cpu *cpu, const struct frame *frame)
{
	ASSUME(frame >= cpu->frame && frame < cpu->frame + CONTEXT_DEPTH_MAX);
	while (frame-- > cpu->frame)
		if (frame->kind != FRAME_TIMER)
			return true;
	return false;
}

/* Whether soft interrupts are the work that the task is scheduled for. */
static bool task_serves_softirqs(const struct machine *machine, uint32_t track)
{
	uint8_t role = track == TRACK_NONE ? KERNEL_THREAD_NONE : machine->task[track].role;

	ASSUME(role < KERNEL_THREAD_COUNT);
	return role == KERNEL_THREAD_SOFTIRQ || role == KERNEL_THREAD_TIMER_SOFTIRQ;
}

/* The frame has been left, or the trace ends in it. */
static void frame_emit(struct machine *machine, const struct cpu *cpu, const struct frame *frame,
                       nsec_t end)
{
	static const enum interval_kind kinds[] = {
		[FRAME_IRQ] = INTERVAL_IRQ,
		[FRAME_SOFTIRQ] = INTERVAL_SOFTIRQ,
		[FRAME_IPI] = INTERVAL_IPI,
		[FRAME_TIMER] = INTERVAL_TIMER,
	};
	struct interval interval = {
		.kind = kinds[frame->kind],
		.cpu = cpu->number,
		.end = end,
		.phase = {frame->begun, frame->entered},
		.is_open = frame < cpu->frame + cpu->depth,
		.task = frame->task,
		.other = frame->beginner,
	};

	ASSUME(frame->entered <= end);
	ASSUME(frame->begun == NSEC_NEVER || frame->begun <= frame->entered);
	if (frame->kind == FRAME_TIMER) {
		interval.task = frame->beginner;
		interval.other = frame->task;
		interval.timer.function = frame->name;
		interval.timer.timer = frame->timer;
		interval.timer.is_soft = frame->level != LEVEL_HARD;
	} else {
		interval.irq.number = frame->number;
		interval.irq.name = frame->kind == FRAME_SOFTIRQ
		                            ? softirq_name(machine, frame->number)
		                            : frame->name;
		interval.irq.is_nested = frame_is_nested(cpu, frame);
		interval.irq.is_call = frame->is_call;
		interval.irq.is_threaded = frame->kind == FRAME_SOFTIRQ &&
		                           task_serves_softirqs(machine, frame->task);
	}
	machine_emit_interval(machine, &interval);
}

static void contexts_close(struct machine *machine, nsec_t end)
{
	ASSUME(machine->now <= end);
	MACHINE_CPU_EACH(machine, cpu) {
		for (unsigned at = cpu->depth; at-- > 0;)
			frame_emit(machine, cpu, &cpu->frame[at], end);
		if (cpu->current == cpu->idle)
			cpu_emit_idle(machine, cpu, end, /* is_open= */ true);
	}
}

void cpu_leave(struct machine *machine, struct cpu *cpu, enum frame_kind kind, int64_t number)
{
	uint8_t depth = cpu->depth;

	ASSUME(cpu->depth <= CONTEXT_DEPTH_MAX);
	while (depth && cpu->frame[depth - 1].kind != kind)
		depth--;
	/* the frame's entry lies before the trace, or was lost */
	if (depth == 0)
		return;
	if (depth != cpu->depth)
		cpu_drop(machine, cpu, depth);
	cpu->depth = (uint8_t)(depth - 1);
	if (machine->interval_kinds & CONTEXT_INTERVALS &&
	    cpu->frame[cpu->depth].number == number)
		frame_emit(machine, cpu, &cpu->frame[cpu->depth], machine->now);
}

const struct frame *cpu_top(const struct cpu *cpu, enum context_level level)
{
	const struct frame *frame = cpu_innermost(cpu);

	ASSUME(cpu->depth <= CONTEXT_DEPTH_MAX && level < LEVEL_COUNT);
	return frame && frame->level == level ? frame : NULL;
}

struct frame *cpu_timer(const struct cpu *cpu)
{
	struct frame *frame = cpu_innermost(cpu);

	return frame && frame->level == (enum context_level)cpu->level &&
	               frame->kind == FRAME_TIMER ? frame : NULL;
}

uint32_t cpu_sender(const struct cpu *cpu)
{
	const struct frame *frame = cpu->level == LEVEL_SOFT ? cpu_top(cpu, LEVEL_SOFT) : NULL;

	return frame && cpu_is_own_send(cpu, frame) ? cpu->current : cpu_doer(cpu);
}

static void context_reset_cpu(struct machine *machine, struct cpu *cpu)
{
	(void)machine;
	cpu->depth = 0;
	cpu->shows_softirqs = false;
	cpu->level = LEVEL_TASK;
	cpu->base_level = LEVEL_TASK;
	for (size_t level = 0; level < LEVEL_COUNT; level++)
		cpu->activation[level]++;
	cpu->woken = TRACK_NONE;
	cpu->left = TRACK_NONE;
}

void cpu_sight(const struct cpu *cpu, struct sighting *sighting, const struct cause_note *note)
{
	ASSUME(cpu->activation[cpu->level] != 0); /* 0 is for what was not seen */
	*sighting = (struct sighting){
		.note = *note,
		.level = (enum context_level)cpu->level,
		.activation = cpu->activation[cpu->level],
		.task = cpu->current,
	};
}

bool cpu_sees(const struct cpu *cpu, const struct sighting *sighting)
{
	ASSUME(sighting->activation <= cpu->activation[sighting->level]);
	return sighting->activation != 0 && sighting->level == cpu->level &&
	       sighting->activation == cpu->activation[cpu->level] &&
	       (cpu->level != LEVEL_TASK || sighting->task == cpu->current);
}

const struct tracker context_tracker = {
	.own_bytes = sizeof(struct contexts),
	.reset_cpu = context_reset_cpu,
	.close = contexts_close,
};

/* A task that comes back unseen after longer than this may have to get a lock of its own. */
#define SWITCH_MAX 100000u

static void cpu_emit(struct machine *machine, const struct cpu *cpu, uint32_t task, nsec_t begin,
                     nsec_t end, bool is_open)
{
	struct interval interval = interval_of(INTERVAL_CPU, cpu->number, task, begin, end);

	ASSUME(machine->begin <= begin);
	interval.is_open = is_open;
	if (begin < end)
		machine_emit_interval(machine, &interval);
}

void cpu_emit_idle(struct machine *machine, const struct cpu *cpu, nsec_t t, bool is_open)
{
	if (!machine_wants(machine, INTERVAL_CPU) || cpu->idle == TRACK_NONE ||
	    machine->task[cpu->idle].kind != SEGMENT_RUN)
		return;
	ASSUME(machine->task[cpu->idle].since <= t);
	cpu_emit(machine, cpu, cpu->idle, machine->task[cpu->idle].since, t, is_open);
}

void cpu_drop_current(struct machine *machine, struct cpu *cpu)
{
	const struct task_state *task = &machine->task[cpu->current];

	ASSUME(cpu->current != TRACK_NONE);
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
	ASSUME(machine_owns(machine, cpu->current));
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
	ASSUME(cpu->current == TRACK_NONE || cpu->current_tid != tid);
	if (tid == 0)
		cpu_end_stopper(machine, cpu);
	if (cpu->current == TRACK_NONE)
		return;
	machine->health->inconsistencies++;
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
			track = machine_new_generation(machine, track, tid);
		} else {
			machine_move_track(machine, cpu, machine->timeline->track[heir].tid, track,
			                   tid);
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
                              const struct event *event, uint32_t leader)
{
	int64_t tid = event->tid;
	const struct track *heir;

	if (cpu->current == TRACK_NONE || cpu->current == cpu->idle || tid == 0 ||
	    leader == TRACK_NONE)
		return false;
	ASSUME(machine_owns(machine, leader));
	/* at a switch, an exiting leader is the task that leaves */
	if (machine->task[leader].kind != SEGMENT_DEAD &&
	    (!machine->task[leader].is_exiting || event->kind == EVENT_SCHED_SWITCH))
		return false;
	heir = &machine->timeline->track[cpu->current];
	return machine->task[cpu->current].kind == SEGMENT_RUN &&
	       (heir->tgid == tid || heir->tgid < 0);
}

/*
 * Whether the event, which names another task than the current one, belongs to the last switch: an
 * event of the task that leaves, such as its stack. After recording a switch, and before
 * switch_to(), the kernel changes memory maps and their ids on the CPU (context_switch()) as that
 * task: it may have to wait for a spinlock.
 */
static bool cpu_is_switching(const struct machine *machine, struct cpu *cpu,
                             const struct event *event)
{
	bool may_be = event->kind == EVENT_STACK || event->kind == EVENT_LOCK_END ||
	              (event->kind == EVENT_LOCK_BEGIN && machine->now <= cpu->last + SWITCH_MAX);

	ASSUME(cpu->switching_at <= cpu->event_count && cpu->left_at <= cpu->switching_at);
	if (!may_be || cpu->switching_at + 1 != cpu->event_count || cpu->left == TRACK_NONE ||
	    machine->timeline->track[cpu->left].tid != event->tid)
		return false;
	cpu->switching_at = cpu->event_count;
	return true;
}

/* Makes the task that the event names the current one, whether or not that was known: each event
   names the task that is current. */
static void cpu_follow_current(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t leader;

	ASSUME(cpu->current == TRACK_NONE || cpu->current_tid != event->tid);
	if (event->kind == EVENT_PROCESS_EXEC && event->process.other_tid == cpu->current_tid)
		return;
	/* the first event of a CPU is no switch: its task has run since the trace began */
	if (cpu->event_count == 1 && machine_wants(machine, INTERVAL_CPU) && !cpu->is_after_gap &&
	    !machine->setup.lacks_switches)
		cpu_emit(machine, cpu, machine_track(machine, cpu, event->tid), machine->begin,
		         machine->now, /* is_open= */ false);
	leader = machine_find_track(machine, cpu, event->tid);
	if (cpu_is_new_leader(machine, cpu, event, leader)) {
		machine_move_track(machine, cpu, cpu->current_tid, leader, event->tid);
		return;
	}
	/* a switch itself names the task that left */
	if (event->kind != EVENT_SCHED_SWITCH)
		(void)cpu_replace_current(machine, cpu, event->tid);
}

void cpu_event_elsewhere(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (event->tid != cpu->current_tid || cpu->current == TRACK_NONE) {
		bool is_switching = cpu_is_switching(machine, cpu, event);

		if (event->kind != EVENT_STACK && event->kind != EVENT_USER_STACK && is_switching)
			return;
		if (event->kind != EVENT_STACK)
			cpu_follow_current(machine, cpu, event);
	}
	cpu_follow_level(machine, cpu, event);
	ASSUME(machine->cpu[cpu->number] == cpu && cpu->last <= machine->now);
	ASSUME(cpu->depth <= CONTEXT_DEPTH_MAX && cpu->level < LEVEL_COUNT);
	ASSUME(cpu->base_level != LEVEL_HARD); /* it is what a hard interrupt interrupts */
	ASSUME(cpu->current == TRACK_NONE || cpu->current < machine->track_end);
	machine->handler[event->kind](machine, cpu, event);
}
