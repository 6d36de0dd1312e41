/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "turns.h"

#include "base/xalloc.h"

#define TURNS_LEAST 3

static struct turns *turns_keep(struct turns **turns)
{
	if (!*turns)
		*turns = xcalloc(1, sizeof(**turns));
	return *turns;
}

void turns_add_wait(struct turns **turns, const struct cause_note *cause, nsec_t length)
{
	voter_vote(&turns_keep(turns)->waits, cause->waker, length);
}

void turns_add_wake(struct turns **turns, uint32_t wakee)
{
	voter_vote(&turns_keep(turns)->wakes, wakee, 1);
}

uint32_t turns_partner(const struct turns *turns, const struct timeline *timeline, uint32_t track,
                       nsec_t *ret_waited)
{
	uint32_t partner = turns ? voter_task(&turns->waits) : TRACK_NONE;

	if (partner == TRACK_NONE || voter_task(&turns->wakes) != partner ||
	    turns->wakes.own < TURNS_LEAST || !turns_count(&timeline->track[track]) ||
	    timeline_is_one_process(timeline, track, partner) ||
	    timeline_descends(timeline, partner, track))
		return TRACK_NONE;
	*ret_waited = turns->waits.own;
	return partner;
}
