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
#include "state/connect_tracker.h"

#include "state/connection.h"
#include "ftwait/aim.h"
#include "graph/timeline_aims.h"
#include "retries.h"
#include "state/core/held_wait.h"

/* The most tasks that try again; the oldest are forgotten. */
#define ATTEMPTS_MAX 4096

struct attempts {
	struct retry retry;
	uint32_t peer;       /* id in names */
	uint32_t count;
	uint16_t local_port; /* of the last one; 0: not known */
	bool are_refused;    /* all of them */
	struct span pause;   /* since the last one; begin 0: none */
};

struct all_attempts {
	struct object_pool by_task; /* struct attempts, by retry_key() */
};

static struct object_pool *attempts_of(const struct machine *machine)
{
	return &((struct all_attempts *)machine->own[TRACKER_CONNECT])->by_task;
}

static void attempts_describe(const struct attempts *attempts, struct cause_note *ret)
{
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
	connection_emit_unanswered(machine, pause, &note);
}

static struct attempts *attempts_keep(struct machine *machine, uint64_t key, uint32_t peer)
{
	struct attempts *attempts = object_pool_find(attempts_of(machine), key);

	if (attempts && attempts->peer == peer)
		return attempts;
	attempts = object_pool_put(attempts_of(machine), key);
	*attempts = (struct attempts){
		.peer = peer,
		.are_refused = true,
		.retry.begin = machine->now,
	};
	return attempts;
}

static void attempts_add(struct machine *machine, struct attempts *attempts, uint32_t by,
                         const struct attempt *attempt)
{
	struct cause_note *note = timeline_amend_linked(machine->timeline, attempts->retry.note);

	/* there is another attempt after the pause, so the pause was for the peer */
	if (attempts->pause.begin)
		pause_emit(machine, attempts, &attempts->pause);
	attempts->pause.begin = 0;
	attempts->count++;
	attempts->are_refused &= attempt->end == ATTEMPT_REFUSED;
	attempts->retry.last = machine->now;
	attempts->retry.by = by;
	attempts->local_port = attempt->local_port;
	if (!note)
		return;
	note->as.net.retransmits = attempts->count;
	note->as.net.local_port = attempt->local_port;
	note->as.net.is_refused = attempts->are_refused;
	note->as.net.is_unanswered = attempt->end != ATTEMPT_ACCEPTED;
}

static void attempts_note(struct machine *machine, uint64_t key, uint32_t by,
                          const struct attempt *attempt)
{
	struct object_pool *pool = attempts_of(machine);

	if (attempt->end != ATTEMPT_ACCEPTED || object_pool_find(pool, key))
		attempts_add(machine, attempts_keep(machine, key, attempt->peer), by, attempt);
	if (attempt->end == ATTEMPT_ACCEPTED)
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

/* The note that all sleeps share. */
static uint32_t attempts_link(struct machine *machine, struct attempts *attempts)
{
	struct cause_note note;

	if (timeline_linked_cause(machine->timeline, attempts->retry.note))
		return attempts->retry.note;
	attempts_describe(attempts, &note);
	attempts->retry.note = timeline_note_cause(machine->timeline, &note) + 1;
	return attempts->retry.note;
}

/* If two sleeps follow each other without an attempt, the task does something else. */
static void connect_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct attempts *attempts;
	uint64_t key;

	if (object_pool_count(attempts_of(machine)) == 0 || cause->as.timer.request ||
	    !cause_note_is_timeout(cause))
		return;
	attempts = retry_of_sleep(machine, attempts_of(machine), track,
	                          machine->task[track].since, &key);
	if (!attempts)
		return;
	if (attempts->pause.begin) {
		(void)object_pool_take(attempts_of(machine), key);
		return;
	}
	attempts->pause = (struct span){
		.track = track,
		.begin = machine->task[track].since,
		.end = machine->now,
	};
	cause->as.timer.request = attempts_link(machine, attempts);
}

/* A task that had tried again pauses once more, when a signal ends that. */
void connect_note_signal(struct machine *machine, uint32_t track)
{
	const struct span *span = &machine->task[track].held->span;
	struct attempts *attempts;
	uint64_t key;

	if (!(machine->awake & TRACKER_BIT(CONNECT)) ||
	    object_pool_count(attempts_of(machine)) == 0 || span->kind != SEGMENT_WAIT)
		return;
	attempts = retry_of_sleep(machine, attempts_of(machine), track, span->begin, &key);
	if (!attempts || attempts->count < 2 || attempts->pause.begin)
		return;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){
				 .begin = span->begin,
				 .end = span->end,
				 .cause = timeline_linked_index(
					 machine->timeline, attempts_link(machine, attempts)),
				 .kind = AIM_ANSWER,
				 .how = AIM_SIGNAL,
			 },
	                 /* cause= */ NULL);
	pause_emit(machine, attempts, span);
}

static void connects_begin(struct machine *machine)
{
	static const struct object_pool_setup setup = {
		.object_bytes = sizeof(struct attempts),
		.limit = ATTEMPTS_MAX,
	};

	object_pool_init(attempts_of(machine), &setup);
}

static void connects_forget(struct machine *machine)
{
	object_pool_clear(attempts_of(machine));
}

static void connects_end(struct machine *machine)
{
	object_pool_release(attempts_of(machine));
}

const struct tracker connect_tracker = {
	.name = "connect",
	.also_with = TRACKER_BIT(SOCKET),
	.own_bytes = sizeof(struct all_attempts),
	.conclude = connect_conclude,
	.concludes = 1u << CAUSE_TIMER,
	.begin = connects_begin,
	.forget = connects_forget,
	.end = connects_end,
};
