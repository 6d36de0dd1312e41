/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cause of a wait that the recorder saw in /proc. */
#pragma once

#include "ftwait/source.h"
#include "graph/timeline/timeline.h"

/*
 * Makes *cause say what the sleeper waits for, as far as the recorder saw it: a lock, or another
 * task; else *cause stays as it is, also if the sleeper has nothing to do. `sleeper` and `owner`
 * are tracks, `owner` that of wait->owner; TRACK_NONE: not known. If there is an owner, the walk
 * goes on along it: what it did is why the sleeper waits.
 */
void open_wait_refine_cause(struct timeline *timeline, const struct open_wait *wait,
                            uint32_t sleeper, uint32_t owner, struct cause_note *cause);

/* Whether the task still waits for what it waited for at `seen`: it is in that wait, or its own
   time limit ended that one and each one since, and it did nothing in between, as in a wait in
   slices (sliced_wait.h). The present wait need not be on the timeline yet; then whether it did
   something right before it is for the caller to know. */
bool open_wait_goes_on(struct timeline *timeline, uint32_t track, nsec_t seen);

/* Whether the track's sleep that ended last, on its own timer, was for that lock of a file, which
   it tries again and again (wait->is_tried). */
bool open_wait_is_retried(const struct timeline *timeline, uint32_t track,
                          const struct open_wait *wait);

/* Makes *cause the wait for a lock of a file, of unknown owner. `kind` is one of those of
   open_wait_is_for_file_lock(); `path` an id in names, 0: not known. */
void file_lock_become_cause(struct timeline *timeline, enum open_wait_kind kind, uint64_t inode,
                            uint32_t path, struct cause_note *cause);
