/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that have not ended when the trace ends, as the recorder saw them in /proc: no event says
 * what they are for. Which task has the lock, or which task is waited for, was true when the
 * recorder looked, as the sleeper has not moved since.
 */
#include "base/buffer.h"
#include "base/cleanup.h"
#include "state/core/tracker.h"
#include "words/futex_kind.h"
#include "words/purpose.h"

#define NAME_BYTES 512

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
}

/* "flock /var/lib/x/lock": what a lock of a file is called. */
static uint32_t file_lock_name(const struct machine *machine, const struct open_wait *wait)
{
	static const char *const words[] = {
		[OPEN_WAIT_FLOCK] = "flock",
		[OPEN_WAIT_POSIX] = "fcntl lock",
		[OPEN_WAIT_LEASE] = "lease",
	};
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, NAME_BYTES);
	buffer_puts(&name, words[wait->kind]);
	buffer_putc(&name, ' ');
	buffer_puts(&name, wait->path ? wait->path : "of a file");
	return intern_adds(&machine->timeline->names, name.text);
}

static void become_lock(const struct machine *machine, const struct open_wait *wait,
                        uint32_t owner, struct cause_note *cause)
{
	cause_note_become(cause, CAUSE_LOCK);
	cause->as.lock.address = wait->address;
	cause->originator = owner;
	cause->purpose = PURPOSE_NONE; /* the lock says it */
	if (wait->kind == OPEN_WAIT_FUTEX)
		cause->as.lock.flags = FUTEX_SLEPT | FUTEX_LOCKED;
	else
		cause->name = file_lock_name(machine, wait);
}

/* The walk goes on along the task that is waited for: what that did is why the sleeper waits. */
static void open_wait_refine(const struct machine *machine, const struct wake *wake,
                             struct cause_note *cause)
{
	const struct open_wait *const *own = tracker_task(machine, TRACKER_OPEN_WAIT, wake->wakee);
	const struct open_wait *wait = own ? *own : NULL;
	uint32_t owner = wait ? owner_of(machine, wait) : TRACK_NONE;

	if (!wait || wake->event || (cause->kind != CAUSE_UNKNOWN && cause->kind != CAUSE_LOCK))
		return;
	if (open_wait_is_for_file_lock(wait) ||
	    (wait->kind == OPEN_WAIT_FUTEX && owner != TRACK_NONE))
		become_lock(machine, wait, owner, cause);
	else if (owner != TRACK_NONE && owner != wake->wakee)
		cause_note_become(cause, CAUSE_TASK);
	if (owner == TRACK_NONE || owner == wake->wakee)
		return;
	cause->waker = owner;
	cause->is_walked = true;
	cause->confidence = wait->kind == OPEN_WAIT_PIPE ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
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
