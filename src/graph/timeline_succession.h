/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that executes a program takes its leader's place: the tid, and as in the kernel the
 * parent and the birth. It remains the same task, and its process the same process.
 */
#pragma once

#include "graph/timeline/timeline.h"

/* Which track had, or has, the place of this one in its process at that time: itself, or a leader
   before it, or a thread that executed a program since. NSEC_NEVER: the last one. */
uint32_t timeline_leader_at(const struct timeline *timeline, uint32_t track, nsec_t t);
/* `track` executes a program and takes the place of `leader`. */
void timeline_succeed(struct timeline *timeline, uint32_t track, uint32_t leader);

/* Which track created this one, and when; as far as seen. */
static inline uint32_t track_creator(const struct track *track)
{
	return track->succession.former == TRACK_NONE ? track->parent : track->succession.creator;
}

static inline nsec_t track_created(const struct track *track)
{
	return track->succession.former == TRACK_NONE ? track->born : track->succession.created;
}
