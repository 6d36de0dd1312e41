/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes to a view the intervals that were started in the asked window (question_instant_of()), as
 * a whole. If no window is
 * asked for, an interval passes at once. Otherwise the window is known only when the trace has
 * ended; until then intervals that may lie in it are kept, in about 100 bytes each.
 *
 * Order of calls: init, pass for every interval, resolve once, release.
 */
#pragma once

#include "analysis/analysis.h"

/* An interval made from a task's span, for an object that has no intervals of its own. */
static inline struct interval interval_of_span(enum interval_kind kind, const struct span *span)
{
	return (struct interval){
		.kind = kind,
		.cpu = span->cpu,
		.begin = span->begin,
		.end = span->end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = span->is_open,
		.task = span->track,
		.other = TRACK_NONE,
	};
}

struct interval_gate {
	const struct question *question;
	/* INTERVAL_MASK()s: of these kinds intervals that only overlap the window pass, too; the
	   view checks which of them were started in it. */
	uint32_t wide_kinds;
	void (*take)(void *view, const struct interval *interval);
	struct interval *kept;
	size_t count, capacity;
};

void interval_gate_init(struct interval_gate *gate, const struct question *question,
                        void (*take)(void *view, const struct interval *interval));
void interval_gate_release(struct interval_gate *gate);
void interval_gate_pass(struct interval_gate *gate, void *view, const struct interval *interval);
/* Call once the question is resolved: the kept intervals pass, in the order in which they came. */
void interval_gate_resolve(struct interval_gate *gate, void *view);
