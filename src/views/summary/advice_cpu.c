/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to do about run queues, and about limits on CPU time. */
#include "advice.h"
#include "analysis/machine_time.h"
#include "analysis/prose.h"
#include "base/array.h"
#include "base/format.h"
#include "graph/competitors.h"
#include "limit_total.h"

#define MOST_OF_IT   0.5 /* least part of the time in run queues that makes something its main
                            reason */
#define HOG_LEAST    0.25 /* least part of the time of all CPUs that a hog uses */

/* The advice for each limit that may hold a task back. */
static const struct {
	enum cost_kind cost;
	const char *limit, *mend;
} limits[] = {
	{COST_LIMIT, "a CPU limit", "raise it (cpu.max of the control group), or run less."},
	{COST_BUDGET, "an exhausted SCHED_DEADLINE budget",
	 "give it more runtime per period (chrt --deadline -T), or do less in each."},
	{COST_REAL_TIME, "the limit on real-time tasks",
	 "let them sleep now and then, give them a CPU of their own, or raise it "
	 "(/proc/sys/kernel/sched_rt_runtime_us; from 6.12 on the fair_server of debugfs)."},
};

/* The part of all reported time that is placed in run queues, and is of CPU limits by the kernel's
   count. */
static double unplaced_part(const struct summary *summary, const struct cost_list *list)
{
	return nsec_ratio(limit_total_unplaced(summary, list), list->total - list->apart);
}

static double limit_advise(const void *state, const struct summary *summary,
                           const struct cost_list *list, struct buffer *to)
{
	double part = 0, unplaced = unplaced_part(summary, list);
	size_t most = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		double one = cost_list_part(list, limits[i].cost, CAUSE_UNKNOWN);

		if (limits[i].cost == COST_LIMIT)
			one += unplaced;
		if (one <= part)
			continue;
		part = one;
		most = i;
	}
	if (part < ADVICE_LEAST)
		return 0;
	buffer_printf(to, "%s held %s back for %.0f %% of the time: %s", limits[most].limit,
	              summary->explanation->path_track == TRACK_NONE ? "tasks" : "it", 100 * part,
	              limits[most].mend);
	return part;
}

const struct advice limit_advice = {
	.view = "sched",
	.advise = limit_advise,
};

static bool track_is_real_time(const struct timeline *timeline, uint32_t track)
{
	int16_t priority = track_rank(&timeline->track[track], timeline->end).own;

	return priority != PRIORITY_UNKNOWN && priority < PRIORITY_FAIR_MIN &&
	       !track_is_kernel(timeline, track);
}

/* Advice if a task had the CPU for most of the time only because a lock lent it the priority: that
   is intended. */
static bool advise_borrower(const struct summary *summary, struct buffer *to)
{
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;
	uint32_t most = TRACK_NONE;

	for (uint32_t track = 0; had->loan && track < had->track_count; track++)
		if (had->loan[track].total &&
		    (most == TRACK_NONE || had->loan[track].total > had->loan[most].total))
			most = track;
	if (most == TRACK_NONE || nsec_ratio(had->loan[most].total, had->all) < MOST_OF_IT)
		return false;
	prose_lent_append(to, summary->question->timeline, most, &had->loan[most].rank);
	buffer_printf(to, " had the CPU for %.0f %% of the time in run queues by that priority, as "
	                  "intended: let it hold the lock for less time.",
	              100 * nsec_ratio(had->loan[most].total, had->all));
	return true;
}

/* The track of the real-time task that had the CPU for most of the time while the one task, or a
   task it waited for, was runnable; TRACK_NONE: no such task had most of it. */
static uint32_t find_hog_of_path(const struct summary *summary)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;
	uint32_t hog = TRACK_NONE;

	for (uint32_t track = 0; track < had->track_count; track++)
		if (track_is_real_time(timeline, track) &&
		    (hog == TRACK_NONE || had->by_track[track] > had->by_track[hog]))
			hog = track;
	return hog == TRACK_NONE || nsec_ratio(had->by_track[hog], had->all) < MOST_OF_IT
	               ? TRACK_NONE
	               : hog;
}

static bool advise_hog_of_path(const struct summary *summary, uint32_t hog, struct buffer *to)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;

	if (hog == TRACK_NONE)
		return false;
	prose_priority_append(to, timeline, hog);
	buffer_printf(to, " had the CPU for %.0f %% of the time in run queues: tasks of lower "
	                  "priority cannot run there meanwhile. Lower it (chrt), or put it on "
	                  "another CPU (taskset).",
	              100 * nsec_ratio(had->by_track[hog], had->all));
	return true;
}

/* Advice for several asked tasks: it is not known which task had the CPU while each of them was
   runnable, only how long each task ran in all. */
static bool advise_hog(const struct summary *summary, struct buffer *to)
{
	const struct question *question = summary->question;
	uint32_t hog = TRACK_NONE, machine, cpus;
	nsec_t all;

	for (uint32_t track = 0; track < summary->count; track++)
		if (track_is_real_time(question->timeline, track) &&
		    (hog == TRACK_NONE ||
		     summary->by_track[track].running > summary->by_track[hog].running))
			hog = track;
	if (hog == TRACK_NONE)
		return false;
	machine = question->timeline->track[hog].host;
	cpus = machine_cpus(question, machine);
	all = machine_time(question, machine) * cpus;
	if (nsec_ratio(summary->by_track[hog].running, all) < HOG_LEAST)
		return false;
	prose_priority_append(to, question->timeline, hog);
	buffer_printf(to, " used %.0f %% of the time of %u CPU%s: tasks of lower priority cannot "
	                  "run there meanwhile. Lower it (chrt), or put it on another CPU "
	                  "(taskset).",
	              100 * nsec_ratio(summary->by_track[hog].running, all), cpus,
	              format_plural(cpus));
	return true;
}

/* Advice if other CPUs were idle meanwhile. */
static bool advise_spare(const struct summary *summary, struct buffer *to)
{
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;

	if (nsec_ratio(had->spare, had->all) < MOST_OF_IT)
		return false;
	buffer_printf(to, "for %.0f %% of the time in run queues another CPU had nothing to do: "
	                  "see which CPUs the tasks may use (taskset -p PID, cpuset).",
	              100 * nsec_ratio(had->spare, had->all));
	return true;
}

/* Whether the CPU was idle during most of the time in run queues, as it had to wake up first: then
   fewer tasks would not help. */
static bool waits_for_idle_cpu(const struct summary *summary)
{
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;

	return nsec_ratio(had->idle, had->all) >= MOST_OF_IT;
}

static bool advise_many(const struct summary *summary, struct buffer *to)
{
	const struct hosts *hosts = &summary->question->timeline->hosts;
	uint32_t machine = 0, cpus;
	double wanted;

	do {
		cpus = machine_cpus(summary->question, machine);
		wanted = summary->is_streaming ? summary_tasks_wanting(summary, machine) : 0;
	} while (wanted <= cpus && ++machine < hosts->count);
	if (wanted <= cpus)
		return false;
	buffer_printf(to, "there were on average %.1f tasks for %u CPU%s", wanted, cpus,
	              format_plural(cpus));
	if (hosts->count)
		buffer_printf(to, " of %s", hosts->host[machine].name);
	buffer_puts(to, ": run fewer at a time, or take others off these CPUs (--sched names "
	                "them).");
	return true;
}

static double advice_cpu_advise(const void *state, const struct summary *summary,
                                const struct cost_list *list, struct buffer *to)
{
	bool is_path = summary->explanation->path_track != TRACK_NONE;
	double part = cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN) -
	              unplaced_part(summary, list);
	uint32_t hog = is_path ? find_hog_of_path(summary) : TRACK_NONE;
	bool has_advice;

	(void)state;
	/* a priority inversion is reported only once */
	if (part < ADVICE_LEAST ||
	    (hog != TRACK_NONE && inversions_blame(&summary->explanation->inversions, hog)))
		return 0;
	if (is_path)
		has_advice = advise_borrower(summary, to) || advise_hog_of_path(summary, hog, to) ||
		             advise_spare(summary, to) ||
		             (!waits_for_idle_cpu(summary) && advise_many(summary, to));
	else
		has_advice = (summary->is_streaming && advise_hog(summary, to)) ||
		             advise_many(summary, to);
	return has_advice ? part : 0;
}

const struct advice cpu_advice = {
	.view = "sched",
	.advise = advice_cpu_advise,
};
