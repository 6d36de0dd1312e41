/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

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
	if (walker->frame != walker->few)
		free(walker->frame);
}

void walker_tell_unknown(struct walker *walker, nsec_t begin)
{
	walker_tell(walker, begin,
	            &(struct part){.state = PART_UNKNOWN, .confidence = CONFIDENCE_LOW});
}

void walker_tell_delay(struct walker *walker, const struct cause_note *note, nsec_t lo)
{
	nsec_t end = walker->told;
	nsec_t raised = end - note->delay.raised_before;
	nsec_t entered = end - note->delay.entered_before;
	struct part part = part_of_note(note);

	if (raised > end || entered <= lo || (note->origin != NSEC_NEVER && note->origin >= raised))
		return;
	if (entered < end)
		walker_tell(walker, entered, &part);
	part.cause = timeline_side_delay(walker->timeline, note);
	if (raised < entered)
		walker_tell(walker, nsec_max(raised, lo), &part);
}

void walker_tell_queued(struct walker *walker, const struct cause_note *note, nsec_t lo)
{
	const struct walk_frame *top = walker->top;
	struct part part;
	nsec_t from, left;

	if (note->kind != CAUSE_NET || !note->as.net.queue || note->origin == NSEC_NEVER)
		return;
	from = nsec_max(lo, note->origin);
	left = note->origin + note->as.net.queue_time;
	part = part_of_note(note);
	if (left > from && left < top->t)
		walker_tell(walker, left, &part);
	part.cause = timeline_side_queue(walker->timeline, note->as.net.queue);
	if (left > from && from < top->t)
		walker_tell(walker, from, &part);
}

bool walker_is_cycle(const struct walker *walker, uint32_t line, nsec_t lo, nsec_t hi)
{
	uint32_t active = walker->timeline->line[line].walk_frame;

	return active != LINE_NONE && walker->frame[active].lo == lo &&
	       walker->frame[active].t == hi;
}

void walker_grow(struct walker *walker)
{
	struct walk_frame *own = walker->frame == walker->few ? NULL : walker->frame;

	walker->capacity *= 2;
	walker->frame = xreallocarray(own, walker->capacity, sizeof(*walker->frame));
	if (!own)
		memcpy(walker->frame, walker->few, sizeof(walker->few));
}
