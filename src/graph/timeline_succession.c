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

void timeline_succeed(struct timeline *timeline, uint32_t index, uint32_t leader)
{
	struct track *track = &timeline->track[index], *former = &timeline->track[leader];

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
