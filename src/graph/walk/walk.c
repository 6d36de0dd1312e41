/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk.h"

#include <assert.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "graph/aims/awaited.h"
#include "graph/aims/last_child.h"
#include "graph/timeline/timeline_tasks.h"
#include "walk_blocks.h"
#include "walker.h"
#include "words/cause/purpose.h"
#include "words/cause/unknown_words.h"

const char *part_state_name(enum part_state state)
{
	static const char *const names[] = {"running", "runnable", "waiting",
	                                    "stopped", "unknown",  "unknown"};

	_Static_assert(ARRAY_SIZE(names) == PART_STATE_COUNT, "a name for each");
	assert(state < PART_STATE_COUNT);
	return names[state];
}

const char *part_state_words(enum part_state state)
{
	if (state == PART_UNKNOWN)
		return WORDS_NOT_RECORDED;
	return state == PART_CUT ? WORDS_TOO_LONG : part_state_name(state);
}

void part_state_append(struct buffer *to, enum part_state state)
{
	buffer_puts(to, state == PART_UNKNOWN || state == PART_CUT ? ": " : " ");
	buffer_puts(to, part_state_words(state));
}

struct cause part_cause(const struct timeline *timeline, const struct part *part)
{
	struct cause cause = timeline_cause(timeline, part->cause, part->end);

	if (cause.kind == CAUSE_NET)
		cause.as.net.is_order_unknown =
			part->end - part->begin < cause.as.net.clock_bound;
	return cause;
}

/* What ended a wait of the thread, which ends_with_another, as that one ended their process, and
   *ret_end: when; NULL: nothing did. */
static const struct cause_note *track_killed(const struct timeline *timeline, uint32_t index,
                                             nsec_t *ret_end)
{
	const struct track *track = &timeline->track[index];

	assert(track->ends_with_another);
	for (size_t at = track->segment_count; at-- > 0;) {
		const struct cause_note *note = segment_cause(timeline, &track->segment[at]);

		*ret_end = timeline_segment_end(track, at);
		if (note && note->kind == CAUSE_SIGNAL && note->as.signal.is_end)
			return note;
	}
	return NULL;
}

/*
 * The top's track has just been entered. That of a thread which ends as another one ends their
 * process explains only what is behind the wait in which it was; the other one explains the time
 * before: the kernel chooses which of the threads ends last, so what it did shows nothing.
 */
static void frame_leave_killed(struct walk_frame *top, const struct timeline *timeline)
{
	nsec_t end;
	const struct cause_note *note =
		top->history->ends_with_another ? track_killed(timeline, top->track, &end) : NULL;

	if (!note || end <= top->lo || end >= top->t)
		return;
	top->then_cause = note;
	top->then_lo = top->lo;
	top->lo = end;
	assert(top->then_lo < top->lo && top->lo < top->t);
}

/* Goes on along `track`, which explains the top's [lo, its t) because of `cause`. Returns the frame
   of that; NULL: the walk cannot go there. */
static struct walk_frame *walker_descend(struct walker *walker, uint32_t track, nsec_t lo,
                                         const struct cause_note *cause)
{
	struct walk_frame *top = walker->top;
	nsec_t hi = top->t;

	assert(lo >= top->lo && lo < hi && walker->reached == hi);
	if (walker_is_cycle(walker, track, lo, hi)) {
		walker->result->cycles++;
		walker_emit_unknown(walker, lo, PART_UNKNOWN);
		return NULL;
	}
	if (walker->depth == walker->depth_max) {
		walker->result->truncations++;
		walker_emit_unknown(walker, lo, PART_CUT);
		return NULL;
	}
	if (walker->visitor->place)
		*walker->visitor->place = top->place;
	if (walker->visitor->on_descend)
		walker->visitor->on_descend(walker->visitor->state, top->track, track, cause);
	walker_push(walker, track, lo, hi);
	frame_leave_killed(walker->top, walker->timeline);
	return walker->top;
}

/* Along the worker back to the queueing of the item `note`, then along the queuer. Returns as
   above. */
static struct walk_frame *walker_descend_work(struct walker *walker, nsec_t lo,
                                              const struct cause_note *note,
                                              const struct cause_note *cause)
{
	bool is_queued_inside = note->origin != NSEC_NEVER && note->origin > lo &&
	                        note->origin < walker->reached;
	struct walk_frame *top = walker_descend(walker, note->waker, lo, cause);

	if (!top)
		return NULL;
	top->work = note;
	if (!is_queued_inside || (note->originator == TRACK_NONE && note->as.work.reason == 0))
		return top;
	top->then_cause = timeline_linked_cause(walker->timeline, note->as.work.reason);
	if (!top->then_cause)
		top->then = note->originator;
	top->then_lo = lo;
	top->lo = note->origin;
	assert(top->then_lo < top->lo && top->lo < top->t);
	return top;
}

/* Limits the confidence of all parts along this track. */
static void frame_infer(struct walk_frame *frame, enum confidence confidence)
{
	if (frame->confidence_max > confidence)
		frame->confidence_max = confidence;
}

/* For the device, or for the limit on it that holds requests back. */
static const struct cause_note *side_disk(struct timeline *timeline, uint32_t dev,
                                          bool is_held_back)
{
	struct cause_note note;

	cause_note_init(&note, CAUSE_DISK, CONFIDENCE_HIGH);
	note.as.disk.dev = dev;
	note.as.disk.is_held_back = is_held_back;
	return timeline_side_note(timeline, &note);
}

/*
 * A wait for a request that an I/O limit held back has three parts. From the submission on the
 * device had the request; before that the worker had it, since the work item that submits it was
 * queued; before that the limit held it back.
 */
static void walker_explain_held(struct walker *walker, const struct cause_note *note, nsec_t lo)
{
	const struct cause_note *work = timeline_submitting_work(walker->timeline, note);
	struct walk_frame *top = walker->top;
	nsec_t submitted = nsec_max(lo, nsec_min(note->origin, top->t)), queued = submitted;
	struct part part = part_of_note(note);

	assert(note->kind == CAUSE_DISK && (!work || cause_note_has_work(work)));
	if (work) /* if its queueing was not seen, since its execution began */
		queued = work->origin == NSEC_NEVER ? work->as.work.begun : work->origin;
	queued = nsec_max(lo, nsec_min(queued, submitted));
	if (queued > lo) {
		top->held = note;
		top->held_lo = lo;
	}
	part.cause = side_disk(walker->timeline, note->as.disk.dev,
	                                /* is_held_back= */ false);
	if (submitted < top->t)
		walker_emit(walker, submitted, &part);
	if (!work || queued == submitted || work->waker == top->track ||
	    walker->timeline->ignores_submitters)
		return;
	top = walker_descend(walker, work->waker, queued, note);
	if (!top)
		return;
	top->work = work;
	frame_infer(top, CONFIDENCE_MEDIUM);
}

/* Reports the time in which the limit held the request back. That is certain if the timer that
   released the request was the waiting task's own. */
static void walker_emit_held(struct walker *walker)
{
	struct walk_frame *top = walker->top;
	const struct cause_note *note = top->held;
	const struct cause_note *work = timeline_submitting_work(walker->timeline, note);
	const struct cause_note *timer =
		work ? timeline_linked_cause(walker->timeline, work->as.work.reason) : NULL;
	bool is_own = timer && timer->originator == top->track && timer->origin <= top->held_lo;

	assert(note->kind == CAUSE_DISK && note->as.disk.is_held_back);
	top->held = NULL;
	walker_emit(walker, top->held_lo,
	            &(struct part){
			    .state = PART_WAITING,
			    .cause = side_disk(walker->timeline, note->as.disk.dev,
			                                /* is_held_back= */ true),
			    .confidence = is_own ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
		    });
}

/* The wait that ended at t: goes on along the waker or the originator, or reports the cause
   itself. */
static void walker_explain(struct walker *walker, const struct cause_note *note, nsec_t lo)
{
	struct walk_frame *top = walker->top;
	bool has_originator = !note->is_walked && note->originator != TRACK_NONE &&
	                      note->originator != top->track && note->origin != NSEC_NEVER &&
	                      note->origin > lo &&
	                      !(note->kind == CAUSE_DISK && walker->timeline->ignores_submitters);
	const struct cause_note *work;
	struct part part;

	ASSUME(lo >= top->lo && lo < top->t);
	if (cause_note_has_work(note) && note->is_walked && note->waker != top->track) {
		walker_descend_work(walker, lo, note, note);
		return;
	}
	if (note->kind == CAUSE_DISK && note->as.disk.is_held_back) {
		walker_explain_held(walker, note, lo);
		return;
	}
	if (note->delay.raised_before)
		walker_emit_delay(walker, note, lo);
	if (top->t == lo)
		return;
	if (note->is_walked && note->waker != top->track) {
		walker_descend(walker, note->waker, lo, note);
		return;
	}
	walker_emit_queued(walker, note, lo);
	if (top->t == lo)
		return;
	if (!has_originator) {
		walker_emit_note(walker, lo, note);
		return;
	}
	part = part_of_note(note);
	/* what was lost had been awaited before the sender sent */
	if (note->kind == CAUSE_NET && note->as.net.stall)
		part.cause = timeline_named_cause(walker->timeline, CAUSE_NET, note->name);
	if (note->origin < top->t)
		walker_emit(walker, note->origin, &part);
	work = timeline_submitting_work(walker->timeline, note);
	top = work ? walker_descend_work(walker, lo, work, note)
	           : walker_descend(walker, note->originator, lo, note);
	if (top && note->kind == CAUSE_DISK)
		frame_infer(top, CONFIDENCE_MEDIUM);
}

/*
 * Goes on along that track, although no wake-up led there; is_inferred: that it explains the wait
 * is an inference. False if it cannot: it is on that track for that stretch already, or too deep.
 */
static bool walker_descend_unwoken(struct walker *walker, uint32_t track, nsec_t lo,
                                   const struct cause_note *cause, enum confidence confidence,
                                   bool is_inferred)
{
	struct walk_frame *top;

	if (track == TRACK_NONE || walker->depth == walker->depth_max ||
	    walker->timeline->track[track].walk_frame != TRACK_NONE)
		return false;
	top = walker_descend(walker, track, lo, cause);
	assert(top);
	frame_infer(top, confidence);
	top->is_cut = true;
	top->is_inferred |= is_inferred;
	return true;
}

/* The task that worked on what ended, or was to end, the wait; TRACK_NONE: not known. A worker
   takes up any item: before it is queued only its queuer can work on it. */
static uint32_t note_doer(const struct cause_note *note)
{
	if (note->kind == CAUSE_WORK)
		return note->originator;
	if (note->is_walked)
		return note->waker;
	return note->kind == CAUSE_NET && !note->is_walked ? note->originator : TRACK_NONE;
}

/* Goes on along the task that worked on what the note describes; false: it is not known, or the
   walk cannot go there. */
static bool walker_descend_doer(struct walker *walker, const struct cause_note *note, nsec_t lo,
                                enum confidence confidence, bool is_inferred)
{
	uint32_t doer = note_doer(note);
	const struct cause_note *killed = NULL;
	nsec_t end;

	/* before that the last thread is as little to blame for when its process ends */
	if (doer != TRACK_NONE && walker->timeline->track[doer].ends_with_another &&
	    cause_note_is_labelled(walker->timeline, note, "exit"))
		killed = track_killed(walker->timeline, doer, &end);
	if (killed && end >= walker->top->t && killed->waker != TRACK_NONE)
		doer = killed->waker;
	return walker_descend_unwoken(walker, doer, lo, note, confidence, is_inferred);
}

/* Explains the time from lo to the top's t, in which what the task waited for had not come yet. */
static void walker_explain_missing(struct walker *walker, const struct cause_note *note,
                                   nsec_t lo, enum confidence confidence, bool is_inferred)
{
	struct walk_frame *top = walker->top;
	bool is_under_way = note->origin != NSEC_NEVER && note->origin < top->t;
	/* the origin of a request is when it was sent; since then the task that answers works on
	   it */
	bool was_sent = is_under_way && note->kind == CAUSE_NET && !note->as.net.is_request;
	struct part part = part_of_note(note);

	ASSUME(lo >= top->lo && lo < top->t);
	part.is_inferred = is_inferred;
	if (part.confidence > confidence)
		part.confidence = confidence;
	if (is_under_way && note->kind == CAUSE_WORK)
		walker_emit(walker, nsec_max(note->origin, lo), &part);
	if (top->t == lo ||
	    (!was_sent && walker_descend_doer(walker, note, lo, confidence, is_inferred)))
		return;
	walker_emit(walker, lo, &part);
}

/* A timer of the sleeper's own, for a part of a sleep that it did not end, or not for what the
   sleeper wanted. */
static const struct cause_note *side_timer(struct timeline *timeline, uint32_t name, uint8_t call,
                                           bool is_late)
{
	struct cause_note note;

	cause_note_init(&note, CAUSE_TIMER, CONFIDENCE_MEDIUM);
	note.name = name;
	note.as.timer.is_own = true;
	note.as.timer.call = call;
	note.as.timer.is_late = is_late;
	return timeline_side_note(timeline, &note);
}

/* Reports the end of a poller's sleep, after the child's end or the lock's release, up to the top's
   t. */
static void walker_emit_noticed(struct walker *walker, nsec_t begin, const struct awaited *awaited)
{
	struct part part = part_of_note(awaited->timer);

	ASSUME(awaited->cause || awaited->series);
	if (awaited->cause || poll_ends_with_child(awaited->series)) {
		part.cause = side_timer(walker->timeline, awaited->timer->name,
		                        awaited->timer->as.timer.call, /* is_late= */ true);
		part.is_inferred = true;
		if (part.confidence > awaited->confidence)
			part.confidence = awaited->confidence;
	}
	walker_emit(walker, begin, &part);
}

static void walker_explain_slice(struct walker *walker, const struct awaited *awaited, nsec_t lo)
{
	const struct walk_frame *top = walker->top;
	const struct cause_note *note = awaited->cause;
	/* when the lock was released, which the sleeper noticed late */
	nsec_t end = note->kind == CAUSE_LOCK && note->as.file_lock.released
	                     ? note->as.file_lock.released : NSEC_NEVER;

	if (end < top->t)
		walker_emit_noticed(walker, nsec_max(end, lo), awaited);
	if (end > lo)
		walker_explain_missing(walker, note, lo, awaited->confidence,
		                       /* is_inferred= */ true);
}

/*
 * Explains a wait of a row for children by the last of them. All of the row up to the top's t is
 * one wait then, with the short runs in it; a walk that sums up blocks takes its waits one by one,
 * as a block may begin between them. False: it is no such wait.
 */
static bool walker_explain_row(struct walker *walker, size_t at, nsec_t lo)
{
	const struct walk_frame *top = walker->top;
	bool is_last;
	const struct sleep_series *row = track_child_row(top->history, at, &is_last);
	const struct cause_note *note = row ? row->cause : NULL;

	if (!row || (is_last && walker->visitor->blocks))
		return false;
	if (!walker->visitor->blocks)
		lo = nsec_max(row->begin, top->lo);
	if (is_last && top->t == timeline_segment_end(top->history, at) &&
	    !timeline_is_open(top->history, at))
		walker_explain(walker, note, lo);
	else
		walker_explain_missing(walker, note, lo, (enum confidence)note->confidence,
		                       top->is_inferred);
	return true;
}

/*
 * Explains a wait that was for something else than what ended it: a sleep on a timer (awaited.h) by
 * what it was for, for a polled child along its life, and then reports the time until its end was
 * noticed; a wait for children by the last of them. Returns whether it was such a wait.
 */
static bool walker_explain_awaited(struct walker *walker, size_t at, nsec_t lo)
{
	struct walk_frame *top = walker->top;
	struct awaited awaited;
	nsec_t end;

	if (walker_explain_row(walker, at, lo))
		return true;
	if (!timeline_awaited(walker->timeline, top->track, at, &awaited))
		return false;
	if (awaited.cause) {
		walker_explain_slice(walker, &awaited, lo);
		return true;
	}
	assert(awaited.series && awaited.series->child < walker->timeline->track_count);
	end = walker->timeline->track[awaited.series->child].end;
	if (end <= lo && !poll_ends_with_child(awaited.series))
		return false;
	if (end < top->t)
		walker_emit_noticed(walker, nsec_max(end, lo), &awaited);
	if (end <= lo)
		return true;
	if (!walker_descend_unwoken(walker, awaited.series->child, lo, awaited.timer,
	                            awaited.confidence, /* is_inferred= */ true))
		walker_emit_note(walker, lo, awaited.timer);
	return true;
}

/* Reports a wait that a signal ended. The sender of the signal does not explain the wait; for those
   who waited behind it, what has a time limit would have ended by that. */
static void walker_emit_interrupted(struct walker *walker, const struct segment *wait,
                                    const struct cause_note *note, nsec_t lo)
{
	struct part part = part_of_note(note);
	bool is_nanosleep = note->purpose == PURPOSE_NANOSLEEP;

	part.is_inferred = walker->top->is_inferred;
	if (walker->depth > 1 &&
	    (is_nanosleep ||
	     (note->purpose == PURPOSE_NONE && sleep_limit_is_of_call(wait->timeout))))
		part.cause = side_timer(walker->timeline, 0,
		                        is_nanosleep ? CALL_NANOSLEEP : CALL_NONE,
		                        /* is_late= */ false);
	else if (walker->depth > 1)
		part.cause = timeline_side_unknown(walker->timeline, note);
	/* a limit alone does not show that the sleep was for its own sake */
	if (cause_note_is_alarm(part.cause) && part.confidence > CONFIDENCE_MEDIUM)
		part.confidence = CONFIDENCE_MEDIUM;
	walker_emit(walker, lo, &part);
}

/* Whether the task died of the signal that ended its last wait, and did not wait for the sender of
   the signal. The sender is another process, or a thread that ended all threads of the process. But
   the first thread may have waited for that thread. */
static bool wait_is_deadly(const struct timeline *timeline, uint32_t index, size_t at,
                           const struct cause_note *note)
{
	const struct track *track = &timeline->track[index];
	const struct track_death *death;

	if (note->kind != CAUSE_SIGNAL)
		return false;
	if (note->as.signal.is_end)
		return timeline_process(timeline, index) != index;
	death = &timeline->track[timeline_process(timeline, index)].death;
	if (death->kind != DEATH_SIGNAL ||
	    death->number != note->as.signal.number || track->is_open ||
	    (note->waker != TRACK_NONE && timeline_is_one_process(timeline, index, note->waker)))
		return false;
	return !track_waits_after(track, at);
}

/*
 * Explains a wait, or what was not seen before a message came: then the message is the reason. One
 * that ended later than the top's t was for the same before t as after it.
 */
static void walker_explain_wait(struct walker *walker, size_t at, const struct cause_note *note,
                                nsec_t lo)
{
	const struct walk_frame *top = walker->top;
	const struct track *track = top->history;
	bool is_whole = top->t == timeline_segment_end(track, at), is_interrupted;

	assert(is_whole || track->segment[at].kind == SEGMENT_WAIT);
	if (timeline_is_open(track, at)) {
		if (!walker_descend_unwoken(walker, note_doer(note), lo, note,
		                            (enum confidence)note->confidence,
		                            /* is_inferred= */ false))
			walker_emit_open(walker, note, lo, /* is_doubtful= */ false);
		return;
	}
	/* most tracks have no wait of which more is known than its end */
	if ((track->series || track->aims) && walker_explain_awaited(walker, at, lo))
		return;
	/* a task can end a nanosleep only by a signal, of which there need not be an event */
	is_interrupted = is_whole ? wait_is_deadly(walker->timeline, top->track, at, note)
	                          : note->kind == CAUSE_SIGNAL ||
	                                    (note->kind == CAUSE_TASK &&
	                                     note->purpose == PURPOSE_NANOSLEEP);
	if (is_interrupted)
		walker_emit_interrupted(walker, &track->segment[at], note, lo);
	else if (is_whole)
		walker_explain(walker, note, lo);
	else
		walker_explain_missing(walker, note, lo, top->confidence_max, top->is_inferred);
}

/*
 * The top's track, a thread, ended as another one ended their process: that one goes on for it,
 * beside it and not below it, as what the waiter waited for is the process. False: it cannot.
 */
static bool walker_go_on_with_ender(struct walker *walker, const struct cause_note *reason)
{
	struct walk_frame *top = walker->top, *outer = top - 1;
	nsec_t lo = top->then_lo;
	uint32_t track = top->track;
	const struct segment *wait;
	size_t at;

	if (walker->depth < 2 || reason->kind != CAUSE_SIGNAL || !reason->as.signal.is_end ||
	    !reason->is_walked || reason->waker == TRACK_NONE || reason->waker == outer->track ||
	    !timeline_is_one_process(walker->timeline, track, reason->waker))
		return false;
	at = timeline_find(outer->history, outer->t);
	wait = at == SIZE_MAX ? NULL : &outer->history->segment[at];
	if (!wait || wait->kind != SEGMENT_WAIT || wait->cause == CAUSE_NONE)
		return false;
	walker_pop(walker);
	walker->top->t = walker->reached;
	if (walker->visitor->on_ascend)
		walker->visitor->on_ascend(walker->visitor->state);
	walker_descend(walker, reason->waker, lo, segment_cause(walker->timeline, wait));
	return true;
}

/* The track is explained as far as it can be; true if another track, or a cause, continues for
   it. */
static bool walker_go_on(struct walker *walker)
{
	struct walk_frame *top = walker->top;
	const struct cause_note *work = top->work, *reason = top->then_cause;
	uint32_t track = top->then;

	ASSUME(top->t == top->lo && walker->reached == top->t);
	if (track == TRACK_NONE && !reason)
		return false;
	top->then = TRACK_NONE;
	top->then_cause = NULL;
	top->place = NULL;
	if (reason && walker_go_on_with_ender(walker, reason))
		return true;
	top->lo = top->then_lo;
	if (reason) {
		top->work = NULL;
		walker_explain(walker, reason, top->lo);
	} else if (track == top->track) { /* the worker queued the item itself, while it executed
	                                     another */
		top->work = NULL;
	} else {
		walker_descend(walker, track, top->then_lo, work);
	}
	return true;
}

/* The time before a track's first segment: from its creation on it was being forked, before that
   the creator's track explains the time. A wait in slices may have begun long before the birth. */
static void walker_leave_history(struct walker *walker)
{
	struct walk_frame *top = walker->top;
	const struct track *track = top->history;
	uint32_t creator = track_creator(track);
	nsec_t born = track_created(track);
	const struct cause_note *fork;

	ASSUME(!track->segment_count || track->segment[0].begin >= top->t);
	if (track->is_trimmed || born == NSEC_NEVER ||
	    (born > top->t && (!frame_is_cut(top) || creator == TRACK_NONE)) ||
	    (born > top->lo && creator == TRACK_NONE)) {
		walker_emit_unknown(walker, top->lo, track->is_trimmed ? PART_CUT : PART_UNKNOWN);
		return;
	}
	fork = timeline_side_cause(walker->timeline, CAUSE_FORK);
	if (born < top->t)
		walker_emit_note(walker, nsec_max(born, top->lo), fork);
	if (top->t > top->lo)
		walker_descend(walker, creator, top->lo, fork);
}

/* Whether the interrupt that queued the item also ended this wait of its worker. */
static bool note_is_reason(const struct cause_note *note, const struct cause_note *reason)
{
	return note->kind == reason->kind && note->name == reason->name &&
	       note->originator == reason->originator &&
	       cause_note_is_own_timer(note) == cause_note_is_own_timer(reason) &&
	       (note->kind != CAUSE_DISK || note->as.disk.sector == reason->as.disk.sector);
}

/*
 * Whether at the end of this stretch the item was only pending: between its queueing and its start
 * its worker ran something else, or was in an unrelated wait. If the queueing was not seen, the
 * worker's own track is all that is known. The wait that the queueing itself ended, in an interrupt
 * or by the timer of delayed work, explains more than that.
 */
static bool walker_is_pending(const struct walker *walker, const struct segment *segment,
                              nsec_t begin)
{
	const struct walk_frame *top = walker->top;
	const struct cause_note *work = top->work, *reason;

	ASSUME(cause_note_has_work(work));
	if (begin >= work->as.work.begun || work->origin == NSEC_NEVER || top->t <= work->origin)
		return false;
	if (segment->kind != SEGMENT_WAIT)
		return segment->kind == SEGMENT_RUN;
	if (segment->cause == CAUSE_NONE || top->t > work->as.work.begun || begin < work->origin)
		return false;
	reason = timeline_linked_cause(walker->timeline, work->as.work.reason);
	return !reason ||
	       !note_is_reason(timeline_cause_at(walker->timeline, segment->cause), reason);
}

/* Returns since when, not before lo, it is known without a gap what the track did until t. */
static nsec_t track_explained_since(const struct timeline *timeline, struct track *track, nsec_t lo,
                                    nsec_t t)
{
	nsec_t since = t;

	assert(lo <= t);
	for (size_t at = timeline_find(track, t); at != SIZE_MAX && since > lo; at--) {
		const struct segment *segment = &track->segment[at];
		const struct cause_note *note = segment_cause(timeline, segment);

		if ((segment->kind == SEGMENT_WAIT && (!note || note->kind == CAUSE_UNKNOWN)) ||
		    segment->kind > SEGMENT_STOPPED || timeline_segment_end(track, at) < since)
			break;
		since = segment->begin;
	}
	return nsec_max(since, lo);
}

/*
 * The task that continues a stopped task did not keep it waiting: a stop is a part by itself, also
 * if it has not ended. But a stop for a tracer is a wait for what the tracer does meanwhile: goes
 * on along the tracer, as far as its track is known.
 */
static void walker_emit_stop(struct walker *walker, const struct cause_note *note,
                             bool is_traced, nsec_t lo)
{
	const struct walk_frame *top = walker->top;
	nsec_t since = top->t;

	if (is_traced && note->kind == CAUSE_TASK && note->is_walked && note->waker != top->track)
		since = track_explained_since(walker->timeline,
		                              &walker->timeline->track[note->waker], lo, top->t);
	if (since < top->t && walker->depth < walker->depth_max &&
	    !walker_is_cycle(walker, note->waker, since, top->t)) {
		walker_descend(walker, note->waker, since, note);
		return;
	}
	walker_emit(walker, lo,
	            &(struct part){.state = PART_STOPPED,
	                           .cause = note,
	                           .confidence = (enum confidence)note->confidence});
}

/*
 * Reports that the task runs, or why it does not although it can. A task that yields on return to
 * user space was taken off its CPU, or yielded by itself.
 */
static void walker_emit_able(struct walker *walker, const struct segment *segment, nsec_t lo)
{
	struct part part = {
		.state = segment_part_state((enum segment_kind)segment->kind),
		.cpu = segment->cpu,
		.confidence = segment_confidence(segment),
	};
	bool is_runnable = segment->kind == SEGMENT_RUNNABLE;

	if (is_runnable && segment->cause != CAUSE_NONE) {
		part.cause = timeline_cause_at(walker->timeline, segment->cause);
		if (!segment->is_doubtful)
			part.confidence = (enum confidence)part.cause->confidence;
	} else if (is_runnable && segment->detail == RUNNABLE_WOKEN) {
		part.cause = timeline_side_cause(walker->timeline, CAUSE_WOKEN);
	} else if (is_runnable && runnable_by_switch(segment->detail)) {
		part.cause = timeline_side_cause(walker->timeline, CAUSE_PREEMPTED);
	}
	ASSUME(part.state == PART_RUNNING || part.state == PART_RUNNABLE);
	walker_emit(walker, lo, &part);
}

static void walker_emit_segment(struct walker *walker, const struct track *track, size_t at)
{
	struct walk_frame *top = walker->top;
	const struct segment *segment = &track->segment[at];
	nsec_t begin = nsec_max(segment->begin, top->lo);
	const struct cause_note *note;
	bool is_doubtful, is_whole;

	ASSUME(segment->begin < top->t && timeline_segment_end(track, at) >= top->t);
	if (walker->visitor->place)
		top->place = segment->kind == SEGMENT_WAIT ? timeline_place(track, at) : NULL;
	if (top->work && walker_is_pending(walker, segment, begin)) {
		if (top->t <= top->work->as.work.begun) {
			walker_emit_note(walker, nsec_max(begin, top->work->origin),
			                 timeline_named_cause(walker->timeline,
			                                      CAUSE_WORK_PENDING,
			                                      top->work->name));
			return;
		}
		begin = top->work->as.work.begun;
	}
	if (segment->kind == SEGMENT_RUN || segment->kind == SEGMENT_RUNNABLE) {
		walker_emit_able(walker, segment, begin);
		return;
	}
	assert(segment->kind <= SEGMENT_UNKNOWN);
	note = segment_cause(walker->timeline, segment);
	is_doubtful = segment->is_doubtful || segment->kind == SEGMENT_UNKNOWN;
	is_whole = note && top->t == timeline_segment_end(track, at);
	if (is_whole && top->then_cause && note_is_reason(note, top->then_cause)) {
		/* the walk goes on from there as it would from the queueing */
		top->then_cause = NULL;
		top->work = NULL;
		top->lo = begin = top->then_lo;
	}
	if (is_whole && segment->kind == SEGMENT_STOPPED) {
		walker_emit_stop(walker, note, segment->detail == 't', begin);
		return;
	}
	/* what is known of the wait's end counts, although the walk begins before */
	if (is_whole || (note && (frame_is_cut(top) || walker->depth == 1) &&
	                 segment->kind == SEGMENT_WAIT)) {
		walker_explain_wait(walker, at, note, begin);
		return;
	}
	if (segment->kind == SEGMENT_WAIT) {
		walker_emit_open(walker, NULL, begin, is_doubtful);
		return;
	}
	walker_emit(walker, begin,
	            &(struct part){
			    .state = segment_part_state((enum segment_kind)segment->kind),
			    /* the part of a stop before what the tracer explains is still a stop
			       for the tracer */
			    .cause = segment->kind == SEGMENT_STOPPED ? note : NULL,
			    .cpu = segment->cpu,
			    .confidence = is_doubtful ? CONFIDENCE_LOW : CONFIDENCE_HIGH,
		    });
}

/* Whether a block may end with the segment that ends at the top's t, or with empty segments that
   follow it, and the stretch goes back far enough. */
static inline bool walker_may_take_block(const struct walker *walker, const struct track *track,
                                         size_t at)
{
	const struct segment *segment = track->segment;

	return walker->visitor->blocks && at + 1 >= WALK_BLOCK_SEGMENTS &&
	       ((at + 1) % WALK_BLOCK_SEGMENTS == 0 ||
	        (at + 2 < track->segment_count && segment[at + 2].begin == walker->top->t)) &&
	       segment[at + 1 - WALK_BLOCK_SEGMENTS].begin >= walker->top->lo;
}

#define SEGMENTS_NEAR 4

/* As timeline_find(), but tries the segments from top->next back first: a walk mostly comes back to
   a track a few segments before those that it left it at. */
static size_t walker_find(struct walk_frame *top, struct track *track)
{
	size_t at = top->next;

	for (unsigned i = 1; i < SEGMENTS_NEAR && at < track->segment_count &&
	                     track->segment[at].begin >= top->t; i++)
		at--;
	if (at < track->segment_count && track->segment[at].begin < top->t &&
	    timeline_segment_end(track, at) >= top->t)
		track->hint = at;
	else
		at = timeline_find(track, top->t);
	ASSUME(at == SIZE_MAX ||
	       (at < track->segment_count && track->segment[at].begin < top->t));
	top->next = at - 1;
	return at;
}

/* Steps over what an earlier walk has explained; returns whether it did. */
static bool walker_take_walked(struct walker *walker)
{
	struct walk_frame *top = walker->top;
	/* the track's parts are the same as in a walk of that track alone */
	bool is_plain = !top->is_inferred && top->confidence_max == CONFIDENCE_HIGH &&
	                !top->work && top->then == TRACK_NONE && !top->then_cause && !top->held;
	nsec_t begin;

	if (!is_plain ||
	    !walker->visitor->on_walked(walker->visitor->state, top->track, top->lo, top->t,
	                                &begin))
		return false;
	assert(begin >= top->lo && begin < top->t && walker->reached == top->t);
	top->t = walker->reached = begin;
	top->place = NULL;
	return true;
}

/* Whether the segment is reported without a cause, and which part it becomes. */
static inline bool segment_is_cpu_part(const struct segment *segment, struct cpu_part *part)
{
	if (segment->kind != SEGMENT_RUN &&
	    (segment->kind != SEGMENT_RUNNABLE || segment->cause != CAUSE_NONE))
		return false;
	part->is_running = segment->kind == SEGMENT_RUN;
	part->cpu = segment->cpu;
	part->confidence = segment_confidence(segment);
	return true;
}

/*
 * Reports the parts without a cause that end at the top's t, back from segment *at, to
 * on_cpu_parts. Stops where a block may begin or end, and after each part where an earlier walk may
 * have ended. Returns whether to report segment *at next, at which the walk then is.
 */
static bool walker_emit_cpu_parts(struct walker *walker, struct track *track, size_t *at)
{
	const struct walk_visitor *visitor = walker->visitor;
	struct walk_frame *top = walker->top;
	const struct segment *first = track->segment, *segment = &first[*at];
	const struct segment *least = &first[*at / WALK_BLOCK_SEGMENTS * WALK_BLOCK_SEGMENTS];
	struct cpu_part part[WALK_BLOCK_SEGMENTS], *next = part;
	bool has_ended = false;
	nsec_t t = top->t;

	while (!has_ended && segment_is_cpu_part(segment, next)) {
		ASSUME(next < part + WALK_BLOCK_SEGMENTS && segment->begin < t);
		next->end = t;
		t = next->begin = nsec_max(segment->begin, top->lo);
		if (next->confidence > top->confidence_max)
			next->confidence = top->confidence_max;
		next++;
		while (segment > first && segment->begin >= t)
			segment--; /* also over those without a length, which are not reported */
		has_ended = t == top->lo || segment->begin >= t || segment < least ||
		            visitor->on_walked;
	}
	if (next == part)
		return true;
	visitor->on_cpu_parts(visitor->state, &(struct cpu_parts){
						      .track = top->track,
						      .is_inferred = top->is_inferred,
						      .count = (size_t)(next - part),
						      .part = part,
					      });
	top->t = walker->reached = t;
	track->hint = top->next = *at = (size_t)(segment - first);
	if (has_ended || visitor->blocks)
		return false;
	top->next--;
	return true;
}

/* Goes one step back on the top track. */
static void walker_step(struct walker *walker)
{
	struct walk_frame *top = walker->top;
	struct track *track = top->history;
	size_t at;
	nsec_t end;

	if (walker->visitor->on_walked && walker_take_walked(walker))
		return;
	at = walker_find(top, track);
	if (top->held) {
		walker_emit_held(walker);
		return;
	}
	if (at == SIZE_MAX) {
		top->place = NULL;
		walker_leave_history(walker);
		return;
	}
	end = timeline_segment_end(track, at);
	if (end < top->t) { /* the task had ended by then */
		top->place = NULL;
		walker_emit_unknown(walker, nsec_max(end, top->lo), PART_UNKNOWN);
	} else if (end > top->t || !walker_may_take_block(walker, track, at) ||
	           !walker_take_block(walker, track, at)) {
		if (!walker->visitor->on_cpu_parts || top->work ||
		    walker_emit_cpu_parts(walker, track, &at))
			walker_emit_segment(walker, track, at);
	}
}

void walk(struct timeline *timeline, uint32_t track, nsec_t lo, nsec_t hi,
          const struct walk_visitor *visitor, struct walk_result *result)
{
	struct walker walker;

	assert(timeline->keep_segments && track < timeline->track_count);
	if (lo >= hi)
		return;
	walker_init(&walker, timeline, visitor, result);
	walker.reached = hi;
	walker_push(&walker, track, lo, hi);
	while (walker.depth) {
		struct walk_frame *top = walker.top;

		ASSUME(walker.reached == top->t && top->lo <= top->t && top->t <= top->hi);
		if (walker.block_depth == walker.depth &&
		    top->t == walker.block_track->segment[walker.block_first].begin)
			walker_end_block(&walker);
		if (top->t > top->lo) {
			walker_step(&walker);
			continue;
		}
		if (walker_go_on(&walker))
			continue;
		walker_pop(&walker);
		if (walker.depth == 0)
			break;
		/* the waiter's time is explained as far back as this track was asked to */
		walker.top->t = top->lo;
		if (visitor->on_ascend)
			visitor->on_ascend(visitor->state);
	}
	assert(walker.reached == lo);
	walker_release(&walker);
}
