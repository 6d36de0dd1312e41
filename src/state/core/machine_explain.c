/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes of wake-ups: which trackers are asked, in which order, and what holds if none knows. */
#include <assert.h>

#include "tracker_table.h"

void machine_explain_interrupt(enum context_level level, struct cause_note *ret)
{
	cause_note_init(ret, level == LEVEL_HARD ? CAUSE_IRQ : CAUSE_SOFTIRQ, CONFIDENCE_LOW);
	if (ret->kind == CAUSE_IRQ)
		ret->as.irq.number = -1;
	else
		ret->as.softirq.vector = -1;
}

/* The trackers that may know the cause: nearly always none where a task wakes another. */
static tracker_set machine_explainers(const struct machine *machine, const struct wake *wake)
{
	const struct cpu *cpu = wake->cpu;
	uint8_t role = wake->wakee == LINE_NONE ? KERNEL_THREAD_NONE
	                                        : machine->task[wake->wakee].role;
	tracker_set set = machine->awake & machine->explaining[wake->level] &
	                  machine->explaining_role[role];

	if (wake->level == LEVEL_TASK)
		set &= ~machine->explaining_told | cpu->tellers | machine->task[cpu->current].has;
	return set;
}

static void machine_decide(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;
	const struct tracker *tracker;

	if (cpu->current == LINE_NONE) {
		cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
		return;
	}
	TRACKERS_EACH(machine_explainers(machine, wake), tracker)
		if (tracker->explain(machine, wake, ret))
			return;
	if (wake->level != LEVEL_TASK) {
		machine_explain_interrupt(wake->level, ret);
		return;
	}
	if (cpu->current == cpu->idle) {
		cause_note_init(ret, CAUSE_IDLE, CONFIDENCE_LOW);
		return;
	}
	cause_note_init(ret, CAUSE_TASK, CONFIDENCE_HIGH);
	ret->waker = cpu->current;
	ret->is_walked = true;
}

/* The trackers of the set that refine causes of that wakee. */
static tracker_set machine_refiners(const struct machine *machine, tracker_set set, uint32_t wakee,
                                 const struct cause_note *cause)
{
	tracker_set has = machine->task[wakee].has;

	if (has & TRACKER_BIT(PLACE))
		has |= machine->refining_placed;
	return set & machine->awake & machine->refining_cause[cause->kind] &
	       (~machine->refining_kept | has);
}

void machine_explain(const struct machine *machine, const struct wake *wake,
                     struct cause_note *ret)
{
	const struct tracker *tracker;

	machine_decide(machine, wake, ret);
	TRACKERS_EACH(machine_refiners(machine, machine->refining, wake->wakee, ret), tracker)
		tracker->refine(machine, wake, ret);
}

void machine_explain_unwoken(const struct machine *machine, uint32_t line,
                             struct cause_note *ret)
{
	const struct wake wake = {.wakee = line};
	const struct tracker *tracker;

	cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	TRACKERS_EACH(machine_refiners(machine, machine->refining_unwoken, line, ret), tracker)
		tracker->refine(machine, &wake, ret);
}

void machine_explain_queueing(const struct machine *machine, struct cpu *cpu,
                              const struct event *event, struct cause_note *ret)
{
	struct wake wake = {event, cpu, LINE_NONE, (enum context_level)cpu->level};

	assert(cpu->level != LEVEL_TASK);
	machine_decide(machine, &wake, ret);
}

void machine_ask_concluders(struct machine *machine, tracker_set set, uint32_t line,
                            struct cause_note *cause)
{
	tracker_set left = set;

	while (left) {
		enum tracker_id id = (enum tracker_id)__builtin_ctzll(left);
		uint8_t kind = cause->kind;

		trackers[id]->conclude(machine, line, cause);
		left &= left - 1;
		if (cause->kind != kind)
			left = machine->concluding[cause->kind] & trackers_after(id);
		else if (kind == CAUSE_TASK && cause->waker != LINE_NONE)
			/* it may have made another tracker keep something of the waker */
			left |= machine->concluding[kind] & machine->task[cause->waker].has &
			        trackers_after(id);
	}
}
