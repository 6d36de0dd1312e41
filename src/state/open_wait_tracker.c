/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that have not ended when the trace ends, as the recorder saw them in /proc: no event says
 * what they are for. Which task has the lock, or which task is waited for, was true when the
 * recorder looked, as the sleeper has not moved since.
 */
#include "graph/open_wait_cause.h"
#include "state/core/tracker.h"
#include "variable_name.h"

/* The track of the task that is waited for; TRACK_NONE: not known. */
static uint32_t owner_of(const struct machine *machine, const struct open_wait *wait)
{
	return wait->owner ? id_table_get(&machine->track_by_tid, (uint64_t)wait->owner)
	                   : TRACK_NONE;
}

static void open_wait_seen(struct machine *machine, uint32_t track, const struct open_wait *wait)
{
	const struct open_wait **own;

	machine_wake_tracker(machine, TRACKER_OPEN_WAIT);
	own = tracker_keep_task(machine, TRACKER_OPEN_WAIT, track);
	*own = wait;
	if (wait->kind == OPEN_WAIT_FUTEX)
		(void)variable_of_track(machine, track, NSEC_NEVER, wait->address);
}

static void open_wait_refine(const struct machine *machine, const struct wake *wake,
                             struct cause_note *cause)
{
	const struct open_wait *const *own = tracker_task(machine, TRACKER_OPEN_WAIT, wake->wakee);
	const struct open_wait *wait = own ? *own : NULL;

	if (wait && !wake->event && (cause->kind == CAUSE_UNKNOWN || cause->kind == CAUSE_LOCK))
		open_wait_refine_cause(machine->timeline, wait, wake->wakee,
		                       owner_of(machine, wait), cause);
}

const struct tracker open_wait_tracker = {
	.name = "open wait",
	.task_bytes = sizeof(const struct open_wait *),
	.refine = open_wait_refine,
	.refines_causes = 1u << CAUSE_UNKNOWN | 1u << CAUSE_LOCK,
	.refines_kept = true,
	.refines_unwoken = true,
	.seen = open_wait_seen,
};
