/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spans of tasks: where one ends and the next begins, and when the sinks are told. A wait that
 * what comes after it may say more of is held back until the task's next change.
 */
#include "tracker.h"

#include <assert.h>

#include "base/xalloc.h"

void task_tell_held(struct machine *machine, uint32_t line)
{
	struct task_state *task = &machine->task[line];
	struct held_wait *held = task->held;

	task->held = NULL;
	held->span.cause = &held->cause;
	machine_tell(machine, &held->span);
	if (held->has_runnable)
		machine_tell(machine, &held->runnable);
	held->next = machine->free_held;
	machine->free_held = held;
}

/* Keeps the wait until the task's next change; the span has a cause. */
static void task_hold(struct machine *machine, struct task_state *task, const struct span *span)
{
	struct held_wait *held = machine->free_held;

	if (held)
		machine->free_held = held->next;
	else
		held = xmalloc(sizeof(*held));
	task->held = held;
	held->span = *span;
	held->cause = *span->cause;
	held->has_runnable = false;
}

/* Whether the wait is held on while the task runs: what it tells first may be of that. */
static bool task_holds_on(const struct machine *machine, const struct task_state *task,
                          enum segment_kind next)
{
	return machine->setup.has_late_words && task->held && !task->held->has_runnable &&
	       task->kind == SEGMENT_RUNNABLE && next == SEGMENT_RUN &&
	       task->held->span.kind == SEGMENT_WAIT && task->held->span.detail == 'D';
}

bool task_is_doubtful(const struct machine *machine, const struct task_state *task)
{
	return task->is_doubtful ||
	       (task->kind != SEGMENT_RUN && task->since < machine->gap_end);
}

void task_become(struct machine *machine, uint32_t line, nsec_t t, enum segment_kind kind,
                 uint8_t detail, const struct cause_note *cause)
{
	struct task_state *task = &machine->task[line];
	bool is_held_on;

	assert(t >= task->since);
	if (task->memory && task->memory->depth)
		memory_follow(task, t);
	if (task->kind == SEGMENT_RUNNABLE)
		queue_take(machine, line, t);
	is_held_on = task_holds_on(machine, task, kind);
	if (!is_held_on)
		task_release(machine, line);
	if (task->kind != SEGMENT_DEAD && task->kind != SEGMENT_NEW) {
		struct span span = {
			.line = line,
			.begin = task->since,
			.end = t,
			.kind = task->kind,
			.detail = task->detail,
			.cpu = task->cpu,
			.is_doubtful = task_is_doubtful(machine, task),
			.is_quiet = task->may_be_again,
			.is_again = task->is_again,
			.cause = cause,
			.place = task->place,
		};

		if (is_held_on) {
			task->held->runnable = span;
			task->held->has_runnable = true;
		} else if (span.cause && machine->setup.has_afterwords) {
			task_hold(machine, task, &span);
		} else {
			machine_tell(machine, &span);
		}
	}
	task->since = t;
	task->kind = kind;
	task->detail = detail;
	task->is_doubtful = false;
	task->is_tentative = false;
	task->is_queued = false;
	task->is_again = false;
	task->place = (struct sleep_place){0};
}
