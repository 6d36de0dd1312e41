/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim.h"

#include <string.h>

#include "awaited.h"
#include "device_names.h"
#include "words/aim_kind.h"
#include "words/cause/purpose.h"

/* Numbers that all architectures share. */
#define NUMBER_SIGKILL 9
#define NUMBER_SIGALRM 14

/* The end of a task: a child's, a thread's, or of one that had the other end of what the sleeper
   waited at. */
static enum aim_kind aim_of_exit(const struct timeline *timeline, uint32_t track,
                                 const struct cause_note *note)
{
	uint32_t parent = timeline->track[note->waker].parent;

	if (timeline_is_one_process(timeline, track, note->waker))
		return AIM_JOIN;
	return parent != TRACK_NONE && timeline_is_one_process(timeline, track, parent)
	               ? AIM_CHILD
	               : aim_of_purpose(note->purpose);
}

/* Other waits at the futex, and later ones, may show what this one does not. If the sleeper is not
   known, the waker is of its process. */
static enum futex_kind timeline_futex_kind(const struct timeline *timeline, uint32_t track,
                                           const struct cause_note *note)
{
	uint32_t signs = note->as.lock.flags, of = track == TRACK_NONE ? note->waker : track;

	if (signs & FUTEX_CONDITIONAL && of != TRACK_NONE)
		signs |= timeline_futex_signs(timeline, of, note->as.lock.address);
	return futex_kind_of(signs);
}

static enum aim_kind aim_of_waker(const struct timeline *timeline, uint32_t track,
                                  const struct cause_note *note)
{
	if (note->kind == CAUSE_TASK && note->as.lock.file)
		return AIM_LOCK;
	/* a task that waits for a condition may be moved to its lock, by a call that was not seen,
	   too */
	if (note->as.lock.from || (note->as.lock.flags & FUTEX_LOCKED &&
	                           note->as.lock.flags & FUTEX_OF_CONDITION))
		return AIM_CONDITION;
	if (note->as.lock.address)
		return aim_of_futex(timeline_futex_kind(timeline, track, note));
	if (note->waker != TRACK_NONE && cause_note_is_labelled(timeline, note, "exit"))
		return aim_of_exit(timeline, track, note);
	if (cause_note_is_labelled(timeline, note, "vfork"))
		return AIM_CHILD;
	return aim_of_purpose(note->purpose);
}

/* Whether the wait is one of a row of sleeps that may go on: what ends the last of them may show
   that all were for something else. */
static bool row_may_go_on(const struct timeline *timeline, uint32_t index,
                          const struct segment *segment)
{
	struct track *track = &timeline->track[index];
	bool has_ended = track->segment[track->segment_count - 1].kind == SEGMENT_DEAD;
	size_t row = series_around(timeline->sliced_wait, sizeof(*timeline->sliced_wait),
	                           &track->sliced_waits, segment->begin);

	return row != SIZE_MAX && timeline->sliced_wait[row].is_left && !has_ended;
}

/* Whether a timer that the sleeper set woke it from a sleep for its own sake. A relative limit
   alone does not show that: sigtimedwait() has one, too. */
static bool sleep_is_for_time(const struct cause_note *note)
{
	return note->as.timer.call != CALL_NONE ? note->as.timer.call == CALL_NANOSLEEP
	                                        : note->purpose == PURPOSE_NANOSLEEP;
}

static enum aim_kind aim_of_timer(const struct cause_note *note)
{
	enum aim_kind kind = aim_of_purpose(note->purpose);

	/* TCP's: for what is on its way to the task or from it */
	if (note->as.timer.stall != STALL_NONE && note->as.timer.stall != STALL_WRITEBACK)
		return AIM_ANSWER;
	if (cause_note_is_own_timer(note) && sleep_is_for_time(note))
		return AIM_TIME;
	return kind == AIM_NONE ? aim_of_call((enum sleep_call)note->as.timer.call) : kind;
}

/* What a wait was for that ended so, or is open and known so far as `note` says. */
static enum aim_kind aim_of_note(const struct timeline *timeline, uint32_t track,
                                 const struct cause_note *note)
{
	/* only some recordings show that a disk was read for memory */
	if (note->memory && note->kind != CAUSE_LOCK && note->kind != CAUSE_DISK)
		return AIM_MEMORY;
	switch (note->kind) {
	case CAUSE_TASK:
	case CAUSE_UNKNOWN:
		return aim_of_waker(timeline, track, note);
	case CAUSE_DISK:
		return AIM_DISK;
	case CAUSE_NET:
		return AIM_ANSWER;
	case CAUSE_LOCK:
		return AIM_LOCK;
	case CAUSE_MEMORY:
		return AIM_MEMORY;
	case CAUSE_TIMER:
		return aim_of_timer(note);
	case CAUSE_RCU:
		return AIM_KERNEL;
	default:
		return aim_of_purpose(note->purpose);
	}
}

/* Whether a peer was asked, or a connection begun, at `origin`, and there was no answer. */
static bool is_unanswered(const struct cause_note *note)
{
	return note->kind == CAUSE_NET && note->as.net.is_unanswered;
}

static bool is_retried(const struct cause_note *note)
{
	return note->kind == CAUSE_NET && note->as.net.is_retried;
}

static enum aim_end aim_end_of(const struct cause_note *note, enum aim_kind kind)
{
	if (note && note->kind == CAUSE_SIGNAL) {
		if (note->as.signal.number == NUMBER_SIGKILL)
			return AIM_DEATH;
		return note->waker == TRACK_NONE && note->as.signal.number == NUMBER_SIGALRM
		               ? AIM_LIMIT
		               : AIM_SIGNAL;
	}
	if (note && is_unanswered(note))
		return AIM_LIMIT;
	return note && cause_note_is_chosen(note) && kind != AIM_TIME && kind != AIM_FOR_WORK
	               ? AIM_LIMIT
	               : AIM_HAD;
}

/* The task that has, or had, what the wait was for; TRACK_NONE: not known. */
static uint32_t note_holder(const struct cause_note *note)
{
	switch (note->kind) {
	case CAUSE_TASK:
	case CAUSE_LOCK:
		return note->waker;
	case CAUSE_UNKNOWN:
		return note->is_walked ? note->waker : TRACK_NONE;
	case CAUSE_NET:
		return note->originator;
	default:
		return TRACK_NONE;
	}
}

/* What `note` says of the object, if something else ended the wait, too. */
static void aim_describe(const struct cause_note *note, struct wait_aim *aim)
{
	aim->note = note;
	aim->holder = note_holder(note);
	aim->purpose = note->purpose;
	if (is_unanswered(note) || is_retried(note))
		aim->begin = nsec_min(aim->begin, note->origin);
}

static void aim_of_awaited(const struct timeline *timeline, uint32_t track,
                           const struct segment *segment, const struct awaited *awaited,
                           struct wait_aim *aim)
{
	const struct sliced_wait *row = timeline_sliced_wait(timeline, track, segment->begin);

	if (row)
		aim->begin = row->begin;
	if (awaited->is_for_work) {
		aim->kind = AIM_FOR_WORK;
	} else if (awaited->poll) {
		aim->begin = awaited->poll->begin;
		aim->holder = awaited->poll->child;
		aim->kind = timeline_is_one_process(timeline, track, aim->holder) ? AIM_JOIN
		                                                                  : AIM_CHILD;
		aim->end = poll_ends_with_child(awaited->poll) ? AIM_HAD : AIM_LIMIT;
	} else {
		aim->kind = (uint8_t)aim_of_note(timeline, track, awaited->cause);
		aim_describe(awaited->cause, aim);
		if (is_retried(awaited->cause) && !is_unanswered(awaited->cause))
			aim->end = AIM_HAD;
		else if (!row || !row->is_answered)
			aim->end = row && row->is_left && timeline->track[track].is_open
			                   ? AIM_OPEN
			                   : AIM_LIMIT;
	}
}

/* A task that gave up shows in its last wait whether a limit or a signal made it do so; a signal
   where the wait does not. */
static enum aim_end logged_end(const struct aim_note *logged, const struct cause_note *note)
{
	enum aim_end end;

	if (logged->how != AIM_SIGNAL)
		return (enum aim_end)logged->how;
	end = aim_end_of(note, (enum aim_kind)logged->kind);
	return end == AIM_HAD ? AIM_SIGNAL : end;
}

static void aim_of_logged(const struct timeline *timeline, const struct aim_note *logged,
                          const struct cause_note *note, struct wait_aim *aim)
{
	aim->begin = logged->begin;
	aim->kind = logged->kind;
	aim->end = (uint8_t)logged_end(logged, note);
	if (logged->cause == CAUSE_NONE)
		return;
	aim_describe(timeline_cause_at(timeline, logged->cause), aim);
}

/* The request that the task slept for with a time limit; NULL: none. */
static const struct cause_note *aim_request(const struct timeline *timeline,
                                            const struct cause_note *note)
{
	return note ? timeline_request(timeline, note) : NULL;
}

/* What is known of a wait before it ends: a request in flight need not be what it waits for. */
static enum aim_kind aim_of_open(const struct cause_note *note, enum aim_kind kind)
{
	if (!note)
		return kind;
	/* a page is read from a disk, or another task reads it */
	if (note->memory == MEMORY_FAULT || note->memory == MEMORY_SWAP)
		return AIM_NONE;
	return note->kind == CAUSE_DISK ? aim_of_purpose(note->purpose) : kind;
}

/* Whether a sleep of a task that seems to have nothing to do is for work whatever comes later. What
   ends it may show that it was for something else, unless the task accepts connections. */
static bool sleep_stays_for_work(const struct timeline *timeline, uint32_t track,
                                 const struct segment *segment, bool is_open)
{
	if (timeline->track[track].is_kernel)
		return true;
	return (!is_open || timeline->track[track].accepts) &&
	       !row_may_go_on(timeline, track, segment);
}

static void aim_of_wait(const struct timeline *timeline, uint32_t track, size_t at,
                        const struct cause_note *note, struct wait_aim *aim)
{
	const struct segment *segment = &timeline->track[track].segment[at];
	const struct cause_note *request = aim_request(timeline, note);
	bool is_open = timeline_is_open(&timeline->track[track], at);
	const struct sliced_wait *row = timeline_sliced_wait(timeline, track, segment->begin);
	struct awaited awaited;

	if (timeline_awaited(timeline, track, at, &awaited)) {
		aim_of_awaited(timeline, track, segment, &awaited, aim);
		return;
	}
	if (note) {
		aim_describe(request ? request : note, aim);
		aim->kind = (uint8_t)aim_of_note(timeline, track, request ? request : note);
	}
	if (is_open)
		aim->kind = (uint8_t)aim_of_open(note, (enum aim_kind)aim->kind);
	if (timeline_chosen_sleep(timeline, track, at) == SLEEP_FOR_WORK &&
	    sleep_stays_for_work(timeline, track, segment, is_open))
		aim->kind = AIM_FOR_WORK;
	aim->end = is_open ? AIM_OPEN : (uint8_t)aim_end_of(note, (enum aim_kind)aim->kind);
	if (request)
		aim->begin = nsec_min(aim->begin, request->origin);
	else if (row && row->is_answered && row->cause == note)
		aim->begin = row->begin; /* it ended the row */
}

/* Whether the task never slept again, and ended. */
static bool segment_is_last_wait(const struct track *track, size_t at)
{
	while (++at < track->segment_count)
		if (track->segment[at].kind == SEGMENT_WAIT)
			return false;
	return track->segment[track->segment_count - 1].kind == SEGMENT_DEAD;
}

struct wait_aim timeline_aim(const struct timeline *timeline, uint32_t index, size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct aim_note *logged =
		aim_log_find(track->aims, segment->begin, timeline_segment_end(track, at));
	const struct cause_note *note =
		segment->cause == CAUSE_NONE ? NULL : timeline_cause_at(timeline, segment->cause);
	struct wait_aim aim = {.begin = segment->begin, .holder = TRACK_NONE};

	if (logged)
		aim_of_logged(timeline, logged, note, &aim);
	else
		aim_of_wait(timeline, index, at, note, &aim);
	if (aim.holder == index)
		aim.holder = TRACK_NONE;
	/* an alarm that ends the program is no limit that it goes on after */
	if (aim.end == AIM_LIMIT && note && note->kind == CAUSE_SIGNAL &&
	    segment_is_last_wait(track, at))
		aim.end = AIM_SIGNAL;
	return aim;
}

static const char *text_of(const struct timeline *timeline, uint32_t id)
{
	return id ? intern_text(&timeline->names, id) : NULL;
}

/* The variable's name in "futex big_lock"; NULL: there is none. */
static const char *futex_variable(const char *name)
{
	size_t length = strlen(FUTEX_NAME_PREFIX);

	return name && strncmp(name, FUTEX_NAME_PREFIX, length) == 0 ? name + length : NULL;
}

/* The object's own name, as far as the note has it; NULL: it has none. */
static const char *note_object(const struct timeline *timeline, const struct cause_note *note)
{
	if (note->kind == CAUSE_DISK)
		return text_of(timeline, device_names_find(&timeline->devices, note->as.disk.dev));
	if (note->kind != CAUSE_TASK && note->kind != CAUSE_LOCK)
		return NULL;
	if (note->as.lock.file)
		return text_of(timeline, note->as.lock.file);
	return note->as.lock.address ? futex_variable(text_of(timeline, note->name)) : NULL;
}

static const char *aim_object(const struct timeline *timeline, const struct wait_aim *aim)
{
	const char *name = aim->note ? note_object(timeline, aim->note) : NULL;

	return name || aim->kind == AIM_FOR_WORK || aim->kind == AIM_TIME
	               ? name
	               : purpose_words(aim->purpose);
}

struct brief_aim timeline_brief_aim(const struct timeline *timeline, uint32_t track, size_t at)
{
	struct wait_aim aim = timeline_aim(timeline, track, at);

	return (struct brief_aim){
		.kind = (enum aim_kind)aim.kind,
		.name = aim.kind == AIM_NONE ? NULL : aim_object(timeline, &aim),
	};
}

enum aim_kind timeline_cause_aim(const struct timeline *timeline, uint32_t track,
                                 const struct cause_note *note, const char **ret_name)
{
	enum aim_kind kind = aim_of_note(timeline, track, note);

	if (note->kind == CAUSE_UNKNOWN)
		kind = aim_of_open(note, kind);
	*ret_name = note_object(timeline, note);
	if (!*ret_name && kind != AIM_NONE && kind != AIM_TIME)
		*ret_name = purpose_words(note->purpose);
	return kind;
}

/* Whether both notes are of one lock. */
static bool lock_is_same(const struct cause_note *a, const struct cause_note *b)
{
	return a && b && (a->as.lock.file ? a->as.lock.file == b->as.lock.file
	                                  : a->as.lock.address && !b->as.lock.file &&
	                                            a->as.lock.address == b->as.lock.address);
}

/* The most waits of a holder that are examined. */
#define HOLDER_WAITS_MAX 64

/* Finds the wait in which the task got that lock, between the begin of the aim and *t. Returns the
   task that had it before, and sets *t to the end of that wait; TRACK_NONE: not known. */
static uint32_t holder_before(const struct timeline *timeline, uint32_t holder,
                              const struct wait_aim *aim, nsec_t *t)
{
	struct track *track = &timeline->track[holder];
	size_t at = timeline_find(track, *t);

	for (int i = 0; at != SIZE_MAX && i < HOLDER_WAITS_MAX; at--) {
		nsec_t end = timeline_segment_end(track, at);
		struct wait_aim own;

		if (end <= aim->begin)
			break;
		if (track->segment[at].kind != SEGMENT_WAIT || end > *t)
			continue;
		own = timeline_aim(timeline, holder, at);
		if (own.kind == AIM_LOCK && own.end == AIM_HAD &&
		    lock_is_same(own.note, aim->note)) {
			*t = end;
			return own.holder;
		}
		i++;
	}
	return TRACK_NONE;
}

/* Lists the tasks that had what the wait was for, the last one first. */
static size_t aim_holders(const struct timeline *timeline, const struct wait_aim *aim, nsec_t t,
                          uint32_t holders[AIM_HOLDERS_MAX])
{
	uint32_t holder = aim->kind == AIM_NONE ? TRACK_NONE : aim->holder;
	size_t count = 0;

	while (holder != TRACK_NONE && count < AIM_HOLDERS_MAX) {
		bool is_listed = false;

		for (size_t i = 0; i < count; i++)
			is_listed |= holders[i] == holder;
		if (!is_listed)
			holders[count++] = holder;
		holder = aim->kind == AIM_LOCK ? holder_before(timeline, holder, aim, &t)
		                               : TRACK_NONE;
	}
	return count;
}

struct aim timeline_aim_shown(const struct timeline *timeline, uint32_t track, size_t at)
{
	struct wait_aim aim = timeline_aim(timeline, track, at);
	nsec_t end = timeline_segment_end(&timeline->track[track], at);
	uint32_t holders[AIM_HOLDERS_MAX];
	struct aim shown = {
		.kind = (enum aim_kind)aim.kind,
		.end = (enum aim_end)aim.end,
		.begin = aim.begin,
		.name = aim_object(timeline, &aim),
		.peer = aim.note && aim.note->kind == CAUSE_NET
		                ? text_of(timeline, aim.note->as.net.peer)
		                : NULL,
		.holder_count = aim_holders(timeline, &aim, end, holders),
	};

	for (size_t i = 0; i < shown.holder_count; i++)
		shown.holder[i] = timeline_task(timeline, holders[shown.holder_count - 1 - i], end);
	return shown;
}
