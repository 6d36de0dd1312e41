/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets those intervals through to a view that lie in the asked window: those that were started in
 * it, as a whole. Where none is asked for they go through at once; else the window is known only
 * when the trace has ended, and those that may lie in it are kept until then: about 100 bytes each.
 *
 * Order of calls: init, pass for every interval, resolve once, release.
 */
#pragma once

#include "analysis.h"

/* What a span of a task tells of an object that has no interval of its own. */
static inline struct interval interval_of_span(enum interval_kind kind, const struct span *span)
{
	return (struct interval){
		.kind = kind,
		.cpu = span->cpu,
		.begin = span->begin,
		.end = span->end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = span->is_open,
		.task = span->line,
		.other = LINE_NONE,
	};
}

struct interval_gate {
	const struct question *question;
	/* Those go through, too, that were there in the window at any time: the view asks itself
	   which of them were started in it. */
	bool is_wide;
	void (*take)(void *view, const struct interval *interval);
	struct interval *kept;
	size_t count, capacity;
};

void interval_gate_init(struct interval_gate *gate, const struct question *question,
                        void (*take)(void *view, const struct interval *interval));
void interval_gate_release(struct interval_gate *gate);
void interval_gate_pass(struct interval_gate *gate, void *view, const struct interval *interval);
/* The question is resolved: what was kept goes through, in the order in which it came. */
void interval_gate_resolve(struct interval_gate *gate, void *view);
