/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hard and soft interrupts: which are being served on each CPU. They explain a wake-up if no more
 * specific tracker knows the cause.
 */
#include <stdio.h>
#include <string.h>

#include "base/assume.h"
#include "graph/timeline/timeline_tasks.h"
#include "state/trackers.h"

#define SOFTIRQ_BLOCK 4
#define SOFTIRQ_RCU   9
/* A soft interrupt that begins this long after it was raised did not run on the interrupt's
   exit. */
#define LATE_NS 50000

#define VECTORS_MAX 16

/* Interrupts on one CPU. */
struct cpu_irqs {
	/* the last hard interrupt that was left: its thread is woken after that */
	int32_t left;
	uint32_t left_name;
	uint64_t left_activation; /* of LEVEL_HARD */
	/* for softirq_entry: track that raised each vector here; TRACK_NONE: an interrupt, or not
	   seen */
	uint32_t raiser[VECTORS_MAX];
	nsec_t raised[VECTORS_MAX]; /* when first raised since the vector was last entered; 0:
	                               not */
};

CPU_DATA(cpu_irqs, struct cpu_irqs, IRQ)

static void on_irq_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct frame *frame = cpu_enter(machine, cpu, event, FRAME_IRQ);
	struct cpu_irqs *irqs = cpu_irqs(machine, cpu);

	frame->number = (int32_t)event->irq.number;
	frame->name = machine_word(machine, event->irq.name);
	/* a softirq raised before by the task may now be run by this interrupt's exit */
	for (size_t vector = 0; vector < VECTORS_MAX; vector++)
		irqs->raiser[vector] = TRACK_NONE;
}

static void on_irq_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct frame *frame = cpu_top(cpu, (enum context_level)cpu->level);
	struct cpu_irqs *irqs = cpu_irqs(machine, cpu);

	ASSUME(irqs->left_activation <= cpu->activation[LEVEL_HARD]);
	irqs->left = (int32_t)event->irq.number;
	irqs->left_name = frame && frame->kind == FRAME_IRQ ? frame->name : 0;
	irqs->left_activation = cpu->activation[LEVEL_HARD];
	cpu_leave(machine, cpu, FRAME_IRQ, event->irq.number);
}

static void on_softirq_raise(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_irqs *irqs = cpu_irqs(machine, cpu);
	uint64_t vector = (uint64_t)event->irq.number;

	if (vector >= VECTORS_MAX)
		return;
	if (irqs->raised[vector] == 0)
		irqs->raised[vector] = machine->now;
	irqs->raiser[vector] = cpu_doer(cpu);
}

static void on_softirq_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct frame *frame = cpu_enter(machine, cpu, event, FRAME_SOFTIRQ);
	struct cpu_irqs *irqs = cpu_irqs(machine, cpu);
	uint64_t vector = (uint64_t)event->irq.number;

	cpu->activation[LEVEL_SOFT]++;
	frame->number = (int32_t)event->irq.number;
	if (vector >= VECTORS_MAX)
		return;
	ASSUME(irqs->raised[vector] <= machine->now);
	if (irqs->raised[vector])
		frame->begun = irqs->raised[vector];
	frame->beginner = irqs->raiser[vector];
	irqs->raised[vector] = 0;
	irqs->raiser[vector] = TRACK_NONE;
}

static void on_softirq_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	cpu_leave(machine, cpu, FRAME_SOFTIRQ, event->irq.number);
}

/* An interrupt's thread is woken when its handler has been left: irq/NUMBER-NAME. */
static bool irq_wakes_thread(const struct machine *machine, const struct wake *wake)
{
	const struct cpu_irqs *irqs = cpu_irqs(machine, wake->cpu);
	const struct track *track;
	char prefix[24];

	ASSUME(irqs->left_activation <= wake->cpu->activation[LEVEL_HARD]);
	if (wake->wakee == TRACK_NONE || wake->level != LEVEL_HARD ||
	    irqs->left_activation != wake->cpu->activation[LEVEL_HARD])
		return false;
	track = &machine->timeline->track[wake->wakee];
	(void)snprintf(prefix, sizeof(prefix), "irq/%d-", irqs->left);
	return strncmp(timeline_own_name(machine->timeline, timeline_name_at(track, machine->now)),
	               prefix, strlen(prefix)) == 0;
}

/*
 * On some machines the timers that the kernel sets interrupt by a handler of their own, such as
 * arch_timer of ARM or hpet of x86. What ends a wait there is a callback, so the interrupt says no
 * more than that it was a timer.
 */
static bool irq_is_of_timers(const struct machine *machine, const struct frame *frame)
{
	const char *name = intern_text(&machine->timeline->names, frame->name);

	ASSUME(frame->kind == FRAME_IRQ);
	return strcasestr(name, "timer") || strncmp(name, "hpet", 4) == 0 ||
	       strcmp(name, "twd") == 0 || strncmp(name, "mct_", 4) == 0;
}

/* The cause is an interrupt that its frame names, or that wakes its thread. */
static bool irq_explain(const struct machine *machine, const struct wake *wake,
                        struct cause_note *ret)
{
	const struct frame *frame = cpu_top(wake->cpu, wake->level);
	const struct cpu_irqs *irqs = cpu_irqs(machine, wake->cpu);
	const struct task_state *sleeper =
		wake->wakee == TRACK_NONE ? NULL : &machine->task[wake->wakee];
	bool is_of_thread = !frame && irq_wakes_thread(machine, wake);

	ASSUME(wake->level != LEVEL_TASK);
	cause_note_init(ret, CAUSE_INTERRUPT, CONFIDENCE_LOW);
	if (!is_of_thread && (!frame || frame->kind == FRAME_IPI || frame->kind == FRAME_TIMER))
		return true;
	if (frame && frame->kind == FRAME_SOFTIRQ) {
		cause_note_become(ret, frame->number == SOFTIRQ_RCU ? CAUSE_RCU : CAUSE_SOFTIRQ);
		if (ret->kind == CAUSE_SOFTIRQ)
			ret->as.softirq.vector = frame->number;
		ret->name = softirq_name(machine, frame->number);
	} else if (frame && !(machine->hooks.awake & TRACKER_BIT(TIMER)) &&
	           irq_is_of_timers(machine, frame)) {
		/* a timer whose callback was not recorded: programs that sleep are woken by timers
		   that they have set themselves, but for few */
		cause_note_become(ret, CAUSE_TIMER);
		ret->as.timer.is_own = sleeper && sleeper->kind == SEGMENT_WAIT &&
		                       sleeper->detail == 'S' &&
		                       !machine->timeline->track[wake->wakee].is_kernel;
	} else {
		cause_note_become(ret, CAUSE_IRQ);
		ret->as.irq.number = frame ? frame->number : irqs->left;
		ret->name = frame ? frame->name : irqs->left_name;
	}
	ret->confidence = CONFIDENCE_MEDIUM;
	return true;
}

/*
 * A soft interrupt that did not run at once, but in its thread or long after it was raised: the
 * delay is reported apart from what it served.
 */
static void irq_refine(const struct machine *machine, const struct wake *wake,
                       struct cause_note *cause)
{
	const struct cpu *cpu = wake->cpu;
	const struct frame *frame = cause->is_walked ? NULL : cpu_softirq(cpu);

	if (!frame || frame->begun == NSEC_NEVER || machine->now - frame->begun > UINT32_MAX)
		return;
	ASSUME(frame->begun <= frame->entered && frame->entered <= machine->now);
	/* a task that completes a request, such as a loop device's worker, raises the soft
	   interrupt for it: the wake-up is attributed to that task */
	if (cause->kind == CAUSE_DISK && frame->number == SOFTIRQ_BLOCK &&
	    frame->beginner != TRACK_NONE && frame->beginner != wake->wakee) {
		cause->waker = frame->beginner;
		cause->is_walked = true;
	} else if (frame->entered - frame->begun < LATE_NS &&
	           (cpu->current == TRACK_NONE ||
	            machine->task[cpu->current].role != KERNEL_THREAD_SOFTIRQ)) {
		return;
	}
	cause->delay.raised_before = (uint32_t)(machine->now - frame->begun);
	cause->delay.entered_before = (uint32_t)(machine->now - frame->entered);
	cause->delay_vector = (int16_t)frame->number;
	cause->delay.name = softirq_name(machine, frame->number);
}

static void irq_reset_cpu(struct machine *machine, struct cpu *cpu)
{
	struct cpu_irqs *irqs = cpu_irqs(machine, cpu);

	for (size_t vector = 0; vector < VECTORS_MAX; vector++) {
		irqs->raiser[vector] = TRACK_NONE;
		irqs->raised[vector] = 0;
	}
}

const struct tracker irq_tracker = {
	.handlers = HANDLERS(
		{EVENT_IRQ_ENTRY, on_irq_entry},         {EVENT_IRQ_EXIT, on_irq_exit},
		{EVENT_SOFTIRQ_RAISE, on_softirq_raise}, {EVENT_SOFTIRQ_ENTRY, on_softirq_entry},
		{EVENT_SOFTIRQ_EXIT, on_softirq_exit}),
	.explain = {irq_explain, IN_IRQ, 0},
	.refine = {irq_refine, 0, ONLY_SOFT},
	.cpu_bytes = sizeof(struct cpu_irqs),
	.reset_cpu = irq_reset_cpu,
};

/*
 * The threads that serve soft interrupts in place of an interrupt, ksoftirqd and ktimers: they are
 * woken for the work that is left. This tracker is asked early, because the threads are not woken
 * for what the interrupt has served by then, such as a packet or a request. If a timer's callback
 * is open, the timer is the cause, as its callback raises the vector. On some kernels (PREEMPT_RT)
 * they are woken when the flags say task again: the interrupted task is a bystander even so.
 */
static bool softirq_thread_explain(const struct machine *machine, const struct wake *wake,
                                   struct cause_note *ret)
{
	const struct cpu_irqs *irqs = cpu_irqs(machine, wake->cpu);
	bool is_in_task = wake->level == LEVEL_TASK;
	int32_t vector = -1;

	ASSUME(wake->level < LEVEL_COUNT);
	/* the last one raised on the CPU and not entered since. In task context those that the task
	   itself raised do not count: there the task is the waker */
	for (int32_t v = 0; v < VECTORS_MAX; v++)
		if (irqs->raised[v] && (!is_in_task || irqs->raiser[v] == TRACK_NONE) &&
		    (vector < 0 || irqs->raised[v] > irqs->raised[vector]))
			vector = v;
	ASSUME(vector < VECTORS_MAX);
	if (vector < 0 && is_in_task)
		return false;
	if (vector < 0) {
		cause_note_init(ret, CAUSE_INTERRUPT, CONFIDENCE_LOW);
		return true;
	}
	cause_note_init(ret, CAUSE_SOFTIRQ, CONFIDENCE_MEDIUM);
	ret->as.softirq.vector = vector;
	ret->name = softirq_name(machine, vector);
	return true;
}

const struct tracker softirq_thread_tracker = {
	.is_always = true,
	.explain = {softirq_thread_explain, IN_TASK | IN_IRQ, 0},
	.explains_roles = 1u << KERNEL_THREAD_SOFTIRQ | 1u << KERNEL_THREAD_TIMER_SOFTIRQ,
};
