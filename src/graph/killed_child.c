/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "killed_child.h"

#include <stdlib.h>

#include "base/data/array.h"

/* Whether the task's own limit ended a sleep that is for something else. */
static bool wait_has_limit(const struct timeline *timeline, const struct segment *wait)
{
	const struct cause_note *note =
		wait->cause == CAUSE_NONE ? NULL : timeline_cause_at(timeline, wait->cause);

	return note && (wait->detail & (uint8_t)~WAIT_FOR_WORK) == 'S' &&
	       cause_note_is_chosen(note) && note->as.timer.call != CALL_NANOSLEEP &&
	       (note->as.timer.call != CALL_NONE || wait->timeout != TIMEOUT_RELATIVE);
}

/* The parent's last wait before it sent the signal at t; SIZE_MAX: none is known. */
static size_t wait_before(struct track *parent, nsec_t t)
{
	size_t at = timeline_find(parent, t);

	while (at != SIZE_MAX && parent->segment[at].kind != SEGMENT_WAIT)
		at--;
	return at;
}

/* Since when the task has slept so: a row of sleeps of one length is one look after the other. */
static nsec_t row_begin(const struct timeline *timeline, uint32_t track,
                        const struct segment *wait)
{
	const struct poll *row = timeline_poll(timeline, track, wait->begin);

	return row && poll_is_quiet(row) ? row->begin : wait->begin;
}

/* Adds the wait after which the task `by` sent the child a signal at t, if it is one for it. */
static void take_wait(struct timeline *timeline, uint32_t child, uint32_t by, nsec_t t)
{
	const struct track *killed = &timeline->track[child];
	struct track *parent;
	nsec_t begin;
	size_t at;

	if (by == TRACK_NONE || killed->parent == TRACK_NONE ||
	    !timeline_is_one_process(timeline, killed->parent, by))
		return;
	parent = &timeline->track[by];
	at = wait_before(parent, t);
	if (at == SIZE_MAX || !wait_has_limit(timeline, &parent->segment[at]))
		return;
	begin = row_begin(timeline, by, &parent->segment[at]);
	if (killed->born != NSEC_NEVER && killed->born > begin)
		return;
	ARRAY_GROW(timeline->killed, timeline->killed_count, timeline->killed_capacity);
	timeline->killed[timeline->killed_count++] = (struct poll){
		.track = by,
		.begin = begin,
		.end = timeline_segment_end(parent, at),
		.child = child,
		.child_rank = POLL_CHILD_OUTLIVES,
		.count = 1,
	};
}

/* Adds the waits after which that child was ended by its parent, or asked to end, as it did. */
static void take_child(struct timeline *timeline, uint32_t child)
{
	const struct track *killed = &timeline->track[child];
	const struct track_death *death = &killed->death;
	bool has_ended = !killed->is_open;

	if ((death->kind == DEATH_SIGNAL || (death->kind == DEATH_ASKED && has_ended)) &&
	    !death->is_oom)
		take_wait(timeline, child, death->by, death->at);
	if (has_ended)
		take_wait(timeline, child, killed->ask.by, killed->ask.at);
}

static int killed_compare(const void *a, const void *b)
{
	const struct poll *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->child < y->child ? -1 : x->child > y->child;
}

void timeline_find_killed(struct timeline *timeline)
{
	size_t count = 0;

	timeline->killed_count = 0;
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		timeline->track[track].killed = (struct series_range){0};
		take_child(timeline, track);
	}
	if (timeline->killed_count)
		qsort(timeline->killed, timeline->killed_count, sizeof(*timeline->killed),
		      killed_compare);
	for (size_t i = 0; i < timeline->killed_count; i++) {
		const struct poll *poll = &timeline->killed[i];

		/* of several children that one limit ended, the first stands for all */
		if (count && timeline->killed[count - 1].track == poll->track &&
		    timeline->killed[count - 1].begin == poll->begin)
			continue;
		series_range_add(&timeline->track[poll->track].killed, count);
		timeline->killed[count++] = *poll;
	}
	timeline->killed_count = count;
}

const struct poll *timeline_killed(const struct timeline *timeline, uint32_t track, nsec_t t)
{
	size_t at = series_around(timeline->killed, sizeof(*timeline->killed),
	                          &timeline->track[track].killed, t);

	return at == SIZE_MAX ? NULL : &timeline->killed[at];
}
