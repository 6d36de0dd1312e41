/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_wait_cause.h"

#include <string.h>

#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "open_wait_words.h"
#include "sleep_series.h"
#include "sleep_timeout.h"
#include "words/cause/futex_kind.h"
#include "words/cause/purpose.h"

#define NAME_BYTES 512

static void become_lock(uint64_t address, struct cause_note *cause)
{
	cause_note_become(cause, CAUSE_LOCK);
	cause->as.lock.address = address;
	cause->purpose = PURPOSE_NONE; /* the lock says it */
}

/* The name is "flock /var/lib/x/lock". */
void file_lock_become_cause(struct timeline *timeline, enum open_wait_kind kind, uint64_t inode,
                            uint32_t path, struct cause_note *cause)
{
	static const char *const words[] = {
		[OPEN_WAIT_FLOCK] = "flock",
		[OPEN_WAIT_POSIX] = "fcntl lock",
		[OPEN_WAIT_LEASE] = "lease",
	};
	_cleanup_(buffer_release) struct buffer name = {0};

	become_lock(inode, cause);
	buffer_init(&name, NAME_BYTES);
	buffer_puts(&name, words[kind]);
	buffer_putc(&name, ' ');
	buffer_puts(&name, path ? intern_text(&timeline->names, path) : "of a file");
	cause->name = intern_adds(&timeline->names, name.text);
	cause->as.lock.file = path;
	cause->as.lock.is_flock = path && kind == OPEN_WAIT_FLOCK;
}

static void file_wait_refine_cause(struct timeline *timeline, const struct open_wait *wait,
                                   struct cause_note *cause)
{
	uint32_t path = wait->path ? intern_adds(&timeline->names, wait->path)
	                           : file_names_find(&timeline->files, wait->dev, wait->address);

	file_lock_become_cause(timeline, wait->kind, wait->address, path, cause);
}

static void futex_wait_refine_cause(struct timeline *timeline, const struct open_wait *wait,
                                    uint32_t sleeper, struct cause_note *cause)
{
	become_lock(wait->address, cause);
	cause->as.lock.flags = FUTEX_SLEPT | FUTEX_LOCKED;
	cause->name = timeline_variable(timeline, sleeper, wait->address);
}

/* Whether who has the other end open is known, but not whether it is to use it. */
static bool wait_has_two_ends(const struct open_wait *wait)
{
	return wait->kind == OPEN_WAIT_PIPE || wait->kind == OPEN_WAIT_SOCKET ||
	       wait->kind == OPEN_WAIT_TERMINAL;
}

/* Whether a wait that is for the same as the one before may lie before and behind the segment,
   which is no earlier than that wait, `first`. */
static bool segment_goes_on(const struct timeline *timeline, const struct track *track, size_t at,
			    size_t first)
{
	const struct segment *segment = &track->segment[at], *wait = &track->segment[first];

	if (segment->kind == SEGMENT_RUN)
		return timeline_segment_end(track, at) - segment->begin <=
		       series_run_most(timeline_segment_end(track, first) - wait->begin);
	if (segment->kind != SEGMENT_WAIT)
		return segment->kind == SEGMENT_RUNNABLE;
	if (at != first && !segment->is_quiet)
		return false;
	return timeline_is_open(track, at) ||
	       (sleep_limit_kind(segment->timeout) == sleep_limit_kind(wait->timeout) &&
		segment->cause != CAUSE_NONE &&
		cause_note_is_timeout(timeline_cause_at(timeline, segment->cause)));
}

bool open_wait_goes_on(struct timeline *timeline, uint32_t index, nsec_t seen)
{
	struct track *track = &timeline->track[index];
	size_t first = track->segment_count ? timeline_find(track, seen) : SIZE_MAX;

	/* the recorder reads the clock before it looks: by then the task may sleep again */
	while (first != SIZE_MAX && first > 0 && (track->segment[first].kind == SEGMENT_RUN ||
						  track->segment[first].kind == SEGMENT_RUNNABLE))
		first--;
	if (first == SIZE_MAX || track->segment[first].kind != SEGMENT_WAIT)
		return false;
	for (size_t at = first; at < track->segment_count; at++)
		if (!segment_goes_on(timeline, track, at, first))
			return false;
	return true;
}

bool open_wait_is_retried(const struct timeline *timeline, uint32_t index,
			  const struct open_wait *wait)
{
	const struct track *track = &timeline->track[index];
	const struct cause_note *request;

	for (size_t at = track->segment_count; at-- > 0;) {
		const struct segment *segment = &track->segment[at];

		if (segment->kind != SEGMENT_WAIT || timeline_is_open(track, at))
			continue;
		request = segment->cause == CAUSE_NONE
			? NULL : timeline_request(timeline, timeline_cause_at(timeline,
									      segment->cause));
		return wait->path && request && request->kind == CAUSE_LOCK &&
		       request->as.file_lock.file &&
		       strcmp(intern_text(&timeline->names, request->as.file_lock.file),
			      wait->path) == 0;
	}
	return false;
}

void open_wait_refine_cause(struct timeline *timeline, const struct open_wait *wait,
                            uint32_t sleeper, uint32_t owner, struct cause_note *cause)
{
	/* nobody holds it up */
	if (open_wait_is_for_work(wait))
		return;
	if (open_wait_is_for_file_lock(wait))
		file_wait_refine_cause(timeline, wait, cause);
	else if (wait->kind == OPEN_WAIT_LEFT ||
		 (wait->kind == OPEN_WAIT_FUTEX && owner != TRACK_NONE))
		futex_wait_refine_cause(timeline, wait, sleeper, cause);
	else if (owner != TRACK_NONE && owner != sleeper)
		cause_note_become(cause, CAUSE_TASK);
	if (open_wait_purpose(wait))
		cause->purpose = (uint8_t)open_wait_purpose(wait);
	if (wait->kind == OPEN_WAIT_LEFT)
		return;
	if (cause->kind == CAUSE_LOCK)
		cause->originator = owner;
	if (owner == TRACK_NONE || owner == sleeper)
		return;
	cause->waker = owner;
	cause->is_walked = true;
	cause->confidence = wait_has_two_ends(wait) ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
}
