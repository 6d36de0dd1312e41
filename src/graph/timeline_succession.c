/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline_succession.h"

uint32_t timeline_leader_at(const struct timeline *timeline, uint32_t index, nsec_t t)
{
	const struct track *track = timeline->track;

	while (track[index].succession.heir != TRACK_NONE)
		index = track[index].succession.heir;
	while (track[index].succession.former != TRACK_NONE &&
	       t <= track[track[index].succession.former].end)
		index = track[index].succession.former;
	return index;
}

/* Whether leaders still follow each other in one row, without a circle, if the track comes after
   that leader. Damaged events may say otherwise. */
static bool track_may_succeed(const struct track *track, uint32_t index, uint32_t leader)
{
	if (track[index].succession.former != TRACK_NONE ||
	    track[leader].succession.heir != TRACK_NONE)
		return false;
	while (leader != index && track[leader].succession.former != TRACK_NONE)
		leader = track[leader].succession.former;
	return leader != index;
}

void timeline_succeed(struct timeline *timeline, uint32_t index, uint32_t leader)
{
	struct track *track = &timeline->track[index], *former = &timeline->track[leader];

	if (!track_may_succeed(timeline->track, index, leader))
		return;
	track->succession.former = leader;
	track->succession.creator = track->parent;
	track->succession.created = track->born;
	track->parent = former->parent;
	track->born = former->born;
	track->is_target |= former->is_target;
	track->is_command = former->is_command;
	former->is_command = false;
	former->succession.heir = index;
}
