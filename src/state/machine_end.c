/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of the trace cuts: every task's last span, and tasks that were never seen. */
#include "tracker.h"

static void machine_close_line(struct machine *machine, uint32_t line, nsec_t end)
{
	struct task_state *task = &machine->task[line];
	struct cause_note cause;
	struct span span;

	/* woken before it slept, and not run since: runnable, not waiting for ever */
	if (task->kind == SEGMENT_WAIT && task->is_tentative) {
		task_conclude(machine, line, task->pending.cause);
		task_become(machine, line, task->since, SEGMENT_RUNNABLE, RUNNABLE_WOKEN,
		            task->pending.cause);
	}
	if (task->kind == SEGMENT_RUNNABLE)
		queue_take(machine, line, end);
	task_release(machine, line);
	memory_close(machine, line, end);
	if (task->kind == SEGMENT_DEAD || task->kind == SEGMENT_NEW)
		return;
	span = (struct span){
		.line = line,
		.begin = task->since,
		.end = end,
		.kind = task->kind,
		.detail = task->detail,
		.cpu = task->cpu,
		.is_open = true,
		.is_doubtful = task_is_doubtful(machine, task),
		.is_quiet = task->may_be_again,
		.is_again = task->is_again,
		.place = task->place,
	};
	if (task->kind == SEGMENT_WAIT) {
		machine_explain_unwoken(machine, line, &cause);
		if (cause.kind != CAUSE_UNKNOWN || cause.name)
			span.cause = &cause;
	} else if (task->kind == SEGMENT_STOPPED && signal_explain_stop(machine, line, &cause)) {
		span.cause = &cause;
	}
	machine_tell(machine, &span);
}

void machine_end(struct machine *machine, nsec_t end)
{
	if (!machine->has_begun)
		return;
	end = nsec_max(end, machine->now);
	machine_close_objects(machine, end);
	machine_add_sleepers(machine);
	for (uint32_t line = 0; line < machine->timeline->line_count; line++)
		machine_close_line(machine, line, end);
	machine_tell_forgotten(machine);
	machine->timeline->begin = machine->begin;
	machine->timeline->end = end;
}
