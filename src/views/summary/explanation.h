/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of the asked tasks went, through everything that they waited for, and when: the
 * first part of the summary. It is taken from the history, which need not be complete at any one
 * time: each time before the older half is forgotten, the waits that have ended are walked and
 * added. If a wait is longer than the history and may be for a child, its older part is walked
 * ahead (struct walks_ahead); otherwise its older part is reported as unknown.
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

#include <stddef.h>

#include "analysis/analysis.h"
#include "ftwait/host.h"
#include "graph/aims/sliced_wait.h"
#include "graph/logs/interrupt_log.h"
#include "graph/walk/chain_tree.h"
#include "graph/walk/competitors.h"
#include "tally/tally.h"

/*
 * How an amount is distributed over time: sums over slices of equal length, which cover everything
 * that was added. When an addition reaches beyond the last slice, each two slices become one. So
 * there are never more than SERIES_SLICES, and at least half of them are in use.
 *
 * Memory: 2 KiB for any length. Cost: O(1 + slices that the stretch touches).
 */

#define SERIES_SLICES 128

struct time_series {
	nsec_t begin; /* begin of the first slice */
	nsec_t slice; /* ns; 0: not begun */
	nsec_t last;  /* begin of the slice in which the last stretch ended; the next stretch
	                 usually ends there, too */
	size_t last_at; /* and its index */
	nsec_t held[SERIES_SLICES];    /* by slice: sum of the parts of stretches that lie in it */
	nsec_t longest[SERIES_SLICES]; /* by slice: longest whole stretch that ends in it */
};

/* The first slice begins at `begin`; at first the slices are `slice` ns long, which must not be
   0. */
void time_series_init(struct time_series *series, nsec_t begin, nsec_t slice);
/* The part of time_series_add() that is not inline, for a stretch that does not lie in the last
   slice. */
void time_series_spread(struct time_series *series, nsec_t begin, nsec_t end);
/* Adds a stretch; its part before the first slice is not in `held`. Inline, as it runs for all
   waits, most of which lie in the last slice. */
static inline void time_series_add(struct time_series *series, nsec_t begin, nsec_t end)
{
	if (begin >= end)
		return;
	if (begin < series->last || end - series->last > series->slice) {
		time_series_spread(series, begin, end);
		return;
	}
	series->held[series->last_at] += end - begin;
	series->longest[series->last_at] = nsec_max(series->longest[series->last_at], end - begin);
}
/* Number of slices until `end`; the last one may reach beyond it. 0: not begun. */
size_t time_series_count(const struct time_series *series, nsec_t end);
/* Prints when asked tasks were held up: a strip over time for each state, and the options that show
   its worst time in detail. */
void over_time_print(const struct time_series *runnable, const struct time_series *waiting,
                     const struct question *question, const struct output *to);

/*
 * Sums over a path in addition to its chains: which tasks had the CPUs meanwhile, how much of the
 * path was spent making room in memory, and how much of the path is known.
 *
 * Order of calls: walk_on_begin(), chain_tree_add(), walk_on_end(); and again for other stretches.
 * Sums that are all 0 are empty. Memory: 40 bytes a task.
 */

/*
 * How long other CPUs were idle while a task was in a run queue. For a task that may run anywhere
 * this is nearly 0.
 *
 * Order of calls: any number of spare_cpus_add(), then spare_cpus_begin(), spare_cpus_within() of
 * stretches that do not overlap, latest first, spare_cpus_end(); and again, with what is added
 * meanwhile. Memory: 16 bytes a stretch of idleness, until `idle` is trimmed.
 */

struct spare_cpus {
	const struct hosts *hosts; /* borrowed: an idle CPU of another machine is no spare one */
	struct interrupt_log idle; /* when each CPU idled */
	struct interrupt_cursor *cursor;
};

void spare_cpus_release(struct spare_cpus *spare);
/* Adds that the CPU idled in [begin, end). Call in order of time for each CPU. */
void spare_cpus_add(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end);
void spare_cpus_begin(struct spare_cpus *spare);
/* Returns the longest time, in ns, that another CPU of the same machine was idle within
   [begin, end); 0 if the machine has no other CPU. */
nsec_t spare_cpus_within(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end);
void spare_cpus_end(struct spare_cpus *spare);

/* Time that tasks spent making room in memory. */
struct path_memory {
	nsec_t running, runnable;
	nsec_t limit; /* the part of both that was for the memory limit of a cgroup */
};

struct path_sums {
	/* the tasks that had the CPU while the one task, or a task that it waited for, was in a run
	   queue; and the part of that time in which another CPU was idle */
	struct had_cpu had_cpu;
	nsec_t spare;
	struct path_memory memory;
	nsec_t inferred;  /* length of parts that rest on an inference, see struct part */
	nsec_t forgotten; /* length of parts that are unknown only because the history was
	                     forgotten */
};

/* The time of the path that was spent making room in memory, and whether most of it was for the
   memory limit of a cgroup. */
static inline nsec_t path_memory_total(const struct path_memory *memory)
{
	return memory->running + memory->runnable;
}
static inline bool path_memory_is_for_limit(const struct path_memory *memory)
{
	return memory->limit > path_memory_total(memory) / 2;
}

/*
 * Walks a path ahead, before the wait that it leads through has ended. Example: a shell waits for
 * its command, and the history of the command is about to be forgotten. It is not known yet what
 * will end the wait, but it is likely to be the end of a child. So the time of each child since the
 * begin of the wait is walked and kept as sums:
 *
 *	shell    RUN |---- WAIT ------------------------------- not ended yet
 *	make         |-- RUN, WAIT, RUN ... --|---- WAIT ------ not ended yet
 *	cc                                    |-- RUN ... --|
 *	kept         '------ of make ---------'--- of cc ---'
 *
 * Nothing is guessed: the sums count only if the walk that starts at the wait's end later comes to
 * the child at the instant where the sums end; otherwise they are dropped. The times of children
 * that run one after another do not overlap; the times of children that run at once, as in a
 * pipeline, may. As the last command of a pipeline waits for the others, these are walked for it,
 * too. If a task has more children than CHILDREN_AHEAD_MAX, they are not walked ahead.
 * Memory is bounded by WALKS_AHEAD_MAX trees and sums.
 */

#define WALKS_AHEAD_MAX    24u
#define CHILDREN_AHEAD_MAX 4u

/* What was walked of `track` since the begin of the waiter's wait. */
struct walked_ahead {
	uint32_t waiter, track;
	nsec_t begin, end;
	bool is_kept; /* the wait has not ended, so the walk is kept */
	struct chain_tree tree;
	struct path_sums sums;
};

/* At first the members up to nodes_max are set; the pointers are borrowed. */
struct walks_ahead {
	struct timeline *timeline;
	const struct interrupt_log *interrupts;
	struct spare_cpus *spare;
	size_t nodes_max; /* limit of each tree */
	uint32_t path;    /* the track that is not walked ahead itself */
	struct walked_ahead *walked[WALKS_AHEAD_MAX];
	size_t count;
};

void walks_ahead_release(struct walks_ahead *ahead);
/* Call before the older half of the history is forgotten; the track was walked until t. No tree may
   still refer to causes of earlier walks ahead: chain_tree_settle(). */
void walks_ahead_go_on(struct walks_ahead *ahead, uint32_t track, nsec_t t);
/* The state while stretches of the path are walked and folded into a tree and sums. */
struct walk_on {
	const struct walks_ahead *ahead;
	struct path_sums *sums;
	struct competitors competitors;
};

/* From now on the parts that chain_tree_add() folds into the tree, latest first, are also added to
   the sums. */
void walk_on_begin(struct walk_on *on, const struct walks_ahead *ahead, struct chain_tree *tree,
                   struct path_sums *sums);
void walk_on_end(struct walk_on *on);

/*
 * Priority inversion: a real-time or deadline task waited for another task, the holder. The holder
 * was able to run but did not, as a task with a lower priority than the waiter's had its CPU:
 *
 *	waiter RT 80    |---- waits for a lock of the holder ----|
 *	holder nice 0   RUN |- stands behind -|   RUN   unlocks -'
 *	behind nice 5       |       RUN       |              inverted: while it ran
 *
 * The wait is walked like any path, so the holder may be a task that the owner of the lock waited
 * for. All priorities are those of the moment: an owner that was lent the waiter's priority is
 * never behind a task of lower priority. A sleep that a task of another process ends may be a wait
 * for work, so it counts only if it is known to be for a lock.
 *
 * Order of calls: take any number, sort once, blame, print and report. Cost: a walk
 * for each wait of such a task, and a search in all tracks for each stretch in which a holder was
 * in a run queue.
 */

enum inversion_at {
	INVERSION_AT_WORK,  /* a condition: it may have waited for work to do */
	INVERSION_AT_MEETING, /* a barrier, or a thread's end */
	INVERSION_AT_PLACE, /* a place without a lock: a pipe, a child's end */
	INVERSION_AT_TASK,  /* what it waited for is not known */
	INVERSION_AT_FUTEX, /* a futex of unknown purpose */
	INVERSION_AT_MUTEX, /* of a program */
	INVERSION_AT_LOCK,  /* of the kernel, or of a file */
};

struct inversion {
	struct inversion_key {
		uint32_t waiter, owner, holder, behind; /* tracks; owner: of the task that ended
		                                           the wait */
		uint32_t at; /* enum inversion_at */
	} key;
	int16_t waiter_priority, holder_priority, behind_priority;
	bool is_in_kernel; /* state D, so it was not for a program's own lock */
	uint64_t count; /* of waits */
	nsec_t waited, inverted; /* sum of the waits; sum of the times in them that `behind` ran */
	nsec_t max, max_begin, max_end; /* of the wait with the longest inversion: its length,
	                                   and the wait's begin and end */
	nsec_t last, last_begin; /* the same for the latest wait */
};

#define INVERSIONS_MAX 1024

struct inversions {
	const struct question *question;
	struct tally rows; /* struct inversion, INVERSIONS_MAX */
	uint64_t left_out;  /* number of waits that were not looked at, as there were too many */
	uint64_t searched;  /* tracks, so far */
};

/* The part of inversions_take() that is not inline, for a waiter that ever had a real-time
   priority. */
void inversions_take_wait(struct inversions *inversions, uint32_t track, size_t at, nsec_t begin,
                          nsec_t end);
/* Takes segment `at` of the track, a wait, of which [begin, end) is asked for. Inline, as it is
   called for all waits. */
static inline void inversions_take(struct inversions *inversions, uint32_t index, size_t at,
                                   nsec_t begin, nsec_t end)
{
	const struct track *track = &inversions->question->timeline->track[index];

	if (track->priority < PRIORITY_FAIR_MIN || track->rank)
		inversions_take_wait(inversions, index, at, begin, end);
}
/* Most first. */
void inversions_sort(struct inversions *inversions);
/* Whether the inversion that inversions_print() names is one in which the track ran. */
bool inversions_blame(const struct inversions *inversions, uint32_t track);
/* Prints a line on the worst inversion, if it is long enough to matter. */
void inversions_print(const struct inversions *inversions, const struct output *to);
/* Shows all inversions as a table, for data. */
void inversions_report(const struct inversions *inversions, const struct output *to);

/* What one task waited for in slices (sliced_wait.h), summed up; there is one for each task
   that has such waits. Causes are copies, which outlive the history. */
struct slice_sum {
	struct keyed_sum of; /* key: track; total: time in slices and in the waits that ended them;
	                        count: number of both; extra: the part of total in slices, whose
	                        cause is an inference */
	nsec_t most;         /* the longest slice */
	nsec_t longest, longest_at; /* of the longest whole wait, without the running time in
	                               between */
	uint64_t longest_count;     /* number of slices of the longest wait */
	struct cause_note cause;    /* cause of the longest wait */
	bool is_answered; /* the longest wait was answered */
	bool is_alike;    /* all waits had the same cause */
};

/* The part of a track's history that is processed. */
struct taken {
	size_t segments; /* number of segments that are taken, forgotten ones included */
	nsec_t for_work; /* time without work to do */
	nsec_t chosen;   /* the same, and time asleep on a timer of its own */
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
	struct keyed_sums interrupt_sums; /* struct interrupt_sum, of those that may lie in the
	                                     window */
	struct spare_cpus spare_cpus;    /* idle CPUs that are not yet attributed to the path */
	struct walks_ahead ahead;        /* walks that are not yet part of the path */
	struct inversions inversions;
	struct taken *taken;     /* by track */
	size_t taken_count, taken_capacity;
	struct keyed_sums slices; /* struct slice_sum, of the asked tasks */
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
/* The times of the track, as far as it is walked. */
struct taken explanation_taken(const struct explanation *explanation, uint32_t track);
/* Whether the track's waits are in `waits`: the waits of kernel threads are not, if programs are
   asked for. */
bool explanation_walks(const struct explanation *explanation, uint32_t track);
