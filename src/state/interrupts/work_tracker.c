/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work items: which task queued which item, and which one a kernel worker is executing. They are
 * linked by the item's address, never by the worker's last waker. Explains a wake-up made by a
 * worker while it executes an item.
 */
#include <string.h>

#include "base/assume.h"
#include "state/trackers.h"

struct queued_work {
	uint32_t queuer; /* track; TRACK_NONE: an interrupt without a task behind it */
	nsec_t time;
	/* what the interrupt served that queued it; CAUSE_UNKNOWN: a task did */
	struct cause_note reason;
};

/* The item that a task executes. */
struct current_work {
	struct cause_note item;
	/* what the interrupt served that queued the item; CAUSE_UNKNOWN: a task queued it */
	struct cause_note reason;
	uint32_t noted; /* see work_note_current(); 0: not yet */
	struct work_interval shown;
};

/* Per CPU: an item that was queued in the idle task's context, whose worker is woken next. */
struct cpu_work {
	uint32_t function; /* its name */
	uint64_t at;       /* event_count then; 0: none */
};

/* struct queued_work, by address; until its execution begins */
OWN_DATA(works_queued, struct object_pool, WORK)

/* The item that the task executes; NULL: none. */
static struct current_work *task_work(const struct machine *machine, uint32_t track)
{
	return track == TRACK_NONE ? NULL : tracker_task(machine, TRACKER_WORK, track);
}

static void on_work_queue(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_work *idle = tracker_cpu(machine, cpu, TRACKER_WORK);
	struct queued_work *queued = object_pool_put(works_queued(machine), event->work.work);
	struct frame *timer = cpu_timer(cpu);

	queued->time = machine->now;
	queued->queuer = TRACK_NONE;
	queued->reason.kind = CAUSE_UNKNOWN;
	/* the work item of the flusher of dirty pages is queued by its own timer: it is due by
	   time, and no task asked for it */
	if (timer && strcmp(intern_text(&machine->timeline->names,
	                                machine_function(machine, event->work.function)),
	                    "wb_workfn") == 0)
		timer->stall = STALL_WRITEBACK;
	if (cpu->level != LEVEL_TASK) {
		machine_explain_queueing(machine, cpu, event, &queued->reason);
		/* delayed work is queued by its timer, for the task that armed that */
		if (queued->reason.kind == CAUSE_TIMER)
			queued->queuer = queued->reason.originator;
	} else if (cpu->current != cpu->idle) {
		queued->queuer = cpu->current;
	} else {
		idle->function = machine_function(machine, event->work.function);
		idle->at = cpu->event_count;
		cpu->explainers |= TRACKER_BIT(WORK);
	}
}

/* The item that the track executes has ended; without CPU: the trace ends in it. */
static void work_emit(struct machine *machine, uint32_t track, const struct current_work *work,
                      const struct cpu *cpu, nsec_t end)
{
	struct interval interval = {
		.kind = INTERVAL_WORK,
		.cpu = cpu ? cpu->number : machine->task[track].cpu,
		.end = end,
		.is_open = !cpu,
		.phase = {work->item.origin, work->item.as.work.begun},
		.task = work->item.originator,
		.other = track,
		.work = work->shown,
	};

	ASSUME(work->item.kind == CAUSE_WORK && work->item.as.work.begun <= end);
	machine_emit_interval(machine, &interval);
}

static void on_work_start(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct object_pool *pool = works_queued(machine);
	/* another item may get this address without a recorded queueing */
	const struct queued_work *queued = object_pool_take(pool, event->work.work);
	struct current_work *work;
	struct cause_note *note;

	if (!cpu_is_in_task(cpu) || cpu->current == cpu->idle)
		return;
	cpu_leave_locks(machine, cpu);
	work = tracker_keep_task(machine, TRACKER_WORK, cpu->current);
	work->reason.kind = CAUSE_UNKNOWN;
	work->noted = 0;
	work->shown.work = event->work.work;
	work->shown.function = event->work.function;
	note = &work->item;
	cause_note_init(note, CAUSE_WORK, CONFIDENCE_HIGH);
	note->name = work->shown.name = machine_function(machine, event->work.function);
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

static void on_work_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct current_work *work = task_work(machine, cpu->current);

	cpu_leave_locks(machine, cpu);
	if (!work)
		return;
	ASSUME(work->item.as.work.begun <= machine->now);
	if (work->shown.work == event->work.work && machine_wants(machine, INTERVAL_WORK))
		work_emit(machine, cpu->current, work, cpu, machine->now);
	tracker_drop_task(machine, TRACKER_WORK, cpu->current);
}

static void works_close(struct machine *machine, nsec_t end)
{
	TRACKER_TASK_EACH(machine, TRACKER_WORK, track, const struct current_work, work)
		work_emit(machine, track, work, NULL, end);
}

const struct cause_note *work_current(const struct machine *machine, const struct cpu *cpu)
{
	const struct current_work *work = task_work(machine, cpu->current);

	return work ? &work->item : NULL;
}

uint32_t work_queuer(const struct machine *machine, const struct cpu *cpu)
{
	const struct current_work *work = task_work(machine, cpu->current);

	return work && work->reason.kind == CAUSE_UNKNOWN ? work->item.originator : TRACK_NONE;
}

/* Copies the item's note, with the reason why an interrupt queued it. */
static void work_copy(const struct machine *machine, const struct current_work *work,
                      struct cause_note *ret)
{
	ASSUME(work->item.kind == CAUSE_WORK);
	*ret = work->item;
	if (work->reason.kind != CAUSE_UNKNOWN)
		ret->as.work.reason = timeline_note_cause(machine->timeline, &work->reason) + 1;
}

uint32_t work_note_current(const struct machine *machine, const struct cpu *cpu)
{
	struct current_work *work = task_work(machine, cpu->current);
	struct cause_note note;

	if (!work)
		return 0;
	ASSUME(work->item.waker == cpu->current);
	if (work->noted == 0) {
		work_copy(machine, work, &note);
		work->noted = timeline_note_cause(machine->timeline, &note) + 1;
	}
	return work->noted;
}

static bool work_explain(const struct machine *machine, const struct wake *wake,
                         struct cause_note *ret)
{
	struct cpu *cpu = wake->cpu;
	const struct cpu_work *idle = tracker_cpu(machine, cpu, TRACKER_WORK);
	const struct current_work *work;

	ASSUME(idle->at <= cpu->event_count);
	if (idle->at + 1 != cpu->event_count)
		cpu->explainers &= ~TRACKER_BIT(WORK);
	if (cpu->current == cpu->idle) {
		if (idle->at == 0 || idle->at + 1 != cpu->event_count)
			return false;
		cause_note_init(ret, CAUSE_WORK, CONFIDENCE_MEDIUM);
		ret->name = idle->function;
		return true;
	}
	work = task_work(machine, cpu->current);
	if (!work)
		return false;
	work_copy(machine, work, ret);
	return true;
}

const struct tracker work_tracker = {
	.handlers = HANDLERS(
		{EVENT_WORK_QUEUE, on_work_queue},
		{EVENT_WORK_START, on_work_start},
		{EVENT_WORK_END, on_work_end}),
	.explain = {work_explain, IN_TASK, ONLY_MARKED},
	.own_bytes = sizeof(struct object_pool),
	.stores = STORES(POOL_AT(0, struct queued_work, OBJECTS_MAX, "work items", NULL)),
	.task_bytes = sizeof(struct current_work),
	.cpu_bytes = sizeof(struct cpu_work),
	.close = works_close,
	.forgets_tasks = true, /* the end of an item may be among the lost events */
	.forgets_cpu = true,
};
