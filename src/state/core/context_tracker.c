/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contexts of a CPU. The flags of each event show for certain at which level it was recorded; the
 * stack of frames shows what was being served. Where the two disagree the flags are right: an exit
 * was lost.
 */
#include "base/data/array.h"
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

	while (cpu->depth > depth)
		is_resync |= !cpu->frame[--cpu->depth].is_brief;
	machine->health->context_resyncs += is_resync;
}

void cpu_follow_level(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	enum context_level level = event_level(event);
	uint8_t depth = cpu->depth;

	if (level != LEVEL_TASK) {
		cpu->interrupted = machine->now;
		if (event->flags & (EVENT_RESCHED | EVENT_RESCHED_LAZY))
			cpu->resched = machine->now;
	}
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

	if (cpu->depth == CONTEXT_DEPTH_MAX) {
		machine->health->context_resyncs++;
		cpu->depth = 0;
	}
	/* the same level was entered anew: what was served before is over */
	if (kind != FRAME_TIMER && !cpu_top(cpu, level))
		cpu->activation[level]++;
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
	while (frame-- > cpu->frame)
		if (frame->kind != FRAME_TIMER)
			return true;
	return false;
}

/* Whether soft interrupts are the work that the task is scheduled for. */
static bool task_serves_softirqs(const struct machine *machine, uint32_t track)
{
	uint8_t role = track == TRACK_NONE ? KERNEL_THREAD_NONE : machine->task[track].role;

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
		interval.irq.is_threaded = frame->kind == FRAME_SOFTIRQ &&
		                           task_serves_softirqs(machine, frame->task);
	}
	machine_emit_interval(machine, &interval);
}

static void contexts_close(struct machine *machine, nsec_t end)
{
	for (uint32_t number = 0; number < machine->cpu_count; number++) {
		const struct cpu *cpu = machine->cpu[number];

		for (unsigned at = cpu ? cpu->depth : 0; at-- > 0;)
			frame_emit(machine, cpu, &cpu->frame[at], end);
		if (cpu && cpu->current == cpu->idle)
			cpu_emit_idle(machine, cpu, end, /* is_open= */ true);
	}
}

void cpu_leave(struct machine *machine, struct cpu *cpu, enum frame_kind kind, int64_t number)
{
	uint8_t depth = cpu->depth;

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
	if (cpu->depth == 0 || cpu->frame[cpu->depth - 1].level != level)
		return NULL;
	return &cpu->frame[cpu->depth - 1];
}

struct frame *cpu_timer(struct cpu *cpu)
{
	struct frame *frame = cpu->depth ? &cpu->frame[cpu->depth - 1] : NULL;

	return frame && frame->level == (enum context_level)cpu->level &&
	               frame->kind == FRAME_TIMER ? frame : NULL;
}

uint32_t cpu_sender(const struct cpu *cpu)
{
	const struct frame *frame = cpu->level == LEVEL_SOFT ? cpu_top(cpu, LEVEL_SOFT) : NULL;

	return frame && cpu_is_own_send(cpu, frame) ? cpu->current : cpu_doer(cpu);
}

static void context_forget_cpu(struct machine *machine, struct cpu *cpu)
{
	(void)machine;
	cpu->depth = 0;
	cpu->level = LEVEL_TASK;
	cpu->base_level = LEVEL_TASK;
	for (size_t level = 0; level < LEVEL_COUNT; level++)
		cpu->activation[level]++;
	cpu->woken = TRACK_NONE;
	cpu->left = TRACK_NONE;
}

void cpu_sight(const struct cpu *cpu, struct sighting *sighting, const struct cause_note *note)
{
	*sighting = (struct sighting){
		.note = *note,
		.level = (enum context_level)cpu->level,
		.activation = cpu->activation[cpu->level],
		.task = cpu->current,
	};
}

bool cpu_sees(const struct cpu *cpu, const struct sighting *sighting)
{
	return sighting->activation != 0 && sighting->level == cpu->level &&
	       sighting->activation == cpu->activation[cpu->level] &&
	       (cpu->level != LEVEL_TASK || sighting->task == cpu->current);
}

const struct tracker context_tracker = {
	.name = "context",
	.own_bytes = sizeof(struct contexts),
	.begin_cpu = context_forget_cpu,
	.forget_cpu = context_forget_cpu,
	.close = contexts_close,
};
