/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of the asked tasks went, through everything that they waited for, and when: the
 * first part of the summary. It is taken from the history, which need not be complete at any one
 * time: each time before the older half is forgotten, the waits that have ended are walked and
 * added. If a wait is longer than the history and may be for a child, its older part is walked
 * ahead (walks_ahead.h); otherwise its older part is reported as unknown.
 *
 *	path    all time of the one task that is asked for, if there is just one, except sleeps
 *	        that it chose itself: together they tile its life
 *	waits   where there is no such task: what the asked programs waited for, except for work
 *
 * Until the trace has ended it is not certain which tasks are asked for, so every task that matches
 * so far counts.
 *
 * Order of calls: init, any number of explanation_fold(), explanation_finish() once the question is
 * resolved, release. Memory: bounded, plus 24 bytes a task, and 8 for each walk ahead.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/interrupt_sums.h"
#include "graph/walk/chain_tree.h"
#include "graph/logs/interrupt_log.h"
#include "inversions.h"
#include "slice_sums.h"
#include "spare_cpus.h"
#include "time_series.h"
#include "walks_ahead.h"

/* The part of a track's history that is processed. */
struct taken {
	size_t segments; /* number of segments that are taken, forgotten ones included */
	nsec_t for_work; /* time without work to do */
	nsec_t asleep;   /* time asleep on a timer of its own */
};

struct explanation {
	const struct question *question;
	struct chain_tree waits, path;
	bool may_have_path;      /* the question may be about one task, which has a path */
	uint32_t path_track;     /* the path's task; TRACK_NONE: there is no such task, or it is
	                            not known yet */
	nsec_t path_begin, path_until; /* the part of its life that is in `path` or in the next
	                                  two members */
	nsec_t path_for_work, path_asleep; /* time in which it had no work; time that it chose to
	                                      sleep */
	struct path_sums path_sums;
	struct interrupt_log interrupts; /* interrupts that are not yet attributed to the path */
	struct interrupt_sums interrupt_sums; /* of those that may lie in the window */
	struct spare_cpus spare_cpus;    /* idle CPUs that are not yet attributed to the path */
	struct walks_ahead ahead;        /* walks that are not yet part of the path */
	struct inversions inversions;
	struct taken *taken;     /* by track */
	size_t taken_count, taken_capacity;
	struct slice_sums slices; /* of the asked tasks */
	struct time_series runnable, waiting; /* of the asked tasks; waiting: without waits that
	                                         they chose */
	bool has_programs;       /* programs are among the asked tasks */
};

void explanation_init(struct explanation *explanation, const struct question *question);
void explanation_release(struct explanation *explanation);
/* Takes the kinds INTERRUPT_INTERVALS and INTERVAL_CPU; ignores others. */
void explanation_add_interval(struct explanation *explanation, const struct interval *interval);
/* Call before the older half of the history is forgotten, while open segments are shown
   (timeline_show_open()). */
void explanation_fold(struct explanation *explanation);
/* Call when the trace has ended and the question is resolved. */
void explanation_finish(struct explanation *explanation);
/* How long the track had no work, as far as it is walked. */
nsec_t explanation_for_work(const struct explanation *explanation, uint32_t track);
/* The same, plus how long it slept on timers of its own. */
nsec_t explanation_chosen(const struct explanation *explanation, uint32_t track);
/* Whether the track's waits are in `waits`: the waits of kernel threads are not, if programs are
   asked for. */
bool explanation_walks(const struct explanation *explanation, uint32_t track);
