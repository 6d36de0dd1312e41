/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder saw in /proc a task wait for: in words, as an aim of ftwait-json(5), and as the
 * cause of the wait.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "ftwait/source.h"
#include "timeline.h"
#include "words/cause/purpose.h"

/*
 * Appends which object it is, behind the words for what it is for (words/cause/purpose.h): " from
 * 127.0.0.1:80", " on /dev/pts/3", and what keeps the other end from acting. No tasks are named.
 * Nothing if there is nothing to say.
 */
void open_wait_append_object(const struct open_wait *wait, struct buffer *to);
/* Whether a poller waits for the answer on a connection, or at the only pipe, unix socket or
   process that can end its wait. */
bool open_wait_is_poll(const struct open_wait *wait);
/* What it is for where the place in the kernel does not show that; PURPOSE_NONE: nothing more is
   known. */
enum purpose open_wait_purpose(const struct open_wait *wait);
/* AIM_NONE: nothing shows it. AIM_FOR_WORK: a server at a connection that a client opened, a reader
   of a terminal. */
enum aim_kind open_wait_aim(const struct open_wait *wait);
/* The address of the other end of a connection of TCP or UDP; NULL: it is none, or not known. */
const char *open_wait_peer(const struct open_wait *wait);

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
