/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: tasks that reclaim or compact before their allocation succeeds, that are put to sleep
 * because they make too many pages dirty, or that need a page from a file or from swap. What they
 * wait for inside is for memory, unless a device is known to have ended the wait: that says more.
 * Faults and swap have no tracepoints of their own: they are known by the place of the sleep.
 */
#include "tracker.h"

#include "base/array.h"

static void on_memory_begin(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu->level == LEVEL_TASK && cpu->current != LINE_NONE)
		machine->task[cpu->current].memory = (uint8_t)event->memory.what;
}

static void on_memory_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)event;
	if (cpu->level == LEVEL_TASK && cpu->current != LINE_NONE)
		machine->task[cpu->current].memory = MEMORY_NONE;
}

static void on_memory_throttle(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	/* it is also told of tasks that need not pause */
	if (event->memory.pause > 0 && cpu->level == LEVEL_TASK && cpu->current != LINE_NONE)
		machine->task[cpu->current].is_throttled = true;
}

static void memory_refine(const struct machine *machine, const struct wake *wake,
                          struct cause_note *cause)
{
	const struct task_state *task = &machine->task[wake->wakee];
	bool is_timer = cause->kind == CAUSE_TIMER && cause->is_own;
	uint8_t what = task->place.memory != MEMORY_NONE ? task->place.memory : task->memory;

	if (task->is_throttled && is_timer)
		what = MEMORY_THROTTLE;
	if (cause->kind == CAUSE_DISK && (what == MEMORY_FAULT || what == MEMORY_SWAP))
		cause->memory = what;
	if (what == MEMORY_NONE ||
	    (!is_timer && cause->kind != CAUSE_TASK && cause->kind != CAUSE_UNKNOWN))
		return;
	cause->kind = CAUSE_MEMORY;
	cause->is_own = false;
	cause->detail = intern_adds(&machine->timeline->names, memory_what_name(what));
}

static void memory_forget(struct machine *machine)
{
	for (size_t line = 0; line < machine->timeline->line_count; line++) {
		machine->task[line].memory = MEMORY_NONE;
		machine->task[line].is_throttled = false;
	}
}

static const struct handler_row memory_handlers[] = {
	{EVENT_MEMORY_BEGIN, on_memory_begin},
	{EVENT_MEMORY_END, on_memory_end},
	{EVENT_MEMORY_THROTTLE, on_memory_throttle},
};

const struct tracker memory_tracker = {
	.name = "memory",
	.handlers = memory_handlers,
	.handler_count = ARRAY_SIZE(memory_handlers),
	.refine = memory_refine,
	.refines_unwoken = true,
	.forget = memory_forget,
};
