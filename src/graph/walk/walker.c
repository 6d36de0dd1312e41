/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/xalloc.h"
#include "walk_blocks.h"

void walker_init(struct walker *walker, struct timeline *timeline,
                 const struct walk_visitor *visitor, struct walk_result *result)
{
	walker->timeline = timeline;
	walker->visitor = visitor;
	walker->result = result;
	walker->frame = walker->few;
	walker->capacity = FRAMES_FEW;
	walker->depth = walker->deepest = walker->block_depth = 0;
	walker->depth_max = visitor->depth_max ? visitor->depth_max : WALK_DEPTH_MAX;
}

void walker_release(struct walker *walker)
{
	assert(walker->depth == 0 && walker->block_depth == 0);
	if (walker->frame != walker->few)
		free(walker->frame);
}

void walker_emit_unknown(struct walker *walker, nsec_t begin, enum part_state state)
{
	assert(state == PART_UNKNOWN || state == PART_CUT);
	walker_emit(walker, begin, &(struct part){.state = state, .confidence = CONFIDENCE_LOW});
}

void walker_emit_delay(struct walker *walker, const struct cause_note *note, nsec_t lo)
{
	nsec_t end = walker->reached;
	nsec_t raised = end - note->delay.raised_before;
	nsec_t entered = end - note->delay.entered_before;
	struct part part = part_of_note(note);
	struct cause_note delay;

	assert(end == walker->top->t);
	if (raised > end || entered <= lo || (note->origin != NSEC_NEVER && note->origin >= raised))
		return;
	if (entered < end)
		walker_emit(walker, entered, &part);
	cause_note_init(&delay, CAUSE_SOFTIRQ, CONFIDENCE_HIGH);
	delay.name = note->delay.name;
	delay.as.softirq.vector = note->delay_vector;
	delay.as.softirq.is_delay = true;
	part.cause = timeline_side_note(walker->timeline, &delay);
	if (raised < entered)
		walker_emit(walker, nsec_max(raised, lo), &part);
}

void walker_emit_queued(struct walker *walker, const struct cause_note *note, nsec_t lo)
{
	const struct walk_frame *top = walker->top;
	struct cause_note queue;
	struct part part;
	nsec_t from, left;

	if (note->kind != CAUSE_NET || !note->as.net.queue || note->origin == NSEC_NEVER)
		return;
	from = nsec_max(lo, note->origin);
	left = note->origin + note->as.net.queue_time;
	part = part_of_note(note);
	if (left > from && left < top->t)
		walker_emit(walker, left, &part);
	cause_note_init(&queue, CAUSE_NET, CONFIDENCE_HIGH);
	queue.name = note->as.net.queue;
	queue.as.net.is_queued = true;
	part.cause = timeline_side_note(walker->timeline, &queue);
	if (left > from && from < top->t)
		walker_emit(walker, from, &part);
}

/* Whether a wait of which the end is not known is open for who asks: it is the task's own, or the
   walk stands at its end, and there in a wait of the task itself that goes on. */
static bool walker_is_open(const struct walker *walker)
{
	const struct walk_frame *root = &walker->frame[0];
	const struct track *track = root->history;
	size_t at;

	if (walker->depth == 1)
		return true;
	if (walker->top->t != root->hi)
		return false;
	at = timeline_find(root->history, root->hi);
	return at != SIZE_MAX && track->segment[at].kind == SEGMENT_WAIT &&
	       (timeline_is_open(track, at) || timeline_segment_end(track, at) > root->hi);
}

void walker_emit_open(struct walker *walker, const struct cause_note *note, nsec_t lo,
                      bool is_doubtful)
{
	/* that the task waits at this place is no guess */
	bool is_sure = !note || cause_note_is_open(note);
	struct part part = {
		.state = PART_WAITING,
		.cause = note,
		.confidence = is_sure ? CONFIDENCE_HIGH : (enum confidence)note->confidence,
		.is_open = walker_is_open(walker),
	};

	if (is_doubtful)
		part.confidence = CONFIDENCE_LOW;
	if (is_sure && !part.is_open)
		part.cause = timeline_side_unknown(walker->timeline, note);
	walker_emit(walker, lo, &part);
}

bool walker_is_cycle(const struct walker *walker, uint32_t track, nsec_t lo, nsec_t hi)
{
	uint32_t active = walker->timeline->track[track].walk_frame;

	ASSUME(track < walker->timeline->track_count);
	ASSUME(active == TRACK_NONE ||
	       (active < walker->depth && walker->frame[active].track == track));
	return active != TRACK_NONE && walker->frame[active].lo == lo &&
	       walker->frame[active].t == hi;
}

void walker_grow(struct walker *walker)
{
	struct walk_frame *own = walker->frame == walker->few ? NULL : walker->frame;

	assert(walker->depth == walker->capacity);
	walker->capacity *= 2;
	walker->frame = xreallocarray(own, walker->capacity, sizeof(*walker->frame));
	if (!own)
		memcpy(walker->frame, walker->few, sizeof(walker->few));
}

/* The block is walked as usual, but separately from what is around it. */
static void walker_begin_block(struct walker *walker, uint32_t index, const struct track *track,
                               size_t first, size_t end)
{
	assert(first < end && end < track->segment_count && walker->block_depth == 0);
	walker->block = index;
	walker->block_track = track;
	walker->block_first = first;
	walker->block_end = end;
	walker->block_depth = walker->deepest = walker->depth;
	walker->block_result = *walker->result;
	walker->visitor->blocks->hooks->begin(walker->visitor->state);
}

void walker_end_block(struct walker *walker)
{
	struct walk_block *block = &walker->visitor->blocks->block[walker->block];
	const struct segment *segment = walker->block_track->segment;
	unsigned parts = 0; /* with two, no stretch within the block is all of it */
	bool is_kept;

	for (size_t at = walker->block_first; at < walker->block_end && parts < 2; at++)
		parts += segment[at].begin < segment[at + 1].begin;
	is_kept = parts == 2 && walker->result->cycles == walker->block_result.cycles &&
	          walker->result->truncations == walker->block_result.truncations;
	/* all that it waited for has been left again */
	assert(walker->depth == walker->block_depth && walker->deepest >= walker->depth);
	block->sums = walker->visitor->blocks->hooks->end(walker->visitor->state, is_kept);
	block->is_void = !block->sums;
	block->depth = (uint32_t)(walker->deepest - walker->block_depth);
	walker->block_depth = 0;
}

/* Whether the block's parts are the same wherever the walk comes from. */
static bool frame_takes_blocks(const struct walk_frame *frame, nsec_t begin)
{
	return begin >= frame->lo && !frame_is_cut(frame) && !frame->then_cause &&
	       (!frame->work || begin >= frame->work->as.work.begun);
}

/* Steps over the block if it is summed up, or begins to sum it up; returns whether it stepped. */
static bool walker_meet_block(struct walker *walker, const struct track *track, unsigned level,
                              size_t end)
{
	struct walk_frame *top = walker->top;
	struct walk_blocks *blocks = walker->visitor->blocks;
	size_t size = walk_block_size(level), first = end - size;
	const struct walk_block *block;
	uint32_t index;
	bool is_new;

	ASSUME(end % size == 0 && end < track->segment_count);
	index = walk_blocks_find(blocks, top->track, level, first / size, &is_new);
	block = &blocks->block[index];
	if (is_new || block->is_void)
		return false;
	if (!block->sums) {
		if (walker->block_depth == 0 && top->confidence_max == CONFIDENCE_HIGH)
			walker_begin_block(walker, index, track, first, end);
		return false;
	}
	if (walker->depth + block->depth > walker->depth_max)
		return false;
	blocks->hooks->add(walker->visitor->state, block->sums, track->segment[first].begin,
	                   top->confidence_max);
	if (walker->deepest < walker->depth + block->depth)
		walker->deepest = walker->depth + block->depth;
	top->t = walker->reached = track->segment[first].begin;
	top->place = NULL;
	return true;
}

bool walker_take_block(struct walker *walker, const struct track *track, size_t at)
{
	const struct walk_frame *top = walker->top;
	size_t end = at + 1;

	ASSUME(timeline_segment_end(track, at) == top->t);
	/* segments without length, at its end, belong to it */
	while (end % WALK_BLOCK_SEGMENTS && end < track->segment_count &&
	       track->segment[end].begin == top->t)
		end++;
	/* the last segment may still grow */
	if (end % WALK_BLOCK_SEGMENTS || end >= track->segment_count ||
	    track->segment[end].begin != top->t)
		return false;
	for (unsigned level = WALK_BLOCK_LEVELS; level-- > 0;) {
		size_t size = walk_block_size(level);

		if (end % size || !frame_takes_blocks(top, track->segment[end - size].begin))
			continue;
		if (walker_meet_block(walker, track, level, end))
			return true;
	}
	return false;
}
