/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task that sleeps with a time limit and, when that is over, sends a signal that ends a child, or
 * asks it to end, which it then does: the task waited for the child, as timeout(1) does and the
 * time limits of test runners.
 *
 *	parent   WAIT(own timer) RUN kill    WAIT(the child's end)
 *	child    ----------------------------|
 *
 * That is inferred, as no wake-up leads from the child there. A nanosleep is not taken for such a
 * wait: a script may sleep for its own sake before it ends what it began.
 */
#pragma once

#include "poll.h"

/* Finds all of them; timeline_find_polls() of awaited.h calls it. O(tracks * log segments). */
void timeline_find_killed(struct timeline *timeline);
/* The series of sleeps, often one, that the wait that begins at t belongs to, with the child; NULL:
   it belongs to none. O(log n). */
const struct poll *timeline_killed(const struct timeline *timeline, uint32_t track, nsec_t t);
