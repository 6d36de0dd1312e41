/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "futex_tries.h"

#include <stdlib.h>

#include "base/data/array.h"

/* The most tries without a holder that are remembered. */
#define TRIES_MAX 4096

/* A try in vain, until its holder is known. */
struct futex_try {
	struct interval interval;
	uint32_t note; /* link to its cause */
};

bool tracks_share_memory(const struct machine *machine, uint32_t a, uint32_t b)
{
	const struct track *tracks = machine->timeline->track;
	int32_t one = tracks[a].tgid, other = tracks[b].tgid;

	if (one >= 0 && other >= 0)
		return one == other;
	if (one < 0 && other < 0)
		return true;
	/* the process of only one is known: the other is its leader, or a child of the leader */
	if (one < 0)
		return tracks[a].tid == other ||
		       (tracks[a].parent != TRACK_NONE && tracks[tracks[a].parent].tid == other);
	return tracks[b].tid == one ||
	       (tracks[b].parent != TRACK_NONE && tracks[tracks[b].parent].tid == one);
}

static void cause_name_holder(struct cause_note *cause, uint32_t holder)
{
	cause->waker = cause->originator = holder;
	cause->is_walked = holder != TRACK_NONE;
}

static void try_emit(struct machine *machine, struct interval *interval, uint32_t holder)
{
	interval->other = holder;
	interval->lock.owner_confidence =
		(uint8_t)(holder == TRACK_NONE ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM);
	if (machine_wants(machine, INTERVAL_LOCK))
		machine_emit_interval(machine, interval);
}

/* Whether the task may have had the lock that the other one tried to get. */
static bool may_have_had(const struct machine *machine, uint32_t holder, uint32_t track)
{
	return holder != track && machine->task[holder].kind != SEGMENT_DEAD &&
	       tracks_share_memory(machine, holder, track);
}

void futex_tries_begin(struct machine *machine)
{
	static const struct object_pool_setup setup = {
		.object_bytes = sizeof(uint32_t),
		.limit = OBJECTS_MAX,
	};

	object_pool_init(&syscalls_of(machine)->futex_holder, &setup);
}

void futex_note_got(struct machine *machine, uint32_t track, uint64_t futex)
{
	*(uint32_t *)object_pool_put(&syscalls_of(machine)->futex_holder, futex) = track;
}

void futex_note_wanted(struct machine *machine, uint32_t track, uint64_t futex)
{
	struct object_pool *holders = &syscalls_of(machine)->futex_holder;
	const uint32_t *holder =
		object_pool_count(holders) ? object_pool_find(holders, futex) : NULL;

	if (holder && *holder == track)
		(void)object_pool_take(holders, futex);
}

void futex_note_released(struct machine *machine, uint32_t track, uint64_t futex)
{
	struct syscalls *syscalls = syscalls_of(machine);
	size_t left = 0;

	futex_note_wanted(machine, track, futex);
	for (size_t i = 0; i < syscalls->try_count; i++) {
		struct futex_try *try = &syscalls->try[i];
		struct cause_note *cause;

		if (try->interval.lock.address != futex ||
		    !may_have_had(machine, track, try->interval.task)) {
			syscalls->try[left++] = *try;
			continue;
		}
		cause = timeline_amend_linked(machine->timeline, try->note);
		if (cause)
			cause_name_holder(cause, track);
		try_emit(machine, &try->interval, track);
	}
	syscalls->try_count = left;
}

uint32_t futex_note_try(struct machine *machine, struct interval *interval,
                        struct cause_note *cause)
{
	struct syscalls *syscalls = syscalls_of(machine);
	const uint32_t *holder =
		object_pool_find(&syscalls->futex_holder, interval->lock.address);
	bool is_known = holder && may_have_had(machine, *holder, interval->task);
	uint32_t index;

	cause->origin = interval->begin; /* so that no other try shares it */
	cause_name_holder(cause, is_known ? *holder : TRACK_NONE);
	index = timeline_note_cause(machine->timeline, cause);
	if (is_known || syscalls->try_count == TRIES_MAX) {
		try_emit(machine, interval, cause->waker);
		return index;
	}
	ARRAY_GROW(syscalls->try, syscalls->try_count, syscalls->try_capacity);
	syscalls->try[syscalls->try_count++] = (struct futex_try){*interval, index + 1};
	return index;
}

void futex_tries_flush(struct machine *machine)
{
	struct syscalls *syscalls = syscalls_of(machine);

	for (size_t i = 0; i < syscalls->try_count; i++)
		try_emit(machine, &syscalls->try[i].interval, TRACK_NONE);
	syscalls->try_count = 0;
	object_pool_clear(&syscalls->futex_holder);
}

void futex_tries_end(struct machine *machine)
{
	free(syscalls_of(machine)->try);
	object_pool_release(&syscalls_of(machine)->futex_holder);
}
