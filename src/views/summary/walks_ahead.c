/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walks_ahead.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "graph/awaited.h"
#include "graph/end_of_known.h"

void walks_ahead_init(struct walks_ahead *ahead, struct timeline *timeline,
                      const struct interrupt_log *interrupts, struct spare_cpus *spare,
                      size_t nodes_max)
{
	*ahead = (struct walks_ahead){
		.timeline = timeline,
		.interrupts = interrupts,
		.spare = spare,
		.nodes_max = nodes_max,
	};
}

static void walked_free(struct walked_ahead *walked)
{
	chain_tree_release(&walked->tree);
	path_sums_release(&walked->sums);
	free(walked);
}

void walks_ahead_release(struct walks_ahead *ahead)
{
	while (ahead->count > 0)
		walked_free(ahead->walked[--ahead->count]);
}

static void walks_ahead_on_part(void *state, const struct part *part)
{
	struct walk_on *on = state;

	path_walk_part(&on->walk, part);
}

static void walks_ahead_on_cpu_parts(void *state, const struct cpu_parts *parts)
{
	struct walk_on *on = state;

	path_walk_cpu_parts(&on->walk, parts);
}

static const struct chain_tree *take_walked(void *state, uint32_t track, nsec_t lo, nsec_t t,
                                            nsec_t *ret_begin)
{
	struct walk_on *on = state;

	for (size_t i = 0; i < on->ahead->count; i++) {
		const struct walked_ahead *walked = on->ahead->walked[i];

		if (walked->track != track || walked->end != t || walked->begin < lo ||
		    walked->begin == t)
			continue;
		path_sums_add(on->sums, &walked->sums);
		*ret_begin = walked->begin;
		return &walked->tree;
	}
	return NULL;
}

void walk_on_begin(struct walk_on *on, const struct walks_ahead *ahead, struct chain_tree *tree,
                   struct path_sums *sums)
{
	on->ahead = ahead;
	on->sums = sums;
	path_walk_begin(&on->walk, sums, ahead->timeline, ahead->interrupts, ahead->spare);
	tree->on_part = walks_ahead_on_part;
	tree->on_cpu_parts = walks_ahead_on_cpu_parts;
	tree->take_walked = ahead->count ? take_walked : NULL;
	tree->on_part_state = on;
}

void walk_on_end(struct walk_on *on)
{
	path_walk_end(&on->walk);
}

/* Whether the track is in a wait that began at t and has not ended. */
static bool track_waits_since(const struct track *track, nsec_t t)
{
	const struct segment *last = &track->segment[track->segment_count - 1];

	return track->is_shown_open && last->kind == SEGMENT_WAIT && last->begin == t;
}

/* Whether the waiter may wait for the track since then: only for a living child that was born
   before. */
static bool track_is_awaited(const struct track *track, uint32_t waiter, nsec_t since)
{
	return track->parent == waiter && track->is_shown_open && track->born <= since;
}

static size_t count_children(const struct timeline *timeline, uint32_t waiter, nsec_t since)
{
	size_t count = 0;

	for (size_t index = 0; index < timeline->track_count; index++)
		count += track_is_awaited(&timeline->track[index], waiter, since);
	return count;
}

static bool walks_ahead_has(const struct walks_ahead *ahead, uint32_t track, nsec_t begin)
{
	for (size_t i = 0; i < ahead->count; i++)
		if (ahead->walked[i]->track == track && ahead->walked[i]->begin == begin)
			return true;
	return false;
}

/* Begins to walk ahead the children that the waiter, which was walked until t, may wait for since
   t. */
static void walks_ahead_add_children(struct walks_ahead *ahead, uint32_t waiter, nsec_t t)
{
	struct timeline *timeline = ahead->timeline;

	if (!track_waits_since(&timeline->track[waiter], t) ||
	    count_children(timeline, waiter, t) > CHILDREN_AHEAD_MAX)
		return;
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		struct walked_ahead *walked;

		if (!track_is_awaited(&timeline->track[track], waiter, t) ||
		    walks_ahead_has(ahead, track, t))
			continue;
		if (ahead->count == WALKS_AHEAD_MAX)
			return;
		walked = xmalloc(sizeof(*walked));
		*walked = (struct walked_ahead){
			.waiter = waiter,
			.track = track,
			.begin = t,
			.end = t,
		};
		chain_tree_init(&walked->tree, timeline, ahead->nodes_max);
		ahead->walked[ahead->count++] = walked;
	}
}

/* Continues the walk up to where the child's history is known by now. */
static void walked_go_on(const struct walks_ahead *ahead, struct walked_ahead *walked)
{
	const struct timeline *timeline = ahead->timeline;
	nsec_t end = nsec_min(track_end_of_known(timeline, walked->track),
	                      timeline->track[walked->track].end);
	struct walk_on on;

	if (end <= walked->end)
		return;
	walk_on_begin(&on, ahead, &walked->tree, &walked->sums);
	chain_tree_add(&walked->tree, walked->track, walked->end, end);
	walk_on_end(&on);
	chain_tree_settle(&walked->tree);
	walked->end = end;
}

/* Keeps the walks of the children that the waiter waits for since t, and continues them. A child
   that has ended is kept, too: the wait may have been for it. */
static void walks_ahead_keep(struct walks_ahead *ahead, uint32_t waiter, nsec_t t)
{
	walks_ahead_add_children(ahead, waiter, t);
	for (size_t i = 0; i < ahead->count; i++) {
		struct walked_ahead *walked = ahead->walked[i];

		if (walked->is_kept || walked->waiter != waiter || walked->begin != t)
			continue;
		walked_go_on(ahead, walked);
		walked->is_kept = true;
	}
}

static void walks_ahead_drop_others(struct walks_ahead *ahead)
{
	size_t count = 0;

	for (size_t i = 0; i < ahead->count; i++) {
		if (ahead->walked[i]->is_kept)
			ahead->walked[count++] = ahead->walked[i];
		else
			walked_free(ahead->walked[i]);
	}
	ahead->count = count;
}

void walks_ahead_go_on(struct walks_ahead *ahead, uint32_t track, nsec_t t)
{
	for (size_t i = 0; i < ahead->count; i++)
		ahead->walked[i]->is_kept = false;
	walks_ahead_keep(ahead, track, t);
	for (size_t i = 0; i < ahead->count; i++)
		if (ahead->walked[i]->is_kept)
			walks_ahead_keep(ahead, ahead->walked[i]->track, ahead->walked[i]->end);
	walks_ahead_drop_others(ahead);
}
