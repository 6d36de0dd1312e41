/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contentions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "graph/aims/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "tally/tally.h"

#define ADDRESS_BYTES 64

static void wait_add(struct contentions *contentions, const struct lock_wait *wait)
{
	ARRAY_GROW(contentions->wait, contentions->count, contentions->capacity);
	contentions->wait[contentions->count++] = *wait;
}

void contentions_add(struct contentions *contentions, const struct interval *interval)
{
	const struct lock_interval *lock = &interval->lock;

	if (!lock->has_slept || interval->is_open || interval->task == TRACK_NONE ||
	    lock->flags & LOCK_FLAG_FUTEX)
		return;
	wait_add(contentions, &(struct lock_wait){
		.lock = {lock->address, lock->dev, 0},
		.waiter = interval->task, .owner = interval->other,
		.begin = interval->begin,
		.end = lock->released ? lock->released : interval->end,
		.run = interval->end,
	});
}

/* A lock of the kernel is had by the waiter once that runs again: the owner let it go when it woke
   the waiter. */
static void wait_end_sleep(struct lock_wait *wait, const struct timeline *timeline)
{
	struct track *track = &timeline->track[wait->waiter];
	size_t at = timeline_find(track, wait->end);

	for (; at != SIZE_MAX && track->segment[at].begin >= wait->begin; at--)
		if (track->segment[at].kind == SEGMENT_WAIT) {
			wait->end = nsec_min(wait->end, timeline_segment_end(track, at));
			return;
		}
}

static nsec_t segment_ran(const struct track *track, size_t at)
{
	while (++at < track->segment_count && track->segment[at].kind == SEGMENT_RUNNABLE)
		;
	return at < track->segment_count ? track->segment[at].begin : track->end;
}

static void futex_add(struct contentions *contentions, const struct timeline *timeline,
                      uint32_t index, size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct cause_note *note = segment_cause(timeline, &track->segment[at]), *unused;

	if (track->segment[at].kind != SEGMENT_WAIT || timeline_is_open(track, at) || !note ||
	    note->kind != CAUSE_TASK || !note->as.lock.address ||
	    timeline_aim_kind(timeline, index, at, &unused) != AIM_LOCK)
		return;
	wait_add(contentions, &(struct lock_wait){
		.lock = {note->as.lock.address, 0, track->tgid},
		.waiter = index, .owner = note->waker,
		.begin = track->segment[at].begin,
		.end = timeline_segment_end(track, at),
		.run = segment_ran(track, at),
	});
}

static int wait_compare(const void *a, const void *b)
{
	const struct lock_wait *x = a, *y = b;

	return ORDER_BY(RISING(x, y, end), RISING(x, y, begin), RISING(x, y, waiter));
}

/* What is known of a task and a lock, so far. */
struct had_lock {
	struct had_key {
		struct lock_key lock;
		uint32_t track, unused;
	} key;
	nsec_t got, released; /* 0: not seen */
};

/* When the owner got the lock, given how its waits and others' ended before. */
static nsec_t owner_since(const struct had_lock *owner, const struct lock_wait *wait,
                          nsec_t released)
{
	if (owner->got > owner->released)
		return owner->got;
	return nsec_max(nsec_max(wait->begin, owner->released), released);
}

static void owners_find(struct contentions *contentions)
{
	struct tally had;

	/* a row of TRACK_NONE has when the lock was last released, by whomever */
	tally_init(&had, sizeof(struct had_lock), sizeof(struct had_key), TALLY_NO_LIMIT);
	for (size_t i = 0; i < contentions->count; i++) {
		struct lock_wait *wait = &contentions->wait[i];
		const struct had_key any = {wait->lock, TRACK_NONE, 0};
		const struct had_key owner_key = {wait->lock, wait->owner, 0};
		const struct had_key waiter_key = {wait->lock, wait->waiter, 0};
		struct had_lock *lock = tally_row(&had, &any), *row;
		nsec_t released = lock->released;

		lock->released = wait->end;
		row = tally_row(&had, &owner_key);
		if (wait->owner != TRACK_NONE) {
			wait->had_since = owner_since(row, wait, released);
			row->released = wait->end;
		}
		row = tally_row(&had, &waiter_key);
		row->got = nsec_max(wait->run, wait->end);
	}
	tally_release(&had);
}

void contentions_settle(struct contentions *contentions, const struct timeline *timeline)
{
	for (size_t i = 0; i < contentions->count; i++)
		wait_end_sleep(&contentions->wait[i], timeline);
	for (uint32_t index = 0; index < timeline->track_count; index++)
		for (size_t at = 0; at < timeline->track[index].segment_count; at++)
			futex_add(contentions, timeline, index, at);
	if (contentions->count)
		qsort(contentions->wait, contentions->count, sizeof(*contentions->wait),
		      wait_compare);
	owners_find(contentions);
}

void contentions_release(struct contentions *contentions)
{
	free(contentions->wait);
	*contentions = (struct contentions){0};
}

/* The name of its variable, or its path; NULL: it has none. */
static const char *wait_name(const struct timeline *timeline, const struct lock_wait *wait)
{
	const struct lock_key *lock = &wait->lock;

	return timeline_text(timeline, lock->dev ? file_names_find(&timeline->files, lock->dev,
	                                                           lock->address)
	                                         : timeline_variable(timeline, wait->waiter,
	                                                             lock->address));
}

static char *wait_address(const struct timeline *timeline, const struct lock_wait *wait,
                          char to[static ADDRESS_BYTES])
{
	const struct lock_key *lock = &wait->lock;

	if (lock->dev)
		(void)snprintf(to, ADDRESS_BYTES, "%s:%" PRIu64,
		               TIMELINE_DEVICE_NUMBERS(timeline, lock->dev), lock->address);
	else
		(void)snprintf(to, ADDRESS_BYTES, "0x%" PRIx64, lock->address);
	return to;
}

void contention_append(struct buffer *to, const struct timeline *timeline,
                       const struct lock_wait *wait)
{
	char address[ADDRESS_BYTES];
	const char *name = wait_name(timeline, wait);

	buffer_puts(to, name ? name : wait_address(timeline, wait, address));
}

bool contention_fits(const struct lock_wait *wait, const struct timeline *timeline,
                     const struct what_if_spec *spec)
{
	char address[ADDRESS_BYTES];
	const char *name = wait_name(timeline, wait);

	return (name && what_if_spec_fits(spec, name)) ||
	       what_if_spec_fits(spec, wait_address(timeline, wait, address));
}
