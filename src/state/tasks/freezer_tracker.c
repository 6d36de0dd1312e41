/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that the freezer has stopped. A task that is to freeze stops on its way out of the kernel,
 * in a sleep like any other: it has no event of its own, and those of its cgroup name no
 * tasks. Evidence is
 *	the place of the sleep, where stacks were recorded;
 *	a series of wake-ups: the freezing of a cgroup is an event, after which that task wakes the
 *	sleepers one after the other, so that they stop; thawing wakes all in the same way;
 *	the event that all of the cgroup is frozen: its task is the last one to freeze;
 *	the task's own timer, which expires without waking it: only the freezer makes a sleeper deaf
 *	to that. It is all that shows the freezer of cgroup version 1, which has no events.
 * A series ends with the next recorded act of its task.
 */
#include <string.h>

#include "base/assume.h"
#include "state/core/held_wait.h"
#include "state/trackers.h"
#include "task_call.h"

/*
 * From one wake-up of a series to the next the task of the series takes less time than this, unless
 * it does not run. A longer step is accepted if an event records the end of the series: then all
 * tasks of the cgroup were frozen.
 */
#define STEP_MAX          100000u  /* ns */
#define STEP_MAX_RECORDED 1000000u /* ns */
/* The most cgroups that are remembered; the oldest are forgotten. */
#define FROZEN_CGROUPS_MAX 4096u

struct frozen_cgroup {
	uint32_t path;   /* id in names */
	uint32_t task;   /* track that froze it; TRACK_NONE: none, it was frozen before the trace */
	nsec_t since;    /* when that was; 0: before the trace */
	bool is_on;       /* it is to be frozen */
	bool is_complete; /* all of its tasks are frozen */
	nsec_t complete;  /* since when */
	uint32_t last;    /* track of the last task to freeze */
};

struct freezers {
	struct object_pool cgroups; /* struct frozen_cgroup, by id */
	/* uint64_t, the id of its cgroup, by track: of tasks that were woken to be frozen */
	struct object_pool of_tracks;
	/* the series that is going on: the kernel lets only one at a time */
	uint64_t series;    /* id of its cgroup; 0: none */
	bool is_freezing;   /* otherwise it thaws */
	uint32_t task;
	nsec_t last;
	/* its last wake-up: CPU, and the event_count there */
	const struct cpu *step_cpu;
	uint64_t step_at;
};

/* A task of a series, or a sleeper: kept until it sleeps, or sleeps again. */
struct series_mark {
	uint64_t calls; /* count of system calls when the series began */
	bool has_missed; /* its own timer did not wake it */
};

OWN_DATA(freezers_of, struct freezers, FREEZER)

static struct frozen_cgroup *frozen_cgroup(const struct machine *machine, uint64_t id)
{
	return object_pool_find(&freezers_of(machine)->cgroups, id);
}

static struct frozen_cgroup *frozen_cgroup_keep(struct machine *machine,
                                                const struct cgroup_event *event)
{
	struct frozen_cgroup *cgroup = frozen_cgroup(machine, event->id);

	if (cgroup)
		return cgroup;
	cgroup = object_pool_put(&freezers_of(machine)->cgroups, event->id);
	cgroup->path = intern_add(&machine->timeline->names, event->path.at,
	                          strnlen(event->path.at, event->path.length));
	cgroup->task = TRACK_NONE;
	return cgroup;
}

/* The task was woken to be frozen with that cgroup. */
static void track_set_cgroup(struct machine *machine, uint32_t track, uint64_t id)
{
	*(uint64_t *)object_pool_put(&freezers_of(machine)->of_tracks, track) = id;
}

/* The current task freezes the cgroup, or thaws it, and is about to wake its tasks. */
static void series_begin(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct freezers *freezers = freezers_of(machine);
	struct frozen_cgroup *cgroup = frozen_cgroup_keep(machine, &event->cgroup);
	struct series_mark *mark;

	freezers->series = 0;
	if (!cpu_is_in_task(cpu))
		return;
	freezers->series = event->cgroup.id;
	freezers->is_freezing = event->kind == EVENT_CGROUP_FREEZE;
	freezers->task = cpu->current;
	freezers->last = machine->now;
	mark = tracker_keep_task(machine, TRACKER_FREEZER, cpu->current);
	mark->calls = syscall_count(machine, cpu->current);
	cgroup->is_on = freezers->is_freezing;
	if (!freezers->is_freezing)
		return;
	cgroup->is_complete = false;
	cgroup->task = cpu->current;
	cgroup->since = machine->now;
}

static void on_frozen(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct freezers *freezers = freezers_of(machine);
	uint64_t id = event->cgroup.id;
	struct frozen_cgroup *cgroup = frozen_cgroup(machine, id);

	if (!cgroup)
		return;
	cgroup->is_complete = cgroup->is_on && event->cgroup.is_frozen;
	if (id == freezers->series)
		freezers->series = 0;
	cgroup->complete = machine->now;
	cgroup->last = TRACK_NONE;
	if (!cgroup->is_complete || cpu->level != LEVEL_TASK || cpu->current == TRACK_NONE ||
	    cpu->current == cgroup->task)
		return;
	cgroup->last = cpu->current;
	track_set_cgroup(machine, cpu->current, id);
}

static uint8_t task_letter(const struct task_state *task)
{
	return task->kind == SEGMENT_WAIT ? task->detail & (uint8_t)~WAIT_FOR_WORK : 0;
}

/* Whether the task of the series has done nothing else since its last wake-up, as far as seen. */
static bool series_goes_on(const struct machine *machine)
{
	const struct freezers *freezers = freezers_of(machine);
	const struct series_mark *mark = tracker_task(machine, TRACKER_FREEZER, freezers->task);
	nsec_t since = machine->task[freezers->task].since;
	bool is_end_recorded =
		!freezers->is_freezing && frozen_cgroup(machine, freezers->series)->is_complete;

	ASSUME(freezers->series != 0 && freezers->last <= machine->now);
	return mark && mark->calls == syscall_count(machine, freezers->task) &&
	       machine->now - nsec_max(freezers->last, since) <=
	               (is_end_recorded ? STEP_MAX_RECORDED : STEP_MAX);
}

static void freezer_wake(struct machine *machine, const struct cpu *cpu, uint32_t wakee)
{
	struct freezers *freezers = freezers_of(machine);
	const struct frozen_cgroup *cgroup;

	if (freezers->series == 0 || cpu->level != LEVEL_TASK ||
	    cpu->current != freezers->task)
		return;
	if (!series_goes_on(machine)) {
		freezers->series = 0;
		return;
	}
	freezers->last = machine->now;
	if (machine->timeline->track[wakee].is_kernel ||
	    task_letter(&machine->task[wakee]) != 'S')
		return;
	cgroup = frozen_cgroup(machine, freezers->series);
	/* a task that is thawed has stopped since the cgroup was frozen, not before */
	if (!freezers->is_freezing && machine->task[wakee].since < cgroup->since)
		return;
	freezers->step_cpu = cpu;
	freezers->step_at = cpu->event_count;
	if (freezers->is_freezing)
		track_set_cgroup(machine, wakee, freezers->series);
	else
		(void)object_pool_take(&freezers->of_tracks, wakee);
}

static void freezer_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	(void)letter;
	tracker_drop_task(machine, TRACKER_FREEZER, track);
}

void freezer_note_missed(struct machine *machine, uint32_t track, nsec_t armed)
{
	const struct task_state *task = &machine->task[track];
	struct series_mark *mark;

	if (machine->timeline->track[track].is_kernel || task_letter(task) != 'S' ||
	    task->is_tentative || task->since < armed || task->since < machine->gap_end)
		return;
	ASSUME(task->kind == SEGMENT_WAIT && armed <= task->since);
	machine_wake_tracker(machine, TRACKER_FREEZER); /* few traces have such timers */
	mark = tracker_keep_task(machine, TRACKER_FREEZER, track);
	mark->has_missed = true;
}

static void cause_freeze(const struct frozen_cgroup *cgroup, bool is_certain,
                         struct cause_note *cause)
{
	cause_note_become(cause, CAUSE_FROZEN);
	cause->name = cgroup ? cgroup->path : 0;
	cause->originator = cgroup ? cgroup->task : TRACK_NONE;
	cause->confidence = is_certain ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
}

/* The cgroup with which the task was woken to be frozen, if that is still to be frozen; NULL:
   none. */
static const struct frozen_cgroup *task_find_cgroup(const struct machine *machine, uint32_t track)
{
	const uint64_t *id = object_pool_find(&freezers_of(machine)->of_tracks, track);
	const struct frozen_cgroup *cgroup = id ? frozen_cgroup(machine, *id) : NULL;

	ASSUME(machine_owns(machine, track));
	return cgroup && cgroup->is_on && machine->task[track].since >= cgroup->since ? cgroup
	                                                                              : NULL;
}

/*
 * Whether a task that is not woken yet is frozen: all tasks of the cgroup are frozen, and this task
 * went to sleep before the last of them recorded that, or is the last of them.
 */
static bool task_is_frozen(const struct machine *machine, uint32_t track,
                           const struct frozen_cgroup *cgroup)
{
	const struct task_state *task = &machine->task[track];
	nsec_t limit = cgroup->complete + (track == cgroup->last ? STEP_MAX : 0);

	ASSUME(cgroup->is_on && cgroup->since <= task->since);
	return cgroup->is_complete && task_letter(task) == 'S' && task->since <= limit;
}

static void freezer_refine(const struct machine *machine, const struct wake *wake,
                           struct cause_note *cause)
{
	const struct freezers *freezers = freezers_of(machine);
	struct sleep_place place = task_place(machine, wake->wakee);
	bool is_step = wake->cpu && wake->cpu == freezers->step_cpu &&
	               wake->cpu->event_count == freezers->step_at;
	const struct series_mark *mark = tracker_task(machine, TRACKER_FREEZER, wake->wakee);
	bool has_missed = mark && mark->has_missed && machine->found.has_waking;
	const struct frozen_cgroup *cgroup;

	if ((object_pool_count(&freezers->cgroups) == 0 && !place.is_frozen && !has_missed) ||
	    (cause->kind != CAUSE_TASK && cause->kind != CAUSE_UNKNOWN))
		return;
	cgroup = is_step && !freezers->is_freezing ? frozen_cgroup(machine, freezers->series)
	                                           : task_find_cgroup(machine, wake->wakee);
	if (place.is_frozen) {
		cause_freeze(cgroup, /* is_certain= */ true, cause);
	} else if (is_step && freezers->is_freezing) {
		cause->name = intern_adds(&machine->timeline->names, "freeze");
		cause->as.lock.address = 0;
	} else if (cgroup && !place.frames && /* a recorded place outside the freezer is better
	                                         evidence */
	           (is_step || (!wake->event && task_is_frozen(machine, wake->wakee, cgroup)))) {
		cause_freeze(cgroup, cgroup->is_complete, cause);
	} else if (has_missed && !place.frames) {
		cause_freeze(cgroup, /* is_certain= */ false, cause);
	}
}

static void freezers_forget(struct machine *machine)
{
	struct freezers *freezers = freezers_of(machine);

	freezers->series = 0;
	freezers->step_cpu = NULL;
}

const struct tracker freezer_tracker = {
	.handlers = HANDLERS(
		{EVENT_CGROUP_FREEZE, series_begin},
		{EVENT_CGROUP_UNFREEZE, series_begin},
		{EVENT_CGROUP_FROZEN, on_frozen}),
	.also_with = TRACKER_BIT(PLACE),
	.own_bytes = sizeof(struct freezers),
	.stores = STORES(
		POOL_AT(offsetof(struct freezers, cgroups),
		        struct frozen_cgroup, FROZEN_CGROUPS_MAX, NULL, NULL),
		POOL_AT(offsetof(struct freezers, of_tracks),
		        uint64_t, OBJECTS_MAX, NULL, NULL)),
	.task_bytes = sizeof(struct series_mark),
	.wake = freezer_wake,
	.sleep = freezer_sleep,
	.refine = {freezer_refine, 1u << CAUSE_TASK | 1u << CAUSE_UNKNOWN, AND_UNWOKEN},
	.forget = freezers_forget,
};
