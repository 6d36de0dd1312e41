/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names for wake-ups by tasks that mean something: a child's exit or its exec after vfork, the end
 * of an RCU grace period told by one of RCU's threads.
 */
#include "tracker.h"

#include "base/array.h"

static void on_process_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t line = machine_find_line(machine, cpu, event->process.tid);

	if (line != LINE_NONE && event->process.tid != 0)
		machine->task[line].is_exiting = true;
}

static void label_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	const struct task_state *wakee = &machine->task[wake->wakee];
	const struct line *waker;

	if (cause->kind != CAUSE_TASK || cause->waker == LINE_NONE || cause->name)
		return;
	waker = &machine->timeline->line[cause->waker];
	if (machine->task[cause->waker].role == ROLE_RCU)
		cause->kind = CAUSE_RCU;
	else if (machine->task[cause->waker].is_exiting)
		cause->name = intern_adds(&machine->timeline->names, "exit");
	else if (wakee->detail == 'D' && waker->parent == wake->wakee &&
	         waker->born <= wakee->since && machine->task[cause->waker].is_vforked)
		cause->name = intern_adds(&machine->timeline->names, "vfork");
}

static const struct handler_row label_handlers[] = {
	{EVENT_PROCESS_EXIT, on_process_exit},
};

const struct tracker label_tracker = {
	.name = "label",
	.handlers = label_handlers,
	.handler_count = ARRAY_SIZE(label_handlers),
	.refine = label_refine,
};
