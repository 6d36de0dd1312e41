/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cause of a wait that the recorder saw in /proc. */
#pragma once

#include "ftwait/source.h"
#include "timeline.h"

/*
 * Makes *cause say what the sleeper waits for, as far as the recorder saw it: a lock, or another
 * task; else *cause stays as it is, also if the sleeper has nothing to do. `sleeper` and `owner`
 * are tracks, `owner` that of wait->owner; TRACK_NONE: not known. If there is an owner, the walk
 * goes on along it: what it did is why the sleeper waits.
 */
void open_wait_refine_cause(struct timeline *timeline, const struct open_wait *wait,
                            uint32_t sleeper, uint32_t owner, struct cause_note *cause);

/* Makes *cause the wait for a lock of a file, of unknown owner. `kind` is one of those of
   open_wait_is_for_file_lock(); `path` an id in names, 0: not known. */
void file_lock_become_cause(struct timeline *timeline, enum open_wait_kind kind, uint64_t inode,
                            uint32_t path, struct cause_note *cause);
