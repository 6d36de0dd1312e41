/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hard and soft interrupts and calls between processors: which are being served on each CPU.
 * Explains a wake-up by them where nothing that they served is known better.
 */
#include "tracker.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

#define SOFTIRQ_BLOCK 4
#define SOFTIRQ_RCU   9
/* A soft interrupt that begins so long after it was raised did not run on the interrupt's exit. */
#define LATE_NS 50000

/* By vector, include/linux/interrupt.h of the kernel; unchanged since 4.x. */
static const char *const softirq_names[] = {
	"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	"IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU",
};

/* Whether the frame is one inside another interrupt's; a timer's callback is part of one. */
static bool frame_is_nested(const struct cpu *cpu, const struct frame *frame)
{
	while (frame-- > cpu->frame)
		if (frame->kind != FRAME_TIMER)
			return true;
	return false;
}

/* The frame has been left, or the trace ends in it. */
static void frame_tell(struct machine *machine, const struct cpu *cpu, const struct frame *frame,
                       nsec_t end)
{
	static const enum interval_kind kinds[] = {
		[FRAME_IRQ] = INTERVAL_IRQ,
		[FRAME_SOFTIRQ] = INTERVAL_SOFTIRQ,
		[FRAME_IPI] = INTERVAL_IPI,
	};
	bool is_softirq = frame->kind == FRAME_SOFTIRQ;
	struct interval interval = {
		.kind = kinds[frame->kind],
		.cpu = cpu->number,
		.end = end,
		.phase = {frame->raised ? frame->raised : NSEC_NEVER, frame->entered},
		.is_open = frame < cpu->frame + cpu->depth,
		.task = frame->task,
		.other = frame->raiser,
		.irq = {
			.number = frame->number,
			.name = is_softirq ? softirq_name(machine, frame->number) : frame->name,
			.is_nested = frame_is_nested(cpu, frame),
		},
	};

	machine_tell_interval(machine, &interval);
}

static void irq_close(struct machine *machine, nsec_t end)
{
	for (uint32_t number = 0; number < machine->cpu_count; number++) {
		const struct cpu *cpu = machine->cpu[number];

		for (unsigned at = cpu ? cpu->depth : 0; at-- > 0;)
			if (cpu->frame[at].kind != FRAME_TIMER)
				frame_tell(machine, cpu, &cpu->frame[at], end);
	}
}

static void on_irq_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct frame *frame = cpu_push(machine, cpu, event, FRAME_IRQ);

	frame->number = (int32_t)event->irq.number;
	if (event->irq.name.length)
		frame->name = intern_add(&machine->timeline->names, event->irq.name.at,
		                         event->irq.name.length);
	/* a softirq raised before by the task may now be run by this interrupt's exit */
	for (size_t vector = 0; vector < VECTORS_MAX; vector++)
		cpu->raiser[vector] = LINE_NONE;
}

static void on_irq_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct frame *frame = cpu_top(cpu, cpu->level);
	const struct frame *left;

	cpu->left_irq = (int32_t)event->irq.number;
	cpu->left_name = frame && frame->kind == FRAME_IRQ ? frame->name : 0;
	cpu->left_activation = cpu->activation[LEVEL_HARD];
	left = cpu_pop(machine, cpu, FRAME_IRQ);
	if (left && left->number == event->irq.number && machine_wants(machine, INTERVAL_IRQ))
		frame_tell(machine, cpu, left, machine->now);
}

static void on_softirq_raise(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint64_t vector = (uint64_t)event->irq.number;

	if (vector >= VECTORS_MAX)
		return;
	if (cpu->raised[vector] == 0)
		cpu->raised[vector] = machine->now;
	cpu->raiser[vector] = cpu->level == LEVEL_TASK && cpu->current != cpu->idle
	                              ? cpu->current
	                              : LINE_NONE;
}

static void on_softirq_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct frame *frame = cpu_push(machine, cpu, event, FRAME_SOFTIRQ);
	uint64_t vector = (uint64_t)event->irq.number;

	cpu->activation[LEVEL_SOFT]++;
	frame->number = (int32_t)event->irq.number;
	if (vector >= VECTORS_MAX)
		return;
	frame->raised = cpu->raised[vector];
	frame->raiser = cpu->raiser[vector];
	cpu->raised[vector] = 0;
	cpu->raiser[vector] = LINE_NONE;
}

static void on_softirq_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct frame *left = cpu_pop(machine, cpu, FRAME_SOFTIRQ);

	if (left && left->number == event->irq.number && machine_wants(machine, INTERVAL_SOFTIRQ))
		frame_tell(machine, cpu, left, machine->now);
}

static void on_ipi_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)cpu_push(machine, cpu, event, FRAME_IPI);
}

static void on_ipi_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct frame *left = cpu_pop(machine, cpu, FRAME_IPI);

	(void)event;
	if (left && machine_wants(machine, INTERVAL_IPI))
		frame_tell(machine, cpu, left, machine->now);
}

uint32_t softirq_name(const struct machine *machine, int32_t vector)
{
	if ((size_t)vector >= ARRAY_SIZE(softirq_names))
		return 0;
	return intern_adds(&machine->timeline->names, softirq_names[vector]);
}

static void explain_softirq(const struct machine *machine, const struct frame *frame,
                            struct cause_note *note)
{
	cause_note_become(note, frame->number == SOFTIRQ_RCU ? CAUSE_RCU : CAUSE_SOFTIRQ);
	note->confidence = CONFIDENCE_MEDIUM;
	if (note->kind == CAUSE_SOFTIRQ)
		note->as.softirq.vector = frame->number;
	note->name = softirq_name(machine, frame->number);
}

/* An interrupt's thread is woken when its handler has been left: irq/NUMBER-NAME. */
static bool irq_wakes_thread(const struct machine *machine, const struct wake *wake)
{
	const struct cpu *cpu = wake->cpu;
	const struct line *line;
	char prefix[24];

	if (wake->wakee == LINE_NONE || wake->level != LEVEL_HARD ||
	    cpu->left_activation != cpu->activation[LEVEL_HARD])
		return false;
	line = &machine->timeline->line[wake->wakee];
	(void)snprintf(prefix, sizeof(prefix), "irq/%d-", cpu->left_irq);
	return strncmp(intern_text(&machine->timeline->names,
	                           timeline_name_at(line, machine->now)),
	               prefix, strlen(prefix)) == 0;
}

/* Asked last of those that know interrupts: an interrupt without identity is still no task. */
static bool irq_explain(const struct machine *machine, const struct wake *wake,
                        struct cause_note *ret)
{
	const struct frame *frame = cpu_top(wake->cpu, wake->level);

	cause_note_init(ret, wake->level == LEVEL_HARD ? CAUSE_IRQ : CAUSE_SOFTIRQ, CONFIDENCE_LOW);
	if (ret->kind == CAUSE_IRQ)
		ret->as.irq.number = -1;
	else
		ret->as.softirq.vector = -1;
	if (!frame && irq_wakes_thread(machine, wake)) {
		ret->as.irq.number = wake->cpu->left_irq;
		ret->name = wake->cpu->left_name;
		ret->confidence = CONFIDENCE_MEDIUM;
	}
	if (!frame)
		return true;
	if (frame->kind == FRAME_SOFTIRQ) {
		explain_softirq(machine, frame, ret);
	} else if (frame->kind == FRAME_IPI) {
		cause_note_become(ret, CAUSE_IPI);
		ret->confidence = CONFIDENCE_MEDIUM;
	} else if (frame->kind == FRAME_IRQ) {
		ret->as.irq.number = frame->number;
		ret->name = frame->name;
		ret->confidence = CONFIDENCE_MEDIUM;
	}
	return true;
}

/* A task that completes a request, a loop device's worker say, raises the soft interrupt that tells
   of it: the wake-up is its doing. */
static bool frame_completes_for_task(const struct frame *frame, const struct cause_note *cause)
{
	return cause->kind == CAUSE_DISK && frame->number == SOFTIRQ_BLOCK &&
	       frame->raiser != LINE_NONE;
}

/*
 * A soft interrupt that did not run at once, but in its thread or long after it was raised: the
 * delay is told apart from what it served.
 */
static void irq_refine(const struct machine *machine, const struct wake *wake,
                       struct cause_note *cause)
{
	const struct cpu *cpu = wake->cpu;
	const struct frame *frame = NULL;

	if (wake->level != LEVEL_SOFT || cause->is_walked)
		return;
	for (unsigned at = cpu->depth; at-- > 0 && !frame;)
		if (cpu->frame[at].kind == FRAME_SOFTIRQ)
			frame = &cpu->frame[at];
	if (!frame || frame->raised == 0 || machine->now - frame->raised > UINT32_MAX)
		return;
	if (frame_completes_for_task(frame, cause) && frame->raiser != wake->wakee) {
		cause->waker = frame->raiser;
		cause->is_walked = true;
	} else if (frame->entered - frame->raised < LATE_NS &&
	           (cpu->current == LINE_NONE ||
	            machine->task[cpu->current].role != ROLE_KSOFTIRQD)) {
		return;
	}
	cause->delay.raised_before = (uint32_t)(machine->now - frame->raised);
	cause->delay.entered_before = (uint32_t)(machine->now - frame->entered);
	cause->delay.vector = frame->number;
	cause->delay.name = softirq_name(machine, frame->number);
}

static const struct handler_row irq_handlers[] = {
	{EVENT_IRQ_ENTRY, on_irq_entry},         {EVENT_IRQ_EXIT, on_irq_exit},
	{EVENT_SOFTIRQ_RAISE, on_softirq_raise}, {EVENT_SOFTIRQ_ENTRY, on_softirq_entry},
	{EVENT_SOFTIRQ_EXIT, on_softirq_exit},   {EVENT_IPI_ENTRY, on_ipi_entry},
	{EVENT_IPI_EXIT, on_ipi_exit},
};

const struct tracker irq_tracker = {
	.name = "irq",
	.handlers = irq_handlers,
	.handler_count = ARRAY_SIZE(irq_handlers),
	.explain = irq_explain,
	.explains = IN_IRQ,
	.refine = irq_refine,
	.close = irq_close,
};
