/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spurious wakeups: a task is woken, runs for a moment, finds nothing changed, sleeps again where
 * it did before. Folding makes one wait of the two:
 *
 *	before  WAIT(B) RUNNABLE RUN(5 us) WAIT(C)      after  WAIT(C)
 *
 * Two waits fold if the second is marked is_again (the same place, and nothing done in between: no
 * task woken, no I/O, nothing sent; the machine decides that) and the task ran for less than a
 * limit between them. Folded wake-ups are kept beside the track (struct spurious_wakeup).
 *
 * The waits of a poller fold, too (poll.h, found before): each of its time-outs had no result.
 * There a run of up to a sixteenth of the sleep also counts as short.
 */
#pragma once

#include "graph/timeline/timeline.h"

#define FOLD_LIMIT_DEFAULT 50000 /* ns */

/* Folds the waits of all tracks of the complete timeline; returns how many were removed. */
uint64_t timeline_fold(struct timeline *timeline, nsec_t limit);
/* The spurious wakeups of the wait, oldest first, and how many; NULL where there are none. */
const struct spurious_wakeup *timeline_spurious_wakeups(const struct track *track, size_t segment,
							size_t *ret_count);
