/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task's own time, without that of others that it waited for: a part for each segment, with the
 * kind of cost that it was. A wait counts under what ended it.
 */
#pragma once

#include "analysis.h"
#include "cost_kind.h"

struct own_time {
	uint32_t track;
	size_t segment;    /* its index */
	enum cost_kind kind;
	const struct cause_note *cause; /* NULL: none */
	nsec_t begin, end; /* within the window */
};

/* Passes each segment of the track that the window has a part of, the latest first; the question
   must be resolved. has_programs: waits of threads of the kernel are a kind of their own; by
   default question_asks_programs(). */
void own_time_visit(const struct question *question, uint32_t track, bool has_programs,
                    void (*take)(void *state, const struct own_time *time), void *state);
/* The name of the track's task as other runs have it, too: of "kworker/1:2" only the part before
   the slash. An id in the timeline's names. */
uint32_t cost_task(struct timeline *timeline, uint32_t track);
/* The name of what was waited for, as other runs have it, too; 0: it has none. */
uint32_t cost_object(struct timeline *timeline, const struct cause_note *note);
