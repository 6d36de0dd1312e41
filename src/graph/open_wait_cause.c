/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_wait_cause.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "words/futex_kind.h"
#include "words/purpose.h"

#define NAME_BYTES 512

/* "flock /var/lib/x/lock": what a lock of a file is called. */
static uint32_t file_lock_name(struct timeline *timeline, const struct open_wait *wait)
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
	return intern_adds(&timeline->names, name.text);
}

static void become_lock(struct timeline *timeline, const struct open_wait *wait, uint32_t owner,
                        struct cause_note *cause)
{
	cause_note_become(cause, CAUSE_LOCK);
	cause->as.lock.address = wait->address;
	cause->originator = owner;
	cause->purpose = PURPOSE_NONE; /* the lock says it */
	if (wait->kind == OPEN_WAIT_FUTEX)
		cause->as.lock.flags = FUTEX_SLEPT | FUTEX_LOCKED;
	else
		cause->name = file_lock_name(timeline, wait);
}

void open_wait_refine_cause(struct timeline *timeline, const struct open_wait *wait,
                            uint32_t sleeper, uint32_t owner, struct cause_note *cause)
{
	if (open_wait_is_for_file_lock(wait) ||
	    (wait->kind == OPEN_WAIT_FUTEX && owner != TRACK_NONE))
		become_lock(timeline, wait, owner, cause);
	else if (owner != TRACK_NONE && owner != sleeper)
		cause_note_become(cause, CAUSE_TASK);
	if (owner == TRACK_NONE || owner == sleeper)
		return;
	cause->waker = owner;
	cause->is_walked = true;
	cause->confidence = wait->kind == OPEN_WAIT_PIPE ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
}
