/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What specs may name in a recording, with the time that it took, and how much of that lies on the
 * path of a task.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/paths/path_task.h"
#include "contentions.h"
#include "what_if_spec.h"

struct candidate {
	struct candidate_key {
		uint32_t kind; /* enum what_if_kind */
		uint32_t name; /* id in the timeline's names */
	} key;
	nsec_t on_path, total;
};

struct candidates {
	TALLY(all, struct candidate, candidate, count); /* sorted: most on the path
	                                                  first, then the longest */
};

/* The path is that of the target's track, which may be TRACK_NONE. */
void candidates_init(struct candidates *candidates, const struct question *question,
                     const struct contentions *contentions, const struct path_target *target);
void candidates_release(struct candidates *candidates);
/* Appends the longest ones of that kind: "vda, vdb, 2 more"; false: there are none. */
bool candidates_append(struct buffer *to, const struct candidates *candidates,
                       const struct timeline *timeline, enum what_if_kind kind);
