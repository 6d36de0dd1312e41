/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_wait.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "graph/aims/sleep_series.h"
#include "words/cause/futex_kind.h"

static bool call_begins(const struct open_wait *wait, const char *word)
{
	return wait->call && strncmp(wait->call, word, strlen(word)) == 0;
}

bool open_wait_is_poll(const struct open_wait *wait)
{
	return (wait->kind == OPEN_WAIT_SOCKET || wait->kind == OPEN_WAIT_PIPE ||
	        wait->kind == OPEN_WAIT_CHILD) && wait->call &&
	       (strstr(wait->call, "poll") || strstr(wait->call, "select"));
}

static bool is_unix(const struct open_wait *wait)
{
	return wait->type && strcmp(wait->type, "unix") == 0;
}

enum purpose open_wait_purpose(const struct open_wait *wait)
{
	static const uint8_t of_objects[] = {
		[OPEN_WAIT_CONDITION] = PURPOSE_CONDITION,
		[OPEN_WAIT_SEMAPHORE] = PURPOSE_POSIX_SEM,
		[OPEN_WAIT_BARRIER] = PURPOSE_BARRIER,
	};

	if (wait->kind < ARRAY_SIZE(of_objects) && of_objects[wait->kind])
		return (enum purpose)of_objects[wait->kind];
	if (wait->kind == OPEN_WAIT_CHILD && wait->call && !call_begins(wait, "wait") &&
	    wait->state != 'D')
		return PURPOSE_CHILD_SIGNAL;
	if (!open_wait_is_poll(wait))
		return PURPOSE_NONE;
	if (wait->kind == OPEN_WAIT_PIPE)
		return PURPOSE_PIPE;
	return is_unix(wait) ? PURPOSE_UNIX_RECEIVE : PURPOSE_ANSWER;
}

/* Whether the task waits until it may send, or is connected. */
static bool is_outwards(const struct open_wait *wait)
{
	return call_begins(wait, "send") || call_begins(wait, "write") ||
	       call_begins(wait, "connect");
}

static void path_append(const struct open_wait *wait, const char *before, struct buffer *to)
{
	if (!wait->path)
		return;
	buffer_puts(to, before);
	buffer_puts_clean(to, wait->path, strlen(wait->path));
}

static void socket_append(const struct open_wait *wait, struct buffer *to)
{
	assert(wait->kind == OPEN_WAIT_SOCKET);
	path_append(wait, is_unix(wait) ? " at " : is_outwards(wait) ? " to " : " from ", to);
	if (wait->fact == OPEN_WAIT_FACT_FULL)
		buffer_puts(to, " (its backlog is full)");
	else if (wait->fact == OPEN_WAIT_FACT_WAITING)
		buffer_puts(to, " (it has not accepted the connection)");
	else if (wait->address)
		buffer_printf(to, " (%s bytes not taken)", COUNT_TEXT(wait->address));
}

/* The mutex never gets free. */
static void left_append(const struct open_wait *wait, struct buffer *to)
{
	assert(wait->kind == OPEN_WAIT_LEFT);
	if (wait->owner)
		buffer_printf(to, ", which thread %d had when it ended", wait->owner);
	else
		buffer_puts(to, ", which no thread of this process has: its owner ended, or forked "
		                "this process");
}

void open_wait_append_object(const struct open_wait *wait, struct buffer *to)
{
	switch (wait->kind) {
	case OPEN_WAIT_SOCKET:
		socket_append(wait, to);
		break;
	case OPEN_WAIT_PIPE:
	case OPEN_WAIT_TERMINAL:
		path_append(wait, wait->path && wait->path[0] == '/' ? " on " : ", ", to);
		if (wait->has_no_holder)
			buffer_puts(to, ", which nobody has open at the other end");
		break;
	case OPEN_WAIT_LEFT:
		left_append(wait, to);
		break;
	case OPEN_WAIT_FILE:
		if (wait->path && wait->path[0] == '/')
			path_append(wait, " on ", to);
		break;
	default:
		break;
	}
}

const char *open_wait_peer(const struct open_wait *wait)
{
	return wait->kind == OPEN_WAIT_SOCKET && !is_unix(wait) ? wait->path : NULL;
}

enum aim_kind open_wait_aim(const struct open_wait *wait)
{
	static const uint8_t aims[] = {
		[OPEN_WAIT_LEFT] = AIM_LOCK,   [OPEN_WAIT_FLOCK] = AIM_LOCK,
		[OPEN_WAIT_POSIX] = AIM_LOCK,  [OPEN_WAIT_LEASE] = AIM_LOCK,
		[OPEN_WAIT_THREAD] = AIM_JOIN, [OPEN_WAIT_CONDITION] = AIM_CONDITION,
		[OPEN_WAIT_CHILD] = AIM_CHILD, [OPEN_WAIT_MOUNT] = AIM_KERNEL,
		[OPEN_WAIT_SEMAPHORE] = AIM_SEMAPHORE, [OPEN_WAIT_BARRIER] = AIM_BARRIER,
	};

	if (wait->kind < ARRAY_SIZE(aims) && aims[wait->kind])
		return (enum aim_kind)aims[wait->kind];
	if (wait->kind == OPEN_WAIT_FUTEX)
		return wait->owner ? AIM_LOCK : AIM_NONE;
	if (wait->kind == OPEN_WAIT_PIPE)
		return call_begins(wait, "sem") ? AIM_SEMAPHORE : AIM_PIPE;
	if (wait->kind == OPEN_WAIT_TERMINAL)
		return is_outwards(wait) ? AIM_PIPE : AIM_FOR_WORK;
	if (wait->kind == OPEN_WAIT_SOCKET && is_unix(wait))
		return AIM_PIPE;
	/* where the other end opened the connection, nothing shows that the task asked for
	   something */
	if (wait->kind == OPEN_WAIT_SOCKET)
		return wait->fact == OPEN_WAIT_FACT_SERVED && !is_outwards(wait) ? AIM_FOR_WORK
		                                                                 : AIM_ANSWER;
	return call_begins(wait, "nanosleep") || call_begins(wait, "clock_nanosleep") ? AIM_TIME
	                                                                              : AIM_NONE;
}

#define NAME_BYTES 512

/* Its name is "futex big_lock": the kind of lock, and its own name. */
static void become_lock(struct timeline *timeline, uint64_t address, const char *kind,
                        const char *name, struct cause_note *cause)
{
	_cleanup_(buffer_release) struct buffer whole = {0};

	cause_note_become(cause, CAUSE_LOCK);
	cause->as.lock.address = address;
	cause->purpose = PURPOSE_NONE; /* the lock says it */
	if (!name)
		return;
	buffer_init(&whole, NAME_BYTES);
	buffer_puts(&whole, kind);
	buffer_puts(&whole, name);
	cause->name = intern_adds(&timeline->names, whole.text);
}

void file_lock_become_cause(struct timeline *timeline, enum open_wait_kind kind, uint64_t inode,
                            uint32_t path, struct cause_note *cause)
{
	static const char *const words[] = {
		[OPEN_WAIT_FLOCK] = "flock ",
		[OPEN_WAIT_POSIX] = "fcntl lock ",
		[OPEN_WAIT_LEASE] = "lease ",
	};
	const char *file = path ? intern_text(&timeline->names, path) : "of a file";

	assert(kind < ARRAY_SIZE(words) && words[kind]);
	become_lock(timeline, inode, words[kind], file, cause);
	cause->as.lock.file = path;
	cause->as.lock.is_flock = path && kind == OPEN_WAIT_FLOCK;
}

/* Whether a wait that is for the same as the one before may lie before and behind the segment,
   which is no earlier than that wait, `first`. */
static bool segment_goes_on(const struct timeline *timeline, const struct track *track, size_t at,
			    size_t first)
{
	const struct segment *segment = &track->segment[at], *wait = &track->segment[first];

	assert(first <= at && wait->kind == SEGMENT_WAIT);
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
	const struct cause_note *note, *request;

	for (size_t at = track->segment_count; at-- > 0;) {
		const struct segment *segment = &track->segment[at];

		if (segment->kind != SEGMENT_WAIT || timeline_is_open(track, at))
			continue;
		note = segment_cause(timeline, segment);
		request = note ? timeline_request(timeline, note) : NULL;
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
	uint32_t variable;

	/* nobody holds it up */
	if (open_wait_aim(wait) == AIM_FOR_WORK)
		return;
	if (open_wait_is_for_file_lock(wait)) {
		file_lock_become_cause(
			timeline, wait->kind, wait->address,
			wait->path ? intern_adds(&timeline->names, wait->path)
				   : file_names_find(&timeline->files, wait->dev, wait->address),
			cause);
	} else if (wait->kind == OPEN_WAIT_LEFT ||
		 (wait->kind == OPEN_WAIT_FUTEX && owner != TRACK_NONE)) {
		variable = timeline_variable(timeline, sleeper, wait->address);
		become_lock(timeline, wait->address, FUTEX_NAME_PREFIX,
			    timeline_text(timeline, variable), cause);
		cause->as.lock.flags = FUTEX_SLEPT | FUTEX_LOCKED;
	} else if (owner != TRACK_NONE && owner != sleeper) {
		cause_note_become(cause, CAUSE_TASK);
	}
	if (cause->kind == CAUSE_TASK && wait->kind == OPEN_WAIT_THREAD)
		cause->as.lock.flags = FUTEX_SLEPT | FUTEX_ENDED;
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
	/* who has the other end open is known, but not whether it is to use it */
	cause->confidence = wait->kind == OPEN_WAIT_PIPE || wait->kind == OPEN_WAIT_SOCKET ||
	                                    wait->kind == OPEN_WAIT_TERMINAL
	                            ? CONFIDENCE_MEDIUM
	                            : CONFIDENCE_HIGH;
}
