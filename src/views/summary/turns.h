/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a task and a task of another process wake each other by turns, as a server on a pipe and
 * its client do. Wake-ups do not show which of the two is the client. The server has no work while
 * it waits for the client.
 */
#pragma once

#include "graph/timeline/timeline.h"
#include "graph/walk/voter.h"

struct turns {
	struct voter waits; /* vote, weighted by time, for the task that ended its waits */
	struct voter wakes; /* vote, by number, for the task whose waits it ended */
};

/* Whether the turns of the track count: it is not known to be the client, as a program whose begin
   was recorded is, or a task that was born since. Once false, it stays so. */
static inline bool turns_count(const struct track *track)
{
	return !track->is_program_seen && track->born == NSEC_NEVER;
}
/* Adds [begin, end) of a wait of the task, or of a wait that the task ended. */
void turns_add_wait(struct turns **turns, const struct cause_note *cause, nsec_t length);
void turns_add_wake(struct turns **turns, uint32_t wakee);
/*
 * The task that takes turns with `track`, the owner of `turns`, and how long `track` waited for it.
 * TRACK_NONE: there is none, or it is known which of the two is the client: the track
 * (turns_count()), or the parent of the other task.
 */
uint32_t turns_partner(const struct turns *turns, const struct timeline *timeline, uint32_t track,
                       nsec_t *ret_waited);
