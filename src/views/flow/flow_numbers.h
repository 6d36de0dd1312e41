/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for what a flow refers to (ftwait/flow.h): causes that are alike and involve the same
 * tasks share a number, and so do equal stacks. Each is emitted when it is first met.
 */
#pragma once

#include "base/map.h"
#include "ftwait/flow.h"
#include "graph/timeline.h"

struct flow_numbers {
	const struct timeline *timeline;
	const uint32_t *task; /* number of a line's task; FLOW_NONE: it has none */
	const struct flow_hooks *hooks;
	void *to; /* argument of the hooks */
	struct map by_cause, by_stacks; /* by hash */
	const struct cause_note **cause;
	size_t cause_count, cause_capacity;
	struct wait_stacks *place;
	size_t place_count, place_capacity;
};

/* Everything is borrowed until the release. */
void flow_numbers_init(struct flow_numbers *numbers, const struct timeline *timeline,
                       const uint32_t *task, const struct flow_hooks *hooks, void *to);
void flow_numbers_release(struct flow_numbers *numbers);
/* FLOW_NONE for NULL. The note belongs to the timeline. */
uint32_t flow_number_cause(struct flow_numbers *numbers, const struct cause_note *note);
/* FLOW_NONE if there is none, or no stack in it. */
uint32_t flow_number_place(struct flow_numbers *numbers, const struct sleep_place *place);
/* Number of the line's task; FLOW_NONE for LINE_NONE. */
uint32_t flow_number_task(const struct flow_numbers *numbers, uint32_t line);
