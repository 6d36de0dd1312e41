/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes to a view the intervals that were started in the asked window (question_instant_of()), as
 * a whole. If no window is asked for, an interval passes at once. Otherwise the window is known
 * only when the trace has ended; until then intervals that may lie in it are kept, in about 100
 * bytes each.
 *
 * Order of calls: pass for every interval, resolve once, release. At first question and take() are
 * set, perhaps wide_kinds, and all other members are zero.
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

/* A view that passes its intervals through a gate has this as its first member: a pointer to the
   view is then one to its gate, too, and both have the same question. */
#define GATED_VIEW                                                                                 \
	union {                                                                                    \
		struct interval_gate gate;                                                         \
		const struct question *question;                                                   \
	}

void interval_gate_release(struct interval_gate *gate);
/* `view`: its first member is the gate. */
void interval_gate_pass(void *view, const struct interval *interval);
/* Call once the question is resolved: the kept intervals pass, in the order in which they came. */
void interval_gate_resolve(void *view);
