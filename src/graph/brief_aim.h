/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What waits were for, in brief, as aim.h decides it: for rows of several waits, and for parts of
   paths. The name belongs to the timeline. */
#pragma once

#include "ftwait/aim.h"
#include "graph/timeline/timeline.h"

/* The aim of a segment; that of one that is no wait is not known. O(log n). */
struct brief_aim brief_aim_of_segment(const struct timeline *timeline, uint32_t track, size_t at);
/* What that track waited for, by the cause of a part of its wait; NULL: it is none. */
struct brief_aim brief_aim_of_cause(const struct timeline *timeline, uint32_t track,
                                    const struct cause_note *note);

/* The same as part of a key, which is compared as bytes. */
struct aim_key {
	uint32_t kind; /* enum aim_kind */
	uint32_t name; /* id in the timeline's names; 0: none */
};

struct aim_key aim_key_of(struct timeline *timeline, struct brief_aim aim);
struct brief_aim brief_aim_of_key(const struct timeline *timeline, const struct aim_key *key);
