/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contexts of a CPU. The flags of each event tell for certain in which level it was recorded; the
 * stack of frames tells of what. Where the two disagree the flags are right: an exit was lost.
 */
#include "tracker.h"

#include <assert.h>
#include <string.h>

static enum context_level event_level(const struct event *event)
{
	if (event->flags & (EVENT_NMI | EVENT_HARDIRQ))
		return LEVEL_HARD;
	return event->flags & EVENT_SOFTIRQ ? LEVEL_SOFT : LEVEL_TASK;
}

void cpu_follow_level(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	enum context_level level = event_level(event);

	if (cpu->depth && cpu->frame[cpu->depth - 1].level > level) {
		machine->health->context_resyncs++;
		while (cpu->depth && cpu->frame[cpu->depth - 1].level > level)
			cpu->depth--;
	}
	if (level == LEVEL_HARD) {
		if (cpu->level != LEVEL_HARD)
			cpu->activation[LEVEL_HARD]++;
	} else {
		/* a hard interrupt in between does not make it another soft interrupt */
		if (cpu->base_level != level)
			cpu->activation[level]++;
		cpu->base_level = level;
	}
	cpu->level = level;
}

struct frame *cpu_push(struct machine *machine, struct cpu *cpu, const struct event *event,
                       enum frame_kind kind)
{
	enum context_level level = event_level(event);
	struct frame *frame;

	if (cpu->depth == CONTEXT_DEPTH_MAX) {
		machine->health->context_resyncs++;
		cpu->depth = 0;
	}
	/* the same level entered from outside: what the one before did is over */
	if (kind != FRAME_TIMER && !cpu_top(cpu, level))
		cpu->activation[level]++;
	frame = &cpu->frame[cpu->depth++];
	*frame = (struct frame){
		.kind = kind,
		.level = level,
		.entered = machine->now,
		.task = cpu->current,
		.armer = LINE_NONE,
		.raiser = LINE_NONE,
		.armed = NSEC_NEVER,
	};
	return frame;
}

const struct frame *cpu_pop(struct machine *machine, struct cpu *cpu, enum frame_kind kind)
{
	unsigned depth = cpu->depth;

	while (depth && cpu->frame[depth - 1].kind != kind)
		depth--;
	/* its entry lies before the trace, or was lost */
	if (depth == 0)
		return NULL;
	if (depth != cpu->depth)
		machine->health->context_resyncs++;
	cpu->depth = depth - 1;
	return &cpu->frame[cpu->depth];
}

const struct frame *cpu_top(const struct cpu *cpu, enum context_level level)
{
	if (cpu->depth == 0 || cpu->frame[cpu->depth - 1].level != level)
		return NULL;
	return &cpu->frame[cpu->depth - 1];
}

void cpu_forget(struct cpu *cpu)
{
	cpu->depth = 0;
	cpu->level = LEVEL_TASK;
	cpu->base_level = LEVEL_TASK;
	for (size_t level = 0; level <= LEVEL_HARD; level++)
		cpu->activation[level]++;
	for (size_t vector = 0; vector < VECTORS_MAX; vector++) {
		cpu->raiser[vector] = LINE_NONE;
		cpu->raised[vector] = 0;
	}
	cpu->signal_at = 0;
	cpu->woken = LINE_NONE;
	cpu->left = LINE_NONE;
	cpu->queued_at = 0;
}

void cpu_sight(const struct cpu *cpu, struct sighting *sighting, const struct cause_note *note)
{
	*sighting = (struct sighting){
		.note = *note,
		.level = cpu->level,
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
