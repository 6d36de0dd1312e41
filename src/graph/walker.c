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
	            (struct part){.state = PART_UNKNOWN, .confidence = CONFIDENCE_LOW});
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
