/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim.h"

#include <assert.h>

#include "base/assume.h"
#include "awaited.h"
#include "graph/logs/object_names.h"
#include "graph/timeline/timeline_tasks.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"
#include "words/cause/purpose.h"

/* Numbers that all architectures share. */
#define NUMBER_SIGKILL 9
#define NUMBER_SIGALRM 14

static enum aim_kind aim_of_waker(const struct timeline *timeline, uint32_t track,
                                  const struct cause_note *note)
{
	/* if the sleeper is not known, the waker is of its process */
	uint32_t of = track == TRACK_NONE ? note->waker : track;
	enum aim_kind kind = AIM_NONE;

	if (note->kind == CAUSE_TASK && note->as.lock.file)
		return AIM_LOCK;
	if (note->kind == CAUSE_TASK && note->as.lock.flags & FUTEX_ENDED)
		return AIM_JOIN;
	/* a task that waits for a condition may be moved to its lock, by a call that was not seen,
	   too */
	if (note->as.lock.from || (note->as.lock.flags & FUTEX_LOCKED &&
	                           note->as.lock.flags & FUTEX_OF_CONDITION))
		return AIM_CONDITION;
	/* other waits at the futex, and later ones, may show what this one does not */
	if (note->as.lock.address)
		kind = aim_of_futex(futex_kind_of(timeline_futex_signs(
			timeline, of, note->as.lock.address, note->as.lock.flags)));
	if (kind != AIM_NONE)
		return kind;
	/* a child, a thread, or one that had the other end of what the sleeper waited at */
	if (note->waker != TRACK_NONE && cause_note_is_labelled(timeline, note, "exit")) {
		assert(note->waker < timeline->track_count);
		if (timeline_is_one_process(timeline, track, note->waker))
			return AIM_JOIN;
		if (timeline_child_of(timeline, note->waker, track) != TRACK_NONE)
			return AIM_CHILD;
	} else if (cause_note_is_labelled(timeline, note, "vfork")) {
		return AIM_CHILD;
	}
	return aim_of_purpose(note->purpose);
}

static enum aim_kind aim_of_timer(const struct cause_note *note)
{
	enum aim_kind kind = aim_of_purpose(note->purpose);

	assert(note->kind == CAUSE_TIMER);
	/* TCP's: for what is on its way to the task or from it */
	if (note->as.timer.stall != STALL_NONE && note->as.timer.stall != STALL_WRITEBACK)
		return AIM_ANSWER;
	/* the sleeper slept for its own sake. A relative limit alone does not show that:
	   sigtimedwait() has one, too */
	if (cause_note_is_own_timer(note) &&
	    (note->as.timer.call != CALL_NONE ? note->as.timer.call == CALL_NANOSLEEP
	                                      : note->purpose == PURPOSE_NANOSLEEP))
		return AIM_TIME;
	return kind == AIM_NONE && note->as.timer.call == CALL_MQUEUE ? AIM_PIPE : kind;
}

/* Whether the task made room in memory meanwhile, and waited at no lock. */
static bool note_is_for_memory(const struct cause_note *note)
{
	return note->memory && note->kind != CAUSE_LOCK;
}

/* What a wait was for that ended so, or is open and known so far as `note` says. */
static enum aim_kind aim_of_note(const struct timeline *timeline, uint32_t track,
                                 const struct cause_note *note)
{
	enum aim_kind kind = cause_kinds[note->kind].aim;

	/* only some recordings show that a disk was read for memory */
	if (note_is_for_memory(note) && note->kind != CAUSE_DISK)
		return AIM_MEMORY;
	switch (note->kind) {
	case CAUSE_TASK:
	case CAUSE_UNKNOWN:
		return aim_of_waker(timeline, track, note);
	case CAUSE_NET:
		return cause_note_is_work(note) ? AIM_FOR_WORK : AIM_ANSWER;
	case CAUSE_TIMER:
		return aim_of_timer(note);
	default:
		return kind != AIM_NONE ? kind : aim_of_purpose(note->purpose);
	}
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
	if (note && note->kind == CAUSE_NET && note->as.net.is_unanswered)
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
	ASSUME(note->kind < CAUSE_KIND_COUNT);
	aim->note = note;
	aim->holder = note_holder(note);
	/* a peer was asked, or a connection begun, at `origin`, and there was no answer */
	if (note->kind == CAUSE_NET && (note->as.net.is_unanswered || note->as.net.is_retried))
		aim->begin = nsec_min(aim->begin, note->origin);
}

static void aim_of_awaited(const struct timeline *timeline, uint32_t track,
                           const struct awaited *awaited, struct wait_aim *aim)
{
	const struct sleep_series *series = awaited->series;
	const struct cause_note *cause = awaited->cause;

	assert(series || awaited->cause || awaited->is_for_work);
	if (series)
		aim->begin = series->begin;
	if (awaited->is_for_work) {
		aim->kind = AIM_FOR_WORK;
	} else if (cause) {
		aim->kind = (uint8_t)aim_of_note(timeline, track, cause);
		aim_describe(cause, aim);
		if (cause->kind == CAUSE_NET && cause->as.net.is_retried &&
		    !cause->as.net.is_unanswered)
			aim->end = AIM_HAD;
		else if (!series || !series->is_answered)
			aim->end = series && series->is_left && timeline->track[track].is_open
			                   ? AIM_OPEN
			                   : AIM_LIMIT;
	} else if (series) {
		assert(series->child < timeline->track_count);
		aim->holder = series->child;
		/* what a thread does may be what was awaited, and not its end */
		aim->kind = timeline_is_one_process(timeline, track, aim->holder) ? AIM_NONE
		                                                                  : AIM_CHILD;
		aim->end = poll_ends_with_child(series) ? AIM_HAD : AIM_LIMIT;
	}
}

static void aim_of_logged(const struct timeline *timeline, const struct aim_note *logged,
                          const struct cause_note *note, const struct sleep_series *row,
                          struct wait_aim *aim)
{
	assert(logged->begin <= aim->begin && logged->end > aim->begin);
	aim->begin = logged->begin;
	aim->end = logged->how;
	/* a task that gave up shows in its last wait whether a limit or a signal made it do so; a
	   signal where the wait does not */
	if (logged->how == AIM_SIGNAL)
		aim->end = (uint8_t)aim_end_of(note, (enum aim_kind)logged->kind);
	if (logged->how == AIM_SIGNAL && aim->end == AIM_HAD)
		aim->end = AIM_SIGNAL;
	if (logged->cause != CAUSE_NONE)
		aim_describe(timeline_cause_at(timeline, logged->cause), aim);
	if (aim->holder == TRACK_NONE && row && row->is_answered)
		aim->holder = note_holder(row->cause);
}

/* What is known of a wait before it ends: a request in flight need not be what it waits for. */
static enum aim_kind aim_of_open(const struct cause_note *note, enum aim_kind kind)
{
	if (!note)
		return kind;
	/* a disk may end it: then the request to that disk is the aim */
	if (note_is_for_memory(note))
		return AIM_NONE;
	return note->kind == CAUSE_DISK ? aim_of_purpose(note->purpose) : kind;
}

/* What a wait was for as far as it shows alone: by the request that it was for, else by what ended
   it. */
static enum aim_kind aim_kind_alone(const struct timeline *timeline, uint32_t index, size_t at,
                                    const struct cause_note *note)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct sleep_series *row;
	enum aim_kind kind = note ? aim_of_note(timeline, index, note) : AIM_NONE;
	bool is_open = timeline_is_open(track, at);

	if (is_open)
		kind = aim_of_open(segment_cause(timeline, segment), kind);
	if (chosen_sleep_alone(timeline, index, at) != SLEEP_FOR_WORK)
		return kind;
	if (track->is_kernel)
		return AIM_FOR_WORK;
	/* what ends it may show that it was for something else, unless the task serves; so may what
	   ends the last one of a row of sleeps that may go on */
	row = series_around(track->series, SERIES_OF_SLICES, segment->begin);
	return (!is_open || track->accepts || track->listens) && !(row && row->is_left)
	               ? AIM_FOR_WORK
	               : kind;
}

static void aim_of_wait(const struct timeline *timeline, uint32_t index, size_t at,
                        const struct cause_note *note, struct wait_aim *aim)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct cause_note *request = timeline_request(timeline, note);
	const struct sleep_series *row;
	struct awaited awaited;

	if (timeline_awaited(timeline, index, at, &awaited)) {
		aim_of_awaited(timeline, index, &awaited, aim);
		return;
	}
	if (note)
		aim_describe(request ? request : note, aim);
	aim->kind = (uint8_t)aim_kind_alone(timeline, index, at, request ? request : note);
	aim->end = timeline_is_open(track, at)
	                   ? AIM_OPEN
	                   : (uint8_t)aim_end_of(note, (enum aim_kind)aim->kind);
	if (request) {
		aim->begin = nsec_min(aim->begin, request->origin);
		return;
	}
	row = series_of(track->series, SERIES_OF_SLICES, segment->begin);
	if (row && row->cause == note)
		aim->begin = row->begin; /* it ended the row */
}

struct wait_aim timeline_aim(const struct timeline *timeline, uint32_t index, size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct aim_note *logged =
		track->aims ? timeline_aim_note(timeline, index, segment->begin,
		                                timeline_segment_end(track, at))
		            : NULL;
	const struct cause_note *note = segment_cause(timeline, segment);
	struct wait_aim aim = {.begin = segment->begin, .holder = TRACK_NONE};

	assert(segment->kind == SEGMENT_WAIT || segment->kind == SEGMENT_STOPPED);
	aim.kind = logged ? logged->kind : AIM_NONE;
	/* what it was may have shown only later */
	if (logged && logged->kind == AIM_NONE && logged->cause != CAUSE_NONE)
		aim.kind = (uint8_t)aim_of_note(timeline, index,
		                                timeline_cause_at(timeline, logged->cause));
	if (aim.kind != AIM_NONE)
		aim_of_logged(timeline, logged, note,
		              series_of(track->series, SERIES_OF_SLICES, segment->begin), &aim);
	else
		aim_of_wait(timeline, index, at, note, &aim);
	/* a child is a process, whichever of its threads ended last */
	if (aim.kind == AIM_CHILD && aim.holder != TRACK_NONE)
		aim.holder = timeline_process(timeline, aim.holder);
	if (aim.holder == index)
		aim.holder = TRACK_NONE;
	/* the wish is as old as the wait at least, and only what lives still waits */
	assert(aim.begin <= segment->begin);
	assert(aim.end != AIM_OPEN || track->is_open);
	assert(aim.holder == TRACK_NONE || aim.holder < timeline->track_count);
	return aim;
}

/* The object's own name, as far as the note has it; NULL: it has none. */
static const char *note_object(const struct timeline *timeline, uint32_t track,
                               const struct cause_note *note)
{
	if (note->kind == CAUSE_DISK)
		return timeline_text(timeline, device_names_find(&timeline->devices,
		                                                 note->as.disk.dev));
	if (note->kind != CAUSE_TASK && note->kind != CAUSE_LOCK)
		return NULL;
	if (note->as.lock.file)
		return timeline_text(timeline, note->as.lock.file);
	return note->as.lock.address && track != TRACK_NONE
	               ? timeline_text(timeline,
	                         timeline_variable(timeline, track, note->as.lock.address))
	               : NULL;
}

/* note: describes the object; NULL: it is not known. */
static const char *aim_object(const struct timeline *timeline, uint32_t track, enum aim_kind kind,
                              const struct cause_note *note)
{
	const char *name = note ? note_object(timeline, track, note) : NULL;

	return name || !note || kind == AIM_FOR_WORK || kind == AIM_TIME
	               ? name
	               : purpose_words(note->purpose);
}

enum aim_kind timeline_aim_kind(const struct timeline *timeline, uint32_t index, size_t at,
                                const struct cause_note **ret_note)
{
	const struct track *track = &timeline->track[index];
	const struct cause_note *note = segment_cause(timeline, &track->segment[at]), *request;
	struct wait_aim aim;

	if (track->aims || series_may_be_around(track->series, track->segment[at].begin)) {
		aim = timeline_aim(timeline, index, at);
		*ret_note = aim.note;
		return (enum aim_kind)aim.kind;
	}
	request = timeline_request(timeline, note);
	*ret_note = request ? request : note;
	return aim_kind_alone(timeline, index, at, *ret_note);
}

struct brief_aim brief_aim_of_segment(const struct timeline *timeline, uint32_t track, size_t at)
{
	const struct cause_note *note;
	enum aim_kind kind;

	if (timeline->track[track].segment[at].kind != SEGMENT_WAIT)
		return (struct brief_aim){AIM_NONE, NULL};
	kind = timeline_aim_kind(timeline, track, at, &note);
	return (struct brief_aim){
		kind,
		kind == AIM_NONE ? NULL : aim_object(timeline, track, kind, note),
	};
}

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

	assert(aim->kind == AIM_LOCK);
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
		.name = aim_object(timeline, track, (enum aim_kind)aim.kind, aim.note),
		.peer = aim.note && aim.note->kind == CAUSE_NET
		                ? timeline_text(timeline, aim.note->as.net.peer)
		                : NULL,
		.holder_count = aim_holders(timeline, &aim, end, holders),
	};

	for (size_t i = 0; i < shown.holder_count; i++)
		shown.holder[i] = timeline_task(timeline, holders[shown.holder_count - 1 - i], end);
	return shown;
}

struct brief_aim brief_aim_of_cause(const struct timeline *timeline, uint32_t track,
                                    const struct cause_note *note)
{
	struct brief_aim aim = {note ? aim_of_note(timeline, track, note) : AIM_NONE, NULL};

	if (note && note->kind == CAUSE_UNKNOWN)
		aim.kind = aim_of_open(note, aim.kind);
	if (aim.kind == AIM_NONE)
		return aim;
	aim.name = note_object(timeline, track, note);
	if (!aim.name && aim.kind != AIM_TIME)
		aim.name = purpose_words(note->purpose);
	return aim;
}

struct brief_aim brief_aim_of_key(const struct timeline *timeline, const struct aim_key *key)
{
	return (struct brief_aim){
		.kind = (enum aim_kind)key->kind,
		.name = key->name ? intern_text(&timeline->names, key->name) : NULL,
	};
}

/* The place of the wait's aim. If it is not known there yet, *ret_is_known is false, and the caller
   sets the key. */
static inline struct known_aim *aim_cache_find(struct aim_cache *cache,
                                               const struct timeline *timeline, uint32_t index,
                                               size_t at, bool *ret_is_known)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	struct known_aim *known = &cache->known[segment->cause & (AIMS_KNOWN - 1)];
	/* the wait's own end is all that shows what it was for */
	bool is_alone = !track->aims && !timeline_is_open(track, at) &&
	                !series_may_be_around(track->series, segment->begin);

	assert(segment->kind == SEGMENT_WAIT);
	*ret_is_known = is_alone && known->track == index + 1 && known->cause == segment->cause &&
	                known->detail == segment->detail;
	if (*ret_is_known)
		return known;
	known->track = is_alone ? index + 1 : 0;
	known->cause = segment->cause;
	known->detail = segment->detail;
	return known;
}

enum aim_kind timeline_aim_kind_cached(const struct timeline *timeline, uint32_t index, size_t at,
                                       struct aim_cache *cache)
{
	const struct cause_note *note;
	bool is_known;
	struct known_aim *known = aim_cache_find(cache, timeline, index, at, &is_known);

	if (!is_known)
		known->key.kind = timeline_aim_kind(timeline, index, at, &note);
	return (enum aim_kind)known->key.kind;
}

struct aim_key aim_key_cached(struct timeline *timeline, uint32_t index, size_t at,
                              struct aim_cache *cache)
{
	bool is_known;
	struct known_aim *known = aim_cache_find(cache, timeline, index, at, &is_known);

	if (!is_known)
		known->key = aim_key_of(timeline, brief_aim_of_segment(timeline, index, at));
	return known->key;
}
