/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attempts to open a connection that are repeated: a program that waits until a server listens is
 * refused, sleeps and tries again.
 *
 *	refused  sleep  refused  sleep  refused  sleep  accepted
 *	|--------|------|--------|------|--------|------|
 *
 * All of these sleeps are for the peer, and link to one note of it, which counts only once the peer
 * was tried again. retries.h says which sleeps are such pauses.
 */

#include "base/assume.h"
#include "connection.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "retries.h"
#include "state/core/held_wait.h"
#include "state/trackers.h"

/* The most tasks that try again; the oldest are forgotten. */
#define ATTEMPTS_MAX 4096

struct attempts {
	struct retry retry;
	uint32_t peer;       /* id in names */
	uint32_t count;
	uint16_t local_port; /* of the last one; 0: not known */
	bool are_refused;    /* all of them */
	struct span pause;   /* since the last one, if retry.has_paused */
};

/* struct attempts, by retry_key() */
OWN_DATA(attempts_of, struct object_pool, CONNECT)

static void attempts_describe(const struct attempts *attempts, struct cause_note *ret)
{
	ASSUME(attempts->count > 0 && attempts->retry.begin <= attempts->retry.last);
	cause_note_init(ret, CAUSE_NET, CONFIDENCE_MEDIUM);
	ret->origin = attempts->retry.begin;
	ret->as.net.peer = attempts->peer;
	ret->as.net.local_port = attempts->local_port;
	ret->as.net.end = NET_END_ACTIVE;
	ret->as.net.retransmits = attempts->count;
	ret->as.net.is_unanswered = ret->as.net.is_retried = true;
	ret->as.net.is_refused = attempts->are_refused;
}

static void pause_emit(struct machine *machine, const struct attempts *attempts,
                       const struct span *pause)
{
	struct cause_note note;

	attempts_describe(attempts, &note);
	connection_emit_unanswered(machine, pause->track, pause->begin, pause->end, &note);
}

static void attempts_note(struct machine *machine, uint64_t key, uint32_t by,
                          const struct attempt *attempt)
{
	struct object_pool *pool = attempts_of(machine);
	struct attempts *attempts = object_pool_find(pool, key);
	bool is_accepted = attempt->end == ATTEMPT_ACCEPTED;
	struct cause_note *note;

	if (is_accepted && !attempts)
		return;
	if (!attempts || attempts->peer != attempt->peer) {
		attempts = object_pool_put(pool, key);
		*attempts = (struct attempts){
			.peer = attempt->peer,
			.are_refused = true,
			.retry.begin = machine->now,
		};
	}
	ASSUME(attempts->retry.begin <= machine->now && attempts->peer == attempt->peer);
	note = timeline_amend_linked(machine->timeline, attempts->retry.note);
	/* there is another attempt after the pause, so the pause was for the peer */
	if (attempts->retry.has_paused)
		pause_emit(machine, attempts, &attempts->pause);
	attempts->retry.has_paused = false;
	attempts->count++;
	attempts->are_refused &= attempt->end == ATTEMPT_REFUSED;
	attempts->retry.last = machine->now;
	attempts->retry.by = by;
	attempts->local_port = attempt->local_port;
	if (note) {
		attempts_describe(attempts, note);
		note->as.net.is_unanswered = !is_accepted;
	}
	if (is_accepted)
		(void)object_pool_take(pool, key);
}

void connect_note_attempt(struct machine *machine, uint32_t track, const struct attempt *attempt)
{
	uint32_t parent = retry_parent(machine, track);

	machine_wake_tracker(machine, TRACKER_CONNECT);
	attempts_note(machine, retry_key(track, /* of_children= */ false), track, attempt);
	if (parent != TRACK_NONE)
		attempts_note(machine, retry_key(parent, /* of_children= */ true), track, attempt);
}

static uint32_t attempts_link(struct machine *machine, struct attempts *attempts)
{
	struct cause_note note;

	attempts_describe(attempts, &note);
	return link_share(machine, &attempts->retry.note, &note);
}

static void connect_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct attempts *attempts = retry_pause(machine, attempts_of(machine), track, cause);

	ASSUME(cause->kind == CAUSE_TIMER);
	if (!attempts)
		return;
	ASSUME(attempts->retry.has_paused && !attempts->retry.is_over);
	attempts->pause = (struct span){
		.track = track,
		.begin = machine->task[track].since,
		.end = machine->now,
	};
	cause->as.timer.request = attempts_link(machine, attempts);
}

/* A task that had tried again pauses once more, when a signal ends that. */
static void connect_cut(struct machine *machine, uint32_t track)
{
	const struct span *span = &machine->task[track].held->span;
	struct attempts *attempts;
	uint32_t index;

	if (!(machine->hooks.awake & TRACKER_BIT(CONNECT)) ||
	    object_pool_count(attempts_of(machine)) == 0 || span->kind != SEGMENT_WAIT)
		return;
	attempts = retry_of_sleep(machine, attempts_of(machine), track, span->begin);
	if (!attempts || attempts->count < 2 || attempts->retry.has_paused)
		return;
	ASSUME(attempts->retry.last <= span->begin);
	index = timeline_linked_index(machine->timeline, attempts_link(machine, attempts));
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){span->begin, span->end, index, AIM_ANSWER, AIM_SIGNAL},
	                 /* cause= */ NULL);
	pause_emit(machine, attempts, span);
}

const struct tracker connect_tracker = {
	.also_with = TRACKER_BIT(SOCKET),
	.own_bytes = sizeof(struct object_pool),
	.stores = STORES(POOL_AT(0, struct attempts, ATTEMPTS_MAX, NULL, NULL)),
	.conclude = {connect_conclude, 1u << CAUSE_TIMER, 0},
	.cut = connect_cut,
};
