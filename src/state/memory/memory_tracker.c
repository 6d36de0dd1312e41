/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: tasks that reclaim or compact before their allocation succeeds, that are put to sleep
 * because they dirty too many pages, or that need a page from a file or from swap. Their waits
 * inside are for memory. If an object ended the wait - a request, a work item, a lock - that stays
 * the cause and names its purpose; if only a task did, or the sleeper's own timer, the cause is
 * memory. Faults and swap have no tracepoints of their own: they are known by the place of the
 * sleep.
 *
 * Reclaim need not sleep: each interval of it is emitted with the time that it ran and waited.
 */
#include <string.h>

#include "base/assume.h"
#include "base/text/parse.h"
#include "state/core/held_wait.h"
#include "state/trackers.h"

#define DEPTH_MAX 4

/* The device on which too many dirty pages wait: a block device, or a name id. */
struct dirty_device {
	uint32_t dev, name;
};

/* Reclaims and compactions that a task is in, one inside the other. */
struct memory_use {
	uint8_t depth;
	bool is_throttled; /* its next sleep is a throttling pause */
	struct dirty_device dirty; /* which device that is for */
	nsec_t followed; /* the task's states up to this time are counted in `stretch` */
	struct memory_stretch stretch[DEPTH_MAX]; /* outermost first; ends not set */
};

TASK_DATA(task_memory_use, struct memory_use, MEMORY)

bool memory_is_reclaimed_by(const struct machine *machine, uint32_t track)
{
	const struct memory_use *use = task_memory_use(machine, track);

	return use && use->depth > 0;
}

/* Adds the task's present span, cut at t, to the reclaims that it is in. */
static void memory_follow(const struct machine *machine, uint32_t track, struct memory_use *use,
                          nsec_t t)
{
	const struct task_state *task = &machine->task[track];
	/* an inner stretch that ended has been added to the outer ones already */
	nsec_t since = nsec_max(task->since, use->followed);

	ASSUME(use->depth <= DEPTH_MAX && machine->task[track].since <= t);
	for (uint8_t at = 0; at < use->depth; at++) {
		struct memory_stretch *stretch = &use->stretch[at];
		nsec_t begin = nsec_max(since, stretch->begin);

		if (begin >= t)
			continue;
		if (task->kind == SEGMENT_RUN)
			stretch->running += t - begin;
		else if (task->kind == SEGMENT_WAIT)
			stretch->waiting += t - begin;
	}
	use->followed = nsec_max(since, t);
}

/* The next sleep is a throttling pause, and ends is_throttled. The task may be preempted before
   it. */
static void memory_change(struct machine *machine, uint32_t track, nsec_t t)
{
	struct memory_use *use = task_memory_use(machine, track);

	memory_follow(machine, track, use, t);
	if (machine->task[track].kind != SEGMENT_RUN &&
	    machine->task[track].kind != SEGMENT_RUNNABLE)
		use->is_throttled = false;
	if (use->depth == 0 && !use->is_throttled)
		tracker_drop_task(machine, TRACKER_MEMORY, track);
}

static void on_memory_begin(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct memory_use *use;

	if (!cpu_is_in_task(cpu))
		return;
	use = tracker_keep_task(machine, TRACKER_MEMORY, cpu->current);
	if (use->depth < DEPTH_MAX) {
		use->stretch[use->depth] = (struct memory_stretch){
			.begin = machine->now,
			.what = (uint8_t)event->memory.what,
			.is_inner = use->depth > 0,
		};
		use->depth++;
	}
}

/* The stretch has ended, by that event; event NULL: the trace ends in it. */
static void stretch_emit(struct machine *machine, uint32_t track,
                         const struct memory_stretch *stretch, const struct event *event)
{
	struct interval interval = interval_of(INTERVAL_MEMORY, machine->task[track].cpu, track,
	                                       stretch->begin, stretch->end);

	ASSUME(stretch->running + stretch->waiting <= stretch->end - stretch->begin);
	interval.is_open = !event;
	interval.memory = (struct memory_interval){
		.what = stretch->what,
		.is_inner = stretch->is_inner,
		.running = stretch->running,
		.waiting = stretch->waiting,
		.pages = event ? event->memory.pages : 0,
	};
	timeline_add_memory(machine->timeline, track, stretch);
	machine_emit_interval(machine, &interval);
}

/* Ends the innermost stretch of the kind. Stretches that began inside it and have not ended are
   dropped. */
static void on_memory_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct memory_use *use =
		cpu_is_in_task(cpu) ? task_memory_use(machine, cpu->current) : NULL;

	for (uint8_t at = use ? use->depth : 0; at-- > 0;) {
		ASSUME(use->stretch[at].begin <= machine->now);
		if (use->stretch[at].what != event->memory.what)
			continue;
		memory_follow(machine, cpu->current, use, machine->now);
		use->stretch[at].end = machine->now;
		stretch_emit(machine, cpu->current, &use->stretch[at], event);
		use->depth = at;
		return;
	}
}

static void memory_close(struct machine *machine, nsec_t end)
{
	TRACKER_TASK_EACH(machine, TRACKER_MEMORY, track, struct memory_use, use) {
		memory_follow(machine, track, use, end);
		while (use->depth > 0) {
			use->stretch[--use->depth].end = end;
			stretch_emit(machine, track, &use->stretch[use->depth], NULL);
		}
	}
}

/* "8:0" is a block device. "0:53", of a filesystem without a device such as NFS, stays a name, and
   so does "btrfs-1". */
static struct dirty_device dirty_device_read(struct machine *machine, struct text bdi)
{
	uint64_t major, minor;
	char text[33] = "", *colon;

	bdi.length = (uint32_t)strnlen(bdi.at, bdi.length < sizeof(text) ? bdi.length
	                                                                 : sizeof(text) - 1);
	memcpy(text, bdi.at, bdi.length);
	colon = strchr(text, ':');
	if (colon)
		*colon = '\0';
	if (colon && parse_u64(text, &major) == 0 && parse_u64(colon + 1, &minor) == 0 &&
	    major > 0 && major < 1u << 12 && minor < 1u << 20)
		return (struct dirty_device){
			.dev = machine_device(machine, (uint32_t)(major << 20 | minor))};
	return (struct dirty_device){.name = machine_word(machine, bdi)};
}

static void on_memory_throttle(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct memory_use *use;

	/* it is also recorded for tasks that need not pause */
	if (event->memory.pause <= 0 || !cpu_is_in_task(cpu))
		return;
	use = tracker_keep_task(machine, TRACKER_MEMORY, cpu->current);
	use->is_throttled = true;
	use->dirty = dirty_device_read(machine, event->memory.bdi);
}

/* Adds the memory purpose to the cause of a wait. An object that ended the wait stays the cause; a
   cause that says nothing else becomes memory. */
static void cause_add_memory(struct cause_note *cause, uint8_t what)
{
	bool is_timer = cause_note_is_own_timer(cause);

	/* a signal ends the wait for another reason */
	if (cause->kind == CAUSE_SIGNAL)
		return;
	cause->memory = what & 0x3fu;
	cause->purpose = PURPOSE_NONE;
	if (is_timer || cause->kind == CAUSE_TASK || cause->kind == CAUSE_UNKNOWN)
		cause_note_become(cause, CAUSE_MEMORY);
}

/* This is the task's first event after the sleep, which is its last wait: it has not been off its
   CPU since. */
static void on_memory_throttled(struct machine *machine, struct cpu *cpu,
                                const struct event *event)
{
	struct held_wait *held;

	(void)event;
	if (!cpu_is_in_task(cpu))
		return;
	held = machine->task[cpu->current].held;
	if (held && held->after_count)
		cause_add_memory(&held->cause, MEMORY_THROTTLE);
}

static void memory_refine(const struct machine *machine, const struct wake *wake,
                          struct cause_note *cause)
{
	const struct memory_use *use = task_memory_use(machine, wake->wakee);
	uint8_t what = task_place(machine, wake->wakee).memory;
	bool is_penalty = use && use->is_throttled && cause_note_is_own_timer(cause);

	/* the innermost by its place and its events */
	if (use && use->depth && (what == MEMORY_NONE || what == MEMORY_FAULT ||
	                          what == MEMORY_SWAP))
		what = use->stretch[use->depth - 1].what;
	if (is_penalty)
		what = MEMORY_THROTTLE;
	if (what != MEMORY_NONE)
		cause_add_memory(cause, what);
	if (is_penalty) {
		cause->as.memory.dev = use->dirty.dev;
		cause->as.memory.device = use->dirty.name;
	}
}

const struct tracker memory_tracker = {
	.handlers = HANDLERS(
		{EVENT_MEMORY_BEGIN, on_memory_begin},
		{EVENT_MEMORY_END, on_memory_end},
		{EVENT_MEMORY_THROTTLE, on_memory_throttle},
		{EVENT_MEMORY_THROTTLED, on_memory_throttled}),
	.also_with = TRACKER_BIT(PLACE),
	.task_bytes = sizeof(struct memory_use),
	.refine = {memory_refine, 0, ONLY_KEPT | AND_PLACED | AND_UNWOKEN},
	.change = memory_change,
	.close = memory_close,
	.forgets_tasks = true,
};
