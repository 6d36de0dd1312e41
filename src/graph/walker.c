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
	walker->depth = 0;
	walker->depth_max = visitor->depth_max ? visitor->depth_max : WALK_DEPTH_MAX;
}

void walker_release(struct walker *walker)
{
	if (walker->frame != walker->few)
		free(walker->frame);
}

void walker_tell(struct walker *walker, nsec_t begin, struct part part)
{
	struct walk_frame *top = &walker->frame[walker->depth - 1];

	assert(begin < top->t && begin >= top->lo && walker->told == top->t);
	part.begin = begin;
	part.end = top->t;
	part.depth = (uint32_t)walker->depth - 1;
	part.line = top->line;
	if (part.confidence > top->confidence_max)
		part.confidence = top->confidence_max;
	walker->visitor->on_part(walker->visitor->state, &part);
	walker->told = begin;
	top->t = begin;
}

void walker_tell_unknown(struct walker *walker, nsec_t begin)
{
	walker_tell(walker, begin,
	            (struct part){.state = PART_UNKNOWN, .confidence = CONFIDENCE_LOW});
}

bool walker_is_cycle(const struct walker *walker, uint32_t line, nsec_t lo, nsec_t hi)
{
	uint32_t active = walker->timeline->line[line].walk_frame;

	return active != LINE_NONE && walker->frame[active].lo == lo &&
	       walker->frame[active].t == hi;
}

static void walker_grow(struct walker *walker)
{
	struct walk_frame *own = walker->frame == walker->few ? NULL : walker->frame;

	walker->capacity *= 2;
	walker->frame = xreallocarray(own, walker->capacity, sizeof(*walker->frame));
	if (!own)
		memcpy(walker->frame, walker->few, sizeof(walker->few));
}

void walker_push(struct walker *walker, uint32_t line, nsec_t lo, nsec_t hi)
{
	struct line *entered = &walker->timeline->line[line];
	enum confidence confidence_max =
		walker->depth ? walker->frame[walker->depth - 1].confidence_max : CONFIDENCE_HIGH;
	bool is_cut = walker->depth && walker->frame[walker->depth - 1].is_cut;

	if (walker->depth == walker->capacity)
		walker_grow(walker);
	walker->frame[walker->depth] = (struct walk_frame){
		.line = line,
		.lo = lo,
		.hi = hi,
		.t = hi,
		.outer = entered->walk_frame,
		.then = LINE_NONE,
		.confidence_max = confidence_max,
		.is_cut = is_cut,
	};
	entered->walk_frame = (uint32_t)walker->depth++;
}

void walker_pop(struct walker *walker)
{
	const struct walk_frame *top = &walker->frame[--walker->depth];

	walker->timeline->line[top->line].walk_frame = top->outer;
}
