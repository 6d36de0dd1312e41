/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summary: the data that it gathers, which are times of tasks and what explains them, and the
 * sentences before any table. Times are in ns. Where to look:
 *
 *	summary.c       the order of the sentences; the longest wait, stops, memory
 *	summary_analysis.c  what is gathered from spans; the tables of tasks
 *	polling.c       sentences on polls and slices
 *	explanation     gathered from the history; path.c (one task's path), inversions.c
 *	cost_list, costs.c  the costs, and the answer that is made of them
 *	requests.c      servers, and unanswered requests
 *	lead.c, ends.c  a whole machine; what became of tasks, and what they do now
 *	advice*.c       what to do about costs
 *
 * The words of a sentence stand together (sentences/say.h): search for them. From what size on the
 * summary speaks is in sentences/thresholds.h. Tasks that hang are in analysis/hangs/hangs.h.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/hangs/hangs.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/machine_time.h"
#include "analysis/tables/relation.h"
#include "base/data/order.h"
#include "explanation.h"
#include "graph/logs/track_log.h"
#include "graph/timeline/timeline.h"
#include "graph/walk/voter.h"

struct advices;
struct cost_list;
struct summary_requests;

/*
 * Whether a task and a task of another process wake each other by turns, as a server on a pipe and
 * its client do. Wake-ups do not show which of the two is the client. The server has no work while
 * it waits for the client.
 */

struct turns {
	struct voter waits; /* vote, weighted by time, for the task that ended its waits */
	struct voter wakes; /* vote, by number, for the task whose waits it ended */
};

/* Whether the turns of the track count: it is not known to be the client, as a program whose begin
   was recorded is, or a task that was born since. Once false, it stays so. */
static inline bool turns_count(const struct track *track)
{
	return !track->is_program_seen && track->born == NSEC_NEVER;
}
/* The turns, to vote; they are made if there are none. */
struct turns *turns_keep(struct turns **turns);
/*
 * The task that takes turns with `track`, the owner of `turns`, and how long `track` waited for it.
 * TRACK_NONE: there is none, or it is known which of the two is the client: the track
 * (turns_count()), or the parent of the other task.
 */
uint32_t turns_partner(const struct turns *turns, const struct timeline *timeline, uint32_t track,
                       nsec_t *ret_waited);

/* The series of polling (poll.h) of one task, joined, for a sentence (polling.c). A series with a
   count of 0 is absent. */
struct polling {
	/* the latest series, joined with earlier ones that lie close together */
	struct sleep_series latest;
	struct sleep_series heaviest; /* such joined series with the longest time in `all` */
	/* sum of all series with that period, even if they are far apart */
	struct sleep_series all;
	/* the last series that is too short; used only if there are no longer ones: if a child ends
	   during the very last sleep, even a short series may be polling */
	struct sleep_series few;
	nsec_t until; /* those that begin before are taken in */
};

/* Takes in what the track has polled since; *polling is NULL until it does. Call it before history
   is forgotten, with what is over then, and once the question is resolved. */
void polling_take(struct polling **polling, const struct question *question, uint32_t track);
/* Sets *ret to the sum of all series that were taken in; false: there is none that counts. */
bool polling_close(const struct polling *polling, struct polling *ret);

/*
 * When nearly all programs that were able to run stood in run queues at the same time, while one
 * task kept its CPU. The sums of the summary hide that: 100 ms every two seconds are 5 %.
 *
 *	fw-update      |#######|      kept its CPU: a hold
 *	ui       ##----|-------|--##  queued throughout
 *	audio    --##--|-------|##--  queued throughout
 *
 * Spans come in order of their ends: what ran during a hold is known when the hold ends, and who
 * was queued throughout soon after. Memory: 8 bytes a task; cost: a store for each run.
 */

#define STANDSTILL_RECENT 8 /* holds to which queued tasks are still added */

/* A task kept its CPU for long. */
struct hold {
	nsec_t begin, end;
	uint32_t track;
	uint32_t ran, queued; /* numbers of programs that ran meanwhile, and that were queued */
};

struct standstill {
	const struct question *question;
	nsec_t *ran_until; /* by track: the end of its last run */
	size_t track_count, track_capacity;
	/* The first `closed` ones made the others stand still; of the recent ones behind them that
	   is not known yet. */
	struct hold *hold;
	size_t count, capacity, closed;
};

/* All 0 but for the question at first. Order of calls: add all spans; print; release. */
void standstill_release(struct standstill *standstill);
void standstill_add(struct standstill *standstill, const struct span *span);
/* Prints the line about the task behind which the others stood still longest in all, if any did. */
void standstill_print(const struct standstill *standstill, const struct output *to);

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
	/* what is summed as it is, TIMES_SUMS of them: */
	nsec_t given_away; /* part of runnable: after it had given its CPU away */
	uint64_t gave_away; /* how often */
	nsec_t time, running, runnable, preempted, throttled, waiting, stopped, unknown;
	nsec_t limited[CPU_LIMIT_COUNT]; /* `throttled` by limit */
	nsec_t by_kind[CAUSE_KIND_COUNT];
	nsec_t for_work; /* part of waiting: there was no work */
	nsec_t by_others_work; /* part of waiting: a work item of others ended it (awaited.h) */
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
	struct polling *polling; /* NULL: it never polled */
	struct turns *turns;     /* only for asked tasks; NULL: it took no turns with a task of
	                            another process */
	uint32_t track;
	size_t tasks; /* of a sum: of how many tasks */
};

#define TIMES_SUMS (offsetof(struct times, has_longest) / sizeof(nsec_t))

struct summary {
	const struct question *question;
	bool is_streaming; /* times are gathered while the trace is read; with a window, at its
	                      end, and only those of asked tasks */
	struct times *by_track;
	size_t count, capacity; /* elements from `count` on were never written */
	struct keyed_sums pipe_partners; /* hangs.h */
	struct standstill standstill; /* not of a window */
	struct explanation *explanation;
	struct summary_requests *requests;
	struct advices *advices;
};

/* The times of each asked task, as `at`. */
#define SUMMARY_EACH(summary, at)                                                             \
	for (struct times *at = (summary)->by_track;                                          \
	     at < (summary)->by_track + (summary)->count; at++)                               \
		if ((summary)->question->resolved->is_asked[at->track])

/* Of the asked tasks that are `wanted`, the times with the largest `value`, as ORDER_MOST(). */
#define SUMMARY_MOST(summary, it, wanted, value)                                              \
	ORDER_MOST(it, (summary)->by_track, (summary)->count,                                 \
	           (summary)->question->resolved->is_asked[it->track] && (wanted), value)

/* Whether waits ended and the recording has no wake-ups: from when on tasks wait in run queues is
   not known then, and the number of those that want a CPU is too low. */
bool summary_lacks_wakeups(const struct summary *summary);
/* By all tasks of the machine; in a window, by the asked ones. */
struct cpu_use summary_cpu_use(const struct summary *summary, uint32_t machine);
/* "on average 7.1 tasks for 2 CPUs", "... for 2 CPUs of db"; of a window only the CPUs. */
void summary_demand_append(const struct summary *summary, uint32_t machine, struct buffer *to);

/* Whether no task is seen that is asked for, so that a screen has no need of the rest. */
static inline bool summary_shows_nothing(const struct output *to, const struct times *total)
{
	return total->time == 0 && to->presenter->row_limit;
}
/* Whether the processes of record -p are not seen, so that every task is shown instead. */
bool summary_lacks_target(const struct summary *summary);
/* Prints the answer in some lines, before any table. */
void summary_print(const struct summary *summary, const struct hangs *hangs,
                   const struct output *to, const struct times *total);
/* Prints the costs of so many tasks, in lines and a table. Also gathers the times of the asked
   tasks. */
void summary_print_costs(const struct summary *summary, const struct output *to, size_t tasks);
/*
 * Prints which task polled, if it matters. It is called twice: with is_first, right below the
 * costs, it prints only polling that is certain and took most of the time; otherwise it prints any
 * other polling.
 */
void summary_print_polling(const struct summary *summary, bool is_first, const struct output *to);
/* Whether that is certain, and took most of the time: then no task that polled was idle. Also
   returns whether an asked task does nothing but sleep again and again for about as long. */
bool summary_has_polling(const struct summary *summary, bool *ret_may_poll);
/* Prints what was waited for in slices, if it matters; of_path: only waits of tasks on the path. */
void summary_print_slices(const struct summary *summary, bool of_path, const struct output *to);

/* ends.c: what became of the tasks. First, which of the asked processes a signal or the OOM killer
   ended: those that start others, such as make, lose these and live on. */

/*
 * Prints what ended processes in the window: a line each about the first faults and kills of the
 * OOM killer; then, unless the answer is about a whole machine, one about the other signals. First
 * the track `leading`, of which the end is news whatever the signal; TRACK_NONE: no track is it.
 */
void deaths_print(const struct question *question, uint32_t leading, bool is_of_machine,
                  const struct output *to);

/* The first lines of a short summary (`ftwait why`): whether the asked tasks are busy, queued,
   idle, stopped or hang, and what they did when the recording ended. `total`: of the asked
   tasks. Else what asked tasks waited for when the recording ended, of waits for others that lasted
   long, as far as the recorder saw these. */
void verdict_print(const struct summary *summary, const struct hangs *hangs,
                   const struct times *total, const struct output *to);

/* lead.c: the answer for a whole machine: a recording without COMMAND and -p, of which no
   tasks are asked for. Hardly any of its tasks has the answer; what was busy has. Then tasks are of
   interest by how long they were held up, and most have slept all the time. */

/* Call once the question is resolved. */
bool summary_is_of_machine(const struct summary *summary);
/* Prints how busy CPUs and disks were, and what a network device carried, "Too little CPU: the 2
   CPUs were busy 99 % of the time", and which tasks were held up longest, by name. Several
   machines have a line each. */
void machine_lead_print(const struct summary *summary, const struct output *to);
/* How long the task was held up: in run queues, stopped, and in waits for disks, locks, memory and
   the like. Waits for other tasks are not among them, as what held those up counts there; threads
   of the kernel wait for work. */
nsec_t times_held_up(const struct summary *summary, const struct times *times);
/* Prints how many of the tasks, struct times with held_up_time, were idle. */
void machine_idle_print(const struct summary *summary, const struct relation_rows *tasks,
                        const struct output *to);

/* requests.c: servers, the requests that they received, and how long these took. */

struct summary_requests *summary_requests_new(const struct question *question);
void summary_requests_free(struct summary_requests *requests);
void summary_requests_add(struct summary_requests *requests, const struct interval *interval);
/* Call before the older half of the history is forgotten. */
void summary_requests_fold(struct summary_requests *requests);
/* Call once the question is resolved. */
void summary_requests_resolve(struct summary_requests *requests);
/*
 * Prints the asked server with the most requests, in words; prints nothing if there were no
 * requests. It is called twice: the call with is_first prints if the question is likely to be about
 * that server; otherwise the other call prints.
 */
void summary_requests_print(const struct summary_requests *requests, bool is_first,
                            const struct output *to);
/* Prints the table, under the same condition. */
void summary_requests_put(const struct summary_requests *requests, const struct output *to);

/* Prints which client waited longest for answers, if that is long and is not on the path. Returns
   whether it printed a sentence. */
bool summary_answers_report(const struct summary_requests *requests,
                            const struct explanation *explanation, const struct output *to);
