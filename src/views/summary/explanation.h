/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of the asked tasks went, through all that they waited for, and when: what the
 * summary says first. It is taken from the history, which need not be complete at any one time:
 * each time that the older half is about to be forgotten, the waits that have ended are walked and
 * folded in. Of a wait that is longer than the history the older part is walked ahead where it may
 * be for a child (walks_ahead.h); else it is reported as unknown.
 *
 *	path    all time of the one task that is asked for, if it is one, but for sleeps that it
 *	        chose itself: with these it tiles its life
 *	waits   where there is no such task: what the asked programs waited for, but for having
 *	        nothing to do
 *
 * Before the trace has ended nobody knows for sure which tasks are asked for: then those count that
 * fit by what is known of them.
 *
 * Order of calls: init, any number of explanation_fold(), explanation_finish() once the question is
 * resolved, release. Memory: bounded, but for 24 bytes a task, and 8 for each walk ahead.
 */
#pragma once

#include "analysis/analysis.h"
#include "graph/chain_tree.h"
#include "graph/interrupt_log.h"
#include "inversions.h"
#include "slice_sums.h"
#include "spare_cpus.h"
#include "time_series.h"
#include "walks_ahead.h"

/* What was taken of a line. */
struct taken {
	size_t segments; /* that are in, of all that ever were */
	nsec_t for_work; /* it had nothing to do */
	nsec_t asleep;   /* as long as it asked for */
};

struct explanation {
	const struct question *question;
	struct chain_tree waits, path;
	bool may_have_path;      /* there may be one task that is asked for */
	uint32_t path_line;      /* LINE_NONE: there is no one task */
	nsec_t path_begin, path_until; /* what of its life is in `path`, or in these: */
	nsec_t path_for_work, path_asleep; /* it had nothing to do; it slept as long as it asked */
	struct path_sums path_sums;
	struct interrupt_log interrupts; /* not yet attributed to the path */
	struct spare_cpus spare_cpus;    /* not yet attributed either */
	struct walks_ahead ahead;        /* not yet part of the path */
	struct inversions inversions;
	struct taken *taken;     /* by line */
	size_t taken_count, taken_capacity;
	struct slice_sums slices; /* of the asked tasks */
	struct time_series runnable, waiting; /* of the asked tasks, but for what they chose */
	bool has_programs;       /* among the asked tasks */
	nsec_t not_walked;       /* of waits: it would have taken too long */
};

void explanation_init(struct explanation *explanation, const struct question *question);
void explanation_release(struct explanation *explanation);
/* Of the kinds INTERRUPT_INTERVALS and INTERVAL_CPU; others are ignored. */
void explanation_add_interval(struct explanation *explanation, const struct interval *interval);
/* The older half of the history is about to be forgotten; what is open is shown. */
void explanation_fold(struct explanation *explanation);
/* The trace has ended, and the question is resolved. */
void explanation_finish(struct explanation *explanation);
/* How long the line had nothing to do; of those that are walked. */
nsec_t explanation_for_work(const struct explanation *explanation, uint32_t line);
/* The same, and how long it slept because it asked for that. */
nsec_t explanation_chosen(const struct explanation *explanation, uint32_t line);
/* Whether the line's waits are in `waits`: not those of threads of the kernel beside programs. */
bool explanation_walks(const struct explanation *explanation, uint32_t line);
