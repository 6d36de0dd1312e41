/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spurious wakeups: a task is woken, runs for a moment, finds nothing changed, sleeps again where
 * it did before. Folding makes one wait of the two:
 *
 *	before  WAIT(B) RUNNABLE RUN(5 us) WAIT(C)      after  WAIT(C)
 *
 * Two waits fold if the second is marked is_again (the same place, and nothing done in between:
 * nobody woken, no I/O, nothing sent; the machine decides that) and the task ran for less than a
 * limit between them. What folded away is kept beside the line (struct spurious_wakeup).
 *
 * So do the waits of one who polls (poll.h, found before): each of its time-outs came to nothing.
 * There a sixteenth of the sleep is a short run, too.
 */
#pragma once

#include "timeline.h"

#define FOLD_LIMIT_DEFAULT 50000 /* ns */

/* Folds on all lines of the complete timeline; returns how many waits went. */
uint64_t timeline_fold(struct timeline *timeline, nsec_t limit);
/* The spurious wakeups of the wait, oldest first, and how many; NULL where there are none. */
const struct spurious_wakeup *timeline_spurious_wakeups(const struct line *line, size_t segment,
							size_t *ret_count);
