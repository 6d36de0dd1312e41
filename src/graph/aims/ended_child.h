/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for children that a task ends when its own limit is over, as timeout(1) does: it slept
 * until the limit, or looked for the child after each of several sleeps, and then sent the signal.
 * A nanosleep is no such wait: a script may sleep for its own sake before it ends what it began.
 * What the task is known to have wanted in such a sleep goes before that (awaited.h).
 */
#pragma once

struct timeline;

/* Finds them in the whole history, as series of SERIES_OF_KILL. O(tracks * log segments), and the
   lengths of the series. */
void timeline_find_ended_children(struct timeline *timeline);
