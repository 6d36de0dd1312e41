/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_wait_cause.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "words/futex_kind.h"
#include "words/purpose.h"

#define NAME_BYTES 512

/* Sets the path of the file, and the name: "flock /var/lib/x/lock". */
static void become_file_lock(struct timeline *timeline, const struct open_wait *wait,
                             struct cause_note *cause)
{
	static const char *const words[] = {
		[OPEN_WAIT_FLOCK] = "flock",
		[OPEN_WAIT_POSIX] = "fcntl lock",
		[OPEN_WAIT_LEASE] = "lease",
	};
	_cleanup_(buffer_release) struct buffer name = {0};
	uint32_t path = wait->path ? intern_adds(&timeline->names, wait->path)
	                           : file_names_find(&timeline->files, wait->dev, wait->address);

	buffer_init(&name, NAME_BYTES);
	buffer_puts(&name, words[wait->kind]);
	buffer_putc(&name, ' ');
	buffer_puts(&name, path ? intern_text(&timeline->names, path) : "of a file");
	cause->name = intern_adds(&timeline->names, name.text);
	cause->as.lock.file = path;
	cause->as.lock.is_flock = path && wait->kind == OPEN_WAIT_FLOCK;
}

static void become_lock(struct timeline *timeline, const struct open_wait *wait, uint32_t sleeper,
                        uint32_t owner, struct cause_note *cause)
{
	cause_note_become(cause, CAUSE_LOCK);
	cause->as.lock.address = wait->address;
	cause->originator = owner;
	cause->purpose = PURPOSE_NONE; /* the lock says it */
	if (wait->kind == OPEN_WAIT_FUTEX) {
		cause->as.lock.flags = FUTEX_SLEPT | FUTEX_LOCKED;
		cause->name = timeline_variable(timeline, sleeper, wait->address);
	} else {
		become_file_lock(timeline, wait, cause);
	}
}

void open_wait_refine_cause(struct timeline *timeline, const struct open_wait *wait,
                            uint32_t sleeper, uint32_t owner, struct cause_note *cause)
{
	if (open_wait_is_for_file_lock(wait) ||
	    (wait->kind == OPEN_WAIT_FUTEX && owner != TRACK_NONE))
		become_lock(timeline, wait, sleeper, owner, cause);
	else if (owner != TRACK_NONE && owner != sleeper)
		cause_note_become(cause, CAUSE_TASK);
	if (owner == TRACK_NONE || owner == sleeper)
		return;
	cause->waker = owner;
	cause->is_walked = true;
	cause->confidence = wait->kind == OPEN_WAIT_PIPE ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
}
