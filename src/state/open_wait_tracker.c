/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that have not ended when the trace ends, or so far, as the recorder saw them in /proc: no
 * event says what they are for. Which task has the lock, or which task is waited for, was true when
 * the recorder looked, as the sleeper has not moved since.
 */
#include "graph/open_wait_cause.h"
#include "state/core/tracker.h"
#include "variable_name.h"

/* Without the texts, which need not outlive the look. */
struct noted_wait {
	uint64_t address;
	uint32_t dev, path; /* path: id in names; 0: none */
	int32_t owner;
	uint8_t kind; /* enum open_wait_kind */
};

/* The track of the task that is waited for; TRACK_NONE: not known. */
static uint32_t owner_of(const struct machine *machine, const struct noted_wait *wait)
{
	return wait->owner ? id_table_get(&machine->track_by_tid, (uint64_t)wait->owner)
	                   : TRACK_NONE;
}

static void open_wait_seen(struct machine *machine, uint32_t track, const struct open_wait *wait)
{
	struct noted_wait *own;

	machine_wake_tracker(machine, TRACKER_OPEN_WAIT);
	own = tracker_keep_task(machine, TRACKER_OPEN_WAIT, track);
	*own = (struct noted_wait){
		.address = wait->address,
		.dev = machine_device(machine, wait->dev),
		.path = wait->path ? intern_adds(&machine->timeline->names, wait->path) : 0,
		.owner = wait->owner,
		.kind = wait->kind,
	};
	if (wait->kind == OPEN_WAIT_FUTEX)
		(void)variable_of_track(machine, track, NSEC_NEVER, wait->address);
}

static void open_wait_change(struct machine *machine, uint32_t track, nsec_t t)
{
	(void)t;
	tracker_drop_task(machine, TRACKER_OPEN_WAIT, track);
}

static void open_wait_refine(const struct machine *machine, const struct wake *wake,
                             struct cause_note *cause)
{
	const struct noted_wait *own = tracker_task(machine, TRACKER_OPEN_WAIT, wake->wakee);
	struct timeline *timeline = machine->timeline;
	struct open_wait wait;

	if (!own || wake->event || (cause->kind != CAUSE_UNKNOWN && cause->kind != CAUSE_LOCK))
		return;
	wait = (struct open_wait){
		.kind = own->kind,
		.address = own->address,
		.dev = own->dev,
		.path = own->path ? intern_text(&timeline->names, own->path) : NULL,
	};
	open_wait_refine_cause(timeline, &wait, wake->wakee, owner_of(machine, own), cause);
}

const struct tracker open_wait_tracker = {
	.name = "open wait",
	.task_bytes = sizeof(struct noted_wait),
	.change = open_wait_change,
	.refine = open_wait_refine,
	.refines_causes = 1u << CAUSE_UNKNOWN | 1u << CAUSE_LOCK,
	.refines_kept = true,
	.refines_unwoken = true,
	.seen = open_wait_seen,
};
