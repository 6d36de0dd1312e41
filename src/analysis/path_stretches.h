/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of one task, divided into the sleeps that it chose, which held nothing up, and the
   stretches between them, which a walk explains. */
#pragma once

#include "graph/awaited.h"
#include "graph/timeline/timeline.h"

/* Every hook gets time that is not empty. */
struct stretch_visitor {
	void *state;
	/* To be walked. */
	void (*on_stretch)(void *state, uint32_t track, nsec_t begin, nsec_t end);
	/* A sleep, or the part of it in the window; `chosen` is not SLEEP_NOT_CHOSEN. */
	void (*on_sleep)(void *state, uint32_t track, enum chosen_sleep chosen, nsec_t begin,
	                 nsec_t end);
};

/* Whether, and for what, the task chose the segment; a segment that is no wait is not chosen. */
enum chosen_sleep segment_chosen(const struct timeline *timeline, uint32_t track, size_t at);
/* Passes [begin, end) of the track, latest first. Where no history is left, it is a stretch. */
void path_stretches(struct timeline *timeline, uint32_t track, nsec_t begin, nsec_t end,
                    const struct stretch_visitor *visitor);
