/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spans of tasks: where one ends and the next begins, and when the sinks are told. A wait that
 * what comes after it may say more of is held back until the task's next change.
 */
#include "wait_tracker.h"

#include <assert.h>

#include "place_tracker.h"
#include "queue_tracker.h"
#include "signal_tracker.h"
#include "tracker_table.h"

/* Tells of the task's last wait if that is held back. */
static void task_release(struct machine *machine, uint32_t line)
{
	struct held_wait *held = wait_held(machine, line);

	if (!held)
		return;
	held->span.cause = &held->cause;
	machine_tell(machine, &held->span);
	if (held->has_runnable)
		machine_tell(machine, &held->runnable);
	tracker_drop_task(machine, TRACKER_WAIT, line);
}

/* Keeps the wait until the task's next change; the span has a cause. */
static void task_hold(struct machine *machine, const struct span *span)
{
	struct held_wait *held = tracker_keep_task(machine, TRACKER_WAIT, span->line);

	held->span = *span;
	held->cause = *span->cause;
}

/* The held wait that is held on while the task runs: what it tells first may be of that. */
static struct held_wait *task_holds_on(const struct machine *machine, uint32_t line,
                                       enum segment_kind next)
{
	struct held_wait *held = wait_held(machine, line);

	return held && !held->has_runnable && machine->setup.has_late_words &&
	                       machine->task[line].kind == SEGMENT_RUNNABLE &&
	                       next == SEGMENT_RUN && held->span.kind == SEGMENT_WAIT &&
	                       held->span.detail == 'D'
	               ? held
	               : NULL;
}

/* Whether the present span is of low confidence: off the CPU while events were lost. */
static bool task_is_doubtful(const struct machine *machine, const struct task_state *task)
{
	return task->is_doubtful ||
	       (task->kind != SEGMENT_RUN && task->since < machine->gap_end);
}

static void task_fill_span(const struct machine *machine, uint32_t line, nsec_t end,
                           struct span *ret)
{
	const struct task_state *task = &machine->task[line];

	*ret = (struct span){
		.line = line,
		.begin = task->since,
		.end = end,
		.kind = (enum segment_kind)task->kind,
		.detail = task->detail,
		.cpu = task->cpu,
		.is_doubtful = task_is_doubtful(machine, task),
		.is_quiet = task->may_be_again,
		.is_again = task->is_again,
	};
	if (task->has & TRACKER_BIT(PLACE))
		ret->place = *(const struct sleep_place *)tracker_task(machine, TRACKER_PLACE,
		                                                       line);
}

/* The present span has ended: tells of it, or keeps it until more is known. */
static void task_end_span(struct machine *machine, uint32_t line, nsec_t t, enum segment_kind next,
                          const struct cause_note *cause)
{
	struct held_wait *held_on = task_holds_on(machine, line, next);
	struct span span;

	if (!held_on)
		task_release(machine, line);
	if (machine->task[line].kind == SEGMENT_DEAD || machine->task[line].kind == SEGMENT_NEW)
		return;
	task_fill_span(machine, line, t, &span);
	span.cause = cause;
	if (held_on) {
		held_on->runnable = span;
		held_on->has_runnable = true;
	} else if (cause && machine->setup.has_afterwords && next != SEGMENT_DEAD) {
		task_hold(machine, &span);
	} else {
		machine_tell(machine, &span);
	}
}

void task_bury(struct machine *machine, uint32_t line)
{
	machine->task[line].pending = PENDING_NONE;
	for (uint32_t left = machine->task[line].has; left; left &= left - 1)
		tracker_drop_task(machine, (enum tracker_id)__builtin_ctz(left), line);
}

void task_become(struct machine *machine, uint32_t line, nsec_t t, enum segment_kind kind,
                 uint8_t detail, const struct cause_note *cause)
{
	struct task_state *task = &machine->task[line];
	const struct tracker *tracker;

	assert(t >= task->since);
	TRACKERS_EACH(task->has & machine->changing, tracker)
		tracker->change(machine, line, t);
	if (task->kind == SEGMENT_RUNNABLE)
		queue_take(machine, line, t);
	task_end_span(machine, line, t, kind, cause);
	if (task->has & TRACKER_BIT(PLACE))
		tracker_drop_task(machine, TRACKER_PLACE, line);
	task->since = t;
	task->kind = (uint8_t)kind;
	task->detail = detail;
	task->is_doubtful = false;
	task->is_tentative = false;
	task->is_queued = false;
	task->is_again = false;
	if (kind == SEGMENT_DEAD)
		task_bury(machine, line);
}

void task_cut(struct machine *machine, uint32_t line, nsec_t t, enum segment_kind kind,
              const struct cause_note *cause)
{
	struct task_state *task = &machine->task[line];
	struct span span = {
		.line = line,
		.begin = task->since,
		.end = t,
		.kind = kind,
		.detail = kind == SEGMENT_RUNNABLE ? task->detail : 0,
		.cpu = task->cpu,
		.is_doubtful = task_is_doubtful(machine, task),
		.cause = cause,
	};

	task_release(machine, line);
	machine_tell(machine, &span);
	task->since = t;
}

void task_close(struct machine *machine, uint32_t line, nsec_t t)
{
	struct task_state *task = &machine->task[line];
	struct cause_note cause;
	struct span span;

	task_release(machine, line);
	if (task->kind == SEGMENT_DEAD || task->kind == SEGMENT_NEW)
		return;
	task_fill_span(machine, line, t, &span);
	span.is_open = true;
	if (task->kind == SEGMENT_WAIT) {
		machine_explain_unwoken(machine, line, &cause);
		if (cause.kind != CAUSE_UNKNOWN || cause.name)
			span.cause = &cause;
	} else if (task->kind == SEGMENT_STOPPED && signal_explain_stop(machine, line, &cause)) {
		span.cause = &cause;
	}
	machine_tell(machine, &span);
}

const struct tracker wait_tracker = {
	.name = "wait",
	.task_bytes = sizeof(struct held_wait),
};
