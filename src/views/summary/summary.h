/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the summary consists of: times of tasks (summary_times.c), what is said of them before any
 * table (summary_words.c, summary_polling.c), the tables (summary_analysis.c). Times are ns.
 */
#pragma once

#include "advice.h"
#include "analysis/analysis.h"
#include "analysis/distribution.h"
#include "analysis/hung_tasks.h"
#include "cost_list.h"
#include "explanation.h"
#include "graph/memory_log.h"
#include "polling.h"
#include "summary_requests.h"
#include "turns.h"

/* A wait or a stop that the task had not chosen itself. */
struct longest_wait {
	nsec_t length, begin; /* of the part in the window */
	uint32_t line;
	uint64_t slices; /* that it had; 0: it is one */
	bool is_open, is_stop, is_traced, has_cause;
	uint32_t frames; /* id in names: where it was slept; 0: not known */
	struct cause_note *cause; /* where has_cause; NULL until there was one */
};

struct times {
	nsec_t time, running, runnable, preempted, throttled, waiting, stopped, unknown;
	nsec_t limited[CPU_LIMIT_COUNT]; /* of throttled, by what limit */
	nsec_t by_kind[CAUSE_KIND_COUNT];
	nsec_t for_work; /* of waiting: nothing blocked it, there was nothing to do */
	nsec_t open; /* of waiting: in waits that had not ended */
	nsec_t open_unknown; /* of that, and of by_kind[CAUSE_UNKNOWN] */
	uint64_t switches, waits;
	bool has_longest;        /* else it never waited */
	nsec_t longest, longest_at; /* of all waits and stops */
	struct longest_wait held_up;
	struct memory_total memory; /* in reclaim and compaction, asleep or not */
	struct distribution *lengths; /* of its waits; NULL: not asked for */
	struct polling *polling; /* NULL: it never slept on a timer of its own */
	struct turns *turns;     /* of asked tasks; NULL: none with a task of another process */
	uint32_t line;
};

struct summary {
	const struct question *question;
	bool is_streaming;
	struct times *by_line;
	size_t count, capacity; /* what lies beyond `count` was never touched */
	struct hung_tasks hung;
	/* of a summary of a window those of the whole one */
	struct explanation *explanation;
	struct advices *advices;
	struct summary_requests *requests;
};

/* Lengths of waits are to be gathered, too. */
void times_begin_lengths(struct times *times);
/* What times_add() does for a span that it does not count itself, of that length. */
void times_add_other(struct times *times, const struct span *span, nsec_t begin, nsec_t length);
/* Counts what of the span lies in [begin, end). Inline: for all spans. */
static inline void times_add(struct times *times, const struct span *span, nsec_t begin,
                             nsec_t end)
{
	nsec_t length = end - begin;

	times->time += length;
	if (span->kind == SEGMENT_RUN) {
		times->running += length;
		times->switches++;
	} else if (span->kind == SEGMENT_RUNNABLE && !span->cause) {
		times->runnable += length;
		if (span->detail == RUNNABLE_PREEMPTED || span->detail == RUNNABLE_YIELDED)
			times->preempted += length;
	} else {
		times_add_other(times, span, begin, length);
	}
}
/* Reclaim and compaction of the task, as far as they lie in the window. */
void times_set_memory(struct times *times, const struct question *question);
void times_sum(struct times *total, const struct times *times);

/* "disk 62 %, task 20 %": what most of the waiting was for. */
void times_describe(const struct times *times, unsigned most, struct buffer *to);
/* The answer in some lines, before any table; `tasks`: how many it is about. */
void summary_tell(const struct summary *summary, const struct presenter *presenter, void *to,
                  const struct times *total, size_t tasks);
/*
 * What the time went to, in lines and a table; `tasks` as above. The asked tasks' times are there.
 */
void summary_tell_costs(const struct summary *summary, const struct presenter *presenter,
                        void *to, size_t tasks);
/* Who polled, if it matters. It comes first, below the costs, where that is most of the time and
   certain; else it is told by the call that is not the first. */
void summary_tell_polling(const struct summary *summary, bool is_first,
                          const struct presenter *presenter, void *to);
/* What was waited for in slices, if it matters. */
void summary_tell_slices(const struct summary *summary, const struct presenter *presenter,
                         void *to);
/* When tasks were held up, and where to look closer. */
void summary_tell_series(const struct summary *summary, const struct presenter *presenter,
                         void *to);
/* How many tasks ran or could have, on average; not of a window. */
double summary_tasks_wanting(const struct summary *summary);
/* Who had the CPUs, where a run queue is among the costs that matter. */
void summary_tell_queue(const struct summary *summary, const struct cost_list *list,
                        const struct presenter *presenter, void *to);
/* What to do about the largest costs, where that is certain, and which views tell more of them. */
void summary_tell_advice(const struct summary *summary, const struct cost_list *list,
                         const struct presenter *presenter, void *to);
