/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data that the summary gathers: times of tasks, and what explains them. Times are in ns. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/tables/distribution.h"
#include "analysis/hangs.h"
#include "analysis/hung_tasks.h"
#include "explanation.h"
#include "graph/memory_log.h"
#include "network_use.h"
#include "polling.h"
#include "standstill.h"
#include "summary_answers.h"
#include "summary_requests.h"
#include "turns.h"
#include "graph/runnable.h"

/* The longest wait or stop that the task did not choose itself. */
struct longest_wait {
	nsec_t length, begin; /* length and begin of the part in the window */
	uint32_t track;
	uint64_t slices; /* number of its slices; 0: it is one wait */
	bool is_open, is_stop, is_traced, has_cause;
	uint32_t frames; /* id in names: the stack of the sleep; 0: not known */
	struct cause_note *cause; /* valid if has_cause; NULL until a cause was stored */
};

struct times {
	nsec_t given_away; /* part of runnable: after it had given its CPU away */
	uint64_t gave_away; /* how often */
	nsec_t time, running, runnable, preempted, throttled, waiting, stopped, unknown;
	nsec_t limited[CPU_LIMIT_COUNT]; /* `throttled` by limit */
	nsec_t by_kind[CAUSE_KIND_COUNT];
	nsec_t for_work; /* part of waiting: there was no work */
	nsec_t by_others_work; /* part of waiting: a work item of others ended it (held_up.h) */
	nsec_t open; /* part of waiting: waits that had not ended */
	nsec_t open_unknown; /* part of both `open` and by_kind[CAUSE_UNKNOWN] */
	uint64_t switches, waits;
	bool has_longest;        /* false: it never waited */
	nsec_t longest, longest_at; /* over all waits and stops */
	struct longest_wait held_up;
	nsec_t held_up_time; /* times_held_up(), while the summary of a whole machine is shown; for
	                        others 0 */
	struct memory_total memory; /* in reclaim and compaction, asleep or not */
	struct distribution *lengths; /* lengths of its waits; NULL: not asked for */
	struct polling *polling; /* NULL: it never slept on a timer of its own */
	struct turns *turns;     /* only for asked tasks; NULL: it took no turns with a task of
	                            another process */
	uint32_t track;
};

struct summary {
	const struct question *question;
	bool is_streaming;
	struct times *by_track;
	size_t count, capacity; /* elements from `count` on were never written */
	struct hung_tasks hung;
	struct standstill standstill; /* not of a window */
	/* in the summary of a window these four belong to the summary of the whole trace */
	struct explanation *explanation;
	struct summary_requests *requests;
	struct summary_answers *answers;
	struct network_use *networks;
};

/* Lengths of waits are gathered, too. */
void times_begin_lengths(struct times *times);
/* The part of times_add() that is not inline, for other kinds of spans; `length` in ns. */
void times_add_other(struct times *times, const struct timeline *timeline, const struct span *span,
                     nsec_t begin, nsec_t length);
/* Counts the part of the span that lies in [begin, end). Inline, as it runs for all spans. */
static inline void times_add(struct times *times, const struct timeline *timeline,
                             const struct span *span, nsec_t begin, nsec_t end)
{
	nsec_t length = end - begin;

	times->time += length;
	if (span->kind == SEGMENT_RUN) {
		times->running += length;
		times->switches++;
	} else if (span->kind == SEGMENT_RUNNABLE && !span->cause) {
		times->runnable += length;
		if (runnable_by_switch(span->detail))
			times->preempted += length;
		if (span->detail == RUNNABLE_GAVE_AWAY) {
			times->given_away += length;
			times->gave_away++;
		}
	} else {
		times_add_other(times, timeline, span, begin, length);
	}
}
/* Sets the task's times of reclaim and compaction in the window. */
void times_set_memory(struct times *times, const struct question *question);
void times_sum(struct times *total, const struct times *times);
/* The average number of running and runnable tasks of that machine; not for a window. */
double summary_tasks_wanting(const struct summary *summary, uint32_t machine);
