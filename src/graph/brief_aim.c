/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "brief_aim.h"

#include "aim.h"

struct brief_aim brief_aim_of_segment(const struct timeline *timeline, uint32_t track, size_t at)
{
	return timeline->track[track].segment[at].kind == SEGMENT_WAIT
	               ? timeline_brief_aim(timeline, track, at)
	               : (struct brief_aim){AIM_NONE, NULL};
}

struct brief_aim brief_aim_of_cause(const struct timeline *timeline, uint32_t track,
                                    const struct cause_note *note)
{
	struct brief_aim aim = {AIM_NONE, NULL};

	if (note)
		aim.kind = timeline_cause_aim(timeline, track, note, &aim.name);
	if (aim.kind == AIM_NONE)
		aim.name = NULL;
	return aim;
}

struct aim_key aim_key_of(struct timeline *timeline, struct brief_aim aim)
{
	return (struct aim_key){
		.kind = aim.kind,
		.name = aim.name ? intern_adds(&timeline->names, aim.name) : 0,
	};
}

struct brief_aim brief_aim_of_key(const struct timeline *timeline, const struct aim_key *key)
{
	return (struct brief_aim){
		.kind = (enum aim_kind)key->kind,
		.name = key->name ? intern_text(&timeline->names, key->name) : NULL,
	};
}
