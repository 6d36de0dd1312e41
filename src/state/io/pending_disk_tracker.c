/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task sleeps in state D, and a request that it has submitted has not completed: the task most
 * likely waits for that request. No event says so before the request completes, which never happens
 * on a device that hangs. This tracker explains the sleep only if no other tracker does, and if the
 * place of the sleep does not contradict it.
 */
#include "state/trackers.h"

static bool purpose_is_of_disk(unsigned purpose)
{
	switch (purpose) {
	case PURPOSE_NONE:
	case PURPOSE_PAGE:
	case PURPOSE_PAGE_READ:
	case PURPOSE_PAGE_LOCK:
	case PURPOSE_READAHEAD:
	case PURPOSE_BUFFER:
	case PURPOSE_BIT:
	case PURPOSE_WRITEBACK:
	case PURPOSE_SYNC:
	case PURPOSE_FSYNC:
	case PURPOSE_DIRECT_IO:
	case PURPOSE_BIO:
	case PURPOSE_FLUSH:
	case PURPOSE_DISCARD:
	case PURPOSE_BLOCK_TAG:
	case PURPOSE_BLOCK_LIMIT:
	case PURPOSE_BLOCK_THROTTLE:
	case PURPOSE_BLOCK_FREEZE:
	case PURPOSE_BLOCK_REQUEST:
	case PURPOSE_DM:
	case PURPOSE_MD:
	case PURPOSE_COMPLETION:
		return true;
	default:
		return false;
	}
}

static void pending_disk_refine(const struct machine *machine, const struct wake *wake,
                                struct cause_note *cause)
{
	const struct task_state *task = &machine->task[wake->wakee];
	struct cause_note pending;

	if (wake->event || cause->kind != CAUSE_UNKNOWN || cause->name ||
	    task->kind != SEGMENT_WAIT || task->detail != 'D' ||
	    !purpose_is_of_disk(cause->purpose) ||
	    !block_pending_of(machine, wake->wakee, &pending))
		return;
	pending.purpose = cause->purpose;
	*cause = pending;
}

const struct tracker pending_disk_tracker = {
	.also_with = TRACKER_BIT(BLOCK),
	.refine = {pending_disk_refine, 1u << CAUSE_UNKNOWN, AND_UNWOKEN},
};
