/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work items: who queued which, and which one a kernel worker is executing. They are linked by the
 * item's address, never by who woke the worker last. Explains a wake-up made by a worker while it
 * executes an item.
 */
#include "tracker.h"

#include <stdlib.h>

#include "base/array.h"

struct queued_work {
	uint32_t queuer; /* line; LINE_NONE: an interrupt without a task behind it */
	nsec_t time;
	/* what the interrupt served that queued it; CAUSE_UNKNOWN: a task did */
	struct cause_note reason;
};

struct works {
	struct object_pool queued; /* struct queued_work, by address; until its execution begins */
};

static void on_work_queue(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct queued_work *queued = object_pool_put(&machine->works->queued, event->work.work);

	queued->time = machine->now;
	queued->queuer = LINE_NONE;
	queued->reason.kind = CAUSE_UNKNOWN;
	if (cpu->level != LEVEL_TASK) {
		machine_explain_queueing(machine, cpu, event, &queued->reason);
		/* delayed work is queued by its timer: the one who armed that wanted it */
		if (queued->reason.kind == CAUSE_TIMER)
			queued->queuer = queued->reason.originator;
	} else if (cpu->current != cpu->idle) {
		queued->queuer = cpu->current;
	} else {
		cpu->queued = machine_function(machine, event->work.function);
		cpu->queued_at = cpu->event_count;
	}
}

/* What is told of its interval when it ends. */
static void work_begin_interval(struct current_work *work, const struct event *event, nsec_t now,
                                const struct queued_work *queued)
{
	work->address = event->work.work;
	work->function = event->work.function;
	work->queued = queued ? queued->time : NSEC_NEVER;
	work->queuer = queued ? queued->queuer : LINE_NONE;
	work->started = now;
}

/* The item that the line executes has ended, or the trace ends in it. */
static void work_tell(struct machine *machine, uint32_t line, uint32_t cpu, nsec_t end,
                      bool is_open)
{
	const struct current_work *work = machine->task[line].work;
	struct interval interval = {
		.kind = INTERVAL_WORK,
		.cpu = cpu,
		.end = end,
		.phase = {work->queued, work->started},
		.is_open = is_open,
		.task = work->queuer,
		.other = line,
		.work = {
			.work = work->address,
			.function = work->function,
			.name = machine_function(machine, work->function),
		},
	};

	machine_tell_interval(machine, &interval);
}

static void on_work_start(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct object_pool *pool = &machine->works->queued;
	/* its address may come again for another one, whose queueing is not recorded */
	const struct queued_work *queued = object_pool_take(pool, event->work.work);
	struct current_work *work;
	struct cause_note *note;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE || cpu->current == cpu->idle)
		return;
	cpu_leave_locks(machine, cpu);
	if (!machine->task[cpu->current].work)
		machine->task[cpu->current].work = xmalloc(sizeof(*work));
	work = machine->task[cpu->current].work;
	work->reason.kind = CAUSE_UNKNOWN;
	work->noted = 0;
	work_begin_interval(work, event, machine->now, queued);
	note = &work->item;
	cause_note_init(note, CAUSE_WORK, CONFIDENCE_HIGH);
	note->name = machine_function(machine, event->work.function);
	note->as.work.begun = machine->now;
	note->waker = cpu->current;
	note->is_walked = true;
	if (queued) {
		note->originator = queued->queuer;
		note->origin = queued->time;
		note->as.work.queue_time = time_between(queued->time, machine->now);
		work->reason = queued->reason;
	} else if (pool->forgotten) {
		note->confidence = CONFIDENCE_MEDIUM;
	}
}

/* It has no item, as far as known. */
static void task_drop_work(struct task_state *task)
{
	if (task->work)
		task->work->item.kind = CAUSE_UNKNOWN;
}

static void on_work_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct cause_note *item = work_current(machine, cpu);

	cpu_leave_locks(machine, cpu);
	if (item && machine_wants(machine, INTERVAL_WORK) &&
	    machine->task[cpu->current].work->address == event->work.work)
		work_tell(machine, cpu->current, cpu->number, machine->now, /* is_open= */ false);
	if (cpu->current != LINE_NONE)
		task_drop_work(&machine->task[cpu->current]);
}

static void works_close(struct machine *machine, nsec_t end)
{
	for (uint32_t line = 0; line < machine->timeline->line_count; line++) {
		const struct task_state *task = &machine->task[line];

		if (task->work && task->work->item.kind == CAUSE_WORK && task->kind != SEGMENT_DEAD)
			work_tell(machine, line, task->cpu, end, /* is_open= */ true);
	}
}

const struct cause_note *work_current(const struct machine *machine, const struct cpu *cpu)
{
	const struct current_work *work =
		cpu->current == LINE_NONE ? NULL : machine->task[cpu->current].work;

	return work && work->item.kind == CAUSE_WORK ? &work->item : NULL;
}

/* The item with what the interrupt served that queued it. */
static void work_copy(const struct machine *machine, const struct current_work *work,
                      struct cause_note *ret)
{
	*ret = work->item;
	if (work->reason.kind != CAUSE_UNKNOWN)
		ret->as.work.reason = timeline_note_cause(machine->timeline, &work->reason) + 1;
}

uint32_t work_note_current(const struct machine *machine, const struct cpu *cpu)
{
	struct cause_note note;
	struct current_work *work;

	if (!work_current(machine, cpu))
		return 0;
	work = machine->task[cpu->current].work;
	if (work->noted == 0) {
		work_copy(machine, work, &note);
		work->noted = timeline_note_cause(machine->timeline, &note) + 1;
	}
	return work->noted;
}

static bool work_explain(const struct machine *machine, const struct wake *wake,
                         struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;

	if (cpu->current == cpu->idle) {
		if (cpu->queued_at == 0 || cpu->queued_at + 1 != cpu->event_count)
			return false;
		cause_note_init(ret, CAUSE_WORK, CONFIDENCE_MEDIUM);
		ret->name = cpu->queued;
		return true;
	}
	if (!work_current(machine, cpu))
		return false;
	work_copy(machine, machine->task[cpu->current].work, ret);
	return true;
}

static const struct object_pool_setup work_pool = {
	.object_bytes = sizeof(struct queued_work),
	.limit = OBJECTS_MAX,
	.kind = "work items",
};

static void works_begin(struct machine *machine)
{
	machine->works = xcalloc(1, sizeof(*machine->works));
	machine_begin_pool(machine, &machine->works->queued, &work_pool);
}

static void works_forget(struct machine *machine)
{
	object_pool_clear(&machine->works->queued);
	/* the end of an item may be among what was lost */
	for (size_t line = 0; line < machine->timeline->line_count; line++)
		task_drop_work(&machine->task[line]);
}

static void works_end(struct machine *machine)
{
	object_pool_release(&machine->works->queued);
	free(machine->works);
}

static const struct handler_row work_handlers[] = {
	{EVENT_WORK_QUEUE, on_work_queue},
	{EVENT_WORK_START, on_work_start},
	{EVENT_WORK_END, on_work_end},
};

const struct tracker work_tracker = {
	.name = "work",
	.handlers = work_handlers,
	.handler_count = ARRAY_SIZE(work_handlers),
	.explain = work_explain,
	.explains = IN_TASK,
	.begin = works_begin,
	.close = works_close,
	.forget = works_forget,
	.end = works_end,
};
