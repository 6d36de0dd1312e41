/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task tries again after a pause: to lock a file, to connect. A sleep is such a pause if it
 * is the only one between two attempts. In scripts each attempt and each pause is a process of its
 * own: then a process sleeps that the same parent began after the attempt, or the parent itself,
 * once the one that tried has ended. So each attempt is noted twice.
 */
#pragma once

#include "state/core/tracker.h"

/* The first member of what trackers keep of attempts, in a pool by retry_key(). */
struct retry {
	nsec_t begin, last; /* when the first attempt, and the last one, failed */
	uint32_t by;        /* track that made the last one */
	uint32_t note;      /* index in the timeline's causes + 1; 0: it has not slept yet */
	bool has_paused;    /* since the last attempt */
	bool is_over;       /* the last attempt had success: what follows is no pause */
};

/* The key of attempts of one thread, or of all children of a process. */
uint64_t retry_key(uint32_t track, bool of_children);
/* The first thread of the process that began the track's process; TRACK_NONE: not known. */
uint32_t retry_parent(const struct machine *machine, uint32_t track);
/* What a sleep of the track since then may be a pause of; NULL: of nothing. */
void *retry_of_sleep(const struct machine *machine, const struct object_pool *pool, uint32_t track,
                     nsec_t since);
/* The track's sleep ends by that cause. Returns what it is a pause of, before the next attempt: it
   was ended by the task's own time limit. NULL: of nothing; if two such sleeps follow each other
   without an attempt, the task does something else, and neither counts. */
void *retry_pause(const struct machine *machine, struct object_pool *pool, uint32_t track,
                  const struct cause_note *cause);
/* *link, to the note that all sleeps for one thing share: to `note`, if there is none yet. */
uint32_t link_share(struct machine *machine, uint32_t *link, const struct cause_note *note);
