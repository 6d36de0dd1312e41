/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second pass: the backward walk that explains a stretch of a task's time. It goes back from
 * the end. Where the task waited, it goes on along the task that ended the wait, but no further
 * back than the wait's begin: what a waker did before the waiter went to sleep is never charged.
 * For a wait that an object ended, it goes on along the task that submitted, armed, sent or queued
 * the object, if that was during the wait; for requests that is an inference (others may merge
 * theirs) and timeline.ignores_submitters omits it. A stop for a tracer is explained by the
 * tracer's track, as a wait is by its waker's; other stops are parts by themselves.
 *
 *	T   RUN   |---- WAIT ----|  RUN          parts, newest first:
 *	W  WAIT |-|-- RUN -------|               T RUN, W RUN (depth 1), T RUN
 *
 * The parts tile [lo, hi) exactly, for every input; that is asserted. They come newest first. No
 * recursion: the stack is on the heap. Cost: O(parts + segments visited); of many walks with blocks
 * O(walks + segments visited by any).
 */
#pragma once

#include "walk_visitor.h"

/* Walks track's [lo, hi); adds to *result. The timeline must be complete. */
void walk(struct timeline *timeline, uint32_t track, nsec_t lo, nsec_t hi,
          const struct walk_visitor *visitor, struct walk_result *result);
/* As in JSON, which calls a part that is cut unknown, too. */
const char *part_state_name(enum part_state state);
/* The same for people. */
const char *part_state_words(enum part_state state);
/* Appends it behind the task's name: " running", ": cause not recorded". */
struct buffer;
void part_state_append(struct buffer *to, enum part_state state);
/* The cause of a part as results have it; unknown, if the part has none. */
struct cause part_cause(const struct timeline *timeline, const struct part *part);
