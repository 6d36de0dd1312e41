/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a wait without what comes after it, for callers that look at tasks while the
 * trace goes on: awaited.h uses the sleeps around it, too.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/timeline/timeline.h"

/* Whether the wait seems to hold its task up: not a sleep that the task chose, for work or for a
   time, nor that of a server until its next request. Of a sleep in S that has not ended something
   must be known, and more than for which task it waits: most such sleeps are of tasks that have
   nothing to do, and shells wait for their children like that. False for all other
   spans, and where a work item of others ended the sleep. */
bool span_holds_up(const struct timeline *timeline, const struct span *span);
/* Whether the wait, as far as known, is such a sleep: one that the task chose, or of a server until
   its next request. */
bool span_is_idle_sleep(const struct timeline *timeline, const struct span *span);
/*
 * Whether a work item ended the sleep that was not for it: the sleeper, or its process, had neither
 * queued nor flushed the item, nor asked a disk for what queued it. Readers of a terminal or of USB
 * sleep like that until something comes. What sleeps in D had asked for it, perhaps by others.
 */
bool span_is_ended_by_work_of_others(const struct timeline *timeline, const struct span *span);
/* The track that the sleeper waited for: who holds the lock, woke it, or asked for what it waited
   for; TRACK_NONE: none, or itself. */
uint32_t cause_note_behind(const struct cause_note *note, uint32_t sleeper);
