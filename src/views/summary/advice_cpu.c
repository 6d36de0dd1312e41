/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to do about run queues, and about limits on CPU time. */
#include "advice.h"

#include <string.h>

#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/machine_time.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/format.h"
#include "sentences/say.h"
#include "words/task_words.h"

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
static double unplaced_part(const struct advising *of)
{
	return nsec_ratio(cost_list_unplaced(of->list), of->reported);
}

double limit_advise(const struct advising *of, struct buffer *to)
{
	double part = 0, unplaced = unplaced_part(of);
	size_t most = 0;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		double one = cost_list_part(of->list, limits[i].cost, CAUSE_UNKNOWN) +
		             (limits[i].cost == COST_LIMIT ? unplaced : 0);

		if (one > part)
			most = i;
		part = one > part ? one : part;
	}
	if (part < PART_WORTH)
		return 0;
	say(to, NULL, "{text} held [{if}it|tasks] back for {share} of the time: {text}",
	    TEXT(limits[most].limit), IF(of->summary->explanation->path_track != TRACK_NONE),
	    SHARE(part), TEXT(limits[most].mend));
	return part;
}

/* The time in run queues that the advice is about, and who had the CPUs meanwhile. */
struct queued {
	const struct summary *summary;
	const struct timeline *timeline;
	const struct had_cpu *had; /* of the one path */
	/* of all asked tasks: */
	nsec_t all, given_away, nice; /* given_away: after tasks had given their CPU away; nice: of
	                                 tasks that are nicer than those that mostly ran */
	const struct times *yielder, *nicest; /* the tasks with most of both; NULL: there is none */
};

/* Whether that is the main reason for the one task's time in run queues. */
static bool is_most(const struct queued *queued, nsec_t time)
{
	return nsec_ratio(time, queued->had->all) >= PART_MOST;
}

static bool track_is_real_time(const struct timeline *timeline, uint32_t track)
{
	int16_t priority = track_rank(&timeline->track[track], timeline->end).own;

	return priority_is_real_time(priority) && !track_is_kernel(timeline, track);
}

#define LOWER_PRIORITY                                                                             \
	": tasks of lower priority cannot run there meanwhile. Lower it (chrt), or put it on "     \
	"another CPU (taskset)."

#define NOT_THE_NUMBER                                                                             \
	": its weight keeps it off the CPU, not the number of tasks. Make it less nice "           \
	"(renice), or give it a CPU of its own (taskset)."

/* The track of the real-time task that had the CPU for most of the time while the one task, or a
   task it waited for, was runnable; TRACK_NONE: no such task had most of it. */
static uint32_t find_hog_of_path(const struct queued *queued)
{
	const struct had_cpu *had = queued->had;
	const nsec_t *most =
		ORDER_MOST(it, had->by_track, had->track_count,
	                   track_is_real_time(queued->timeline, (uint32_t)(it - had->by_track)),
	                   *it);

	return most && is_most(queued, *most) ? (uint32_t)(most - had->by_track) : TRACK_NONE;
}

/* What kept the one task, or a task it waited for, off the CPU for most of its time in run queues:
   the first of these reasons. `hog`: find_hog_of_path(). */
static bool advise_path(const struct queued *queued, uint32_t hog, struct buffer *to)
{
	const struct explanation *explanation = queued->summary->explanation;
	const struct timeline *timeline = queued->timeline;
	const struct had_cpu *had = queued->had;
	uint32_t self = explanation->path_track, outranking = voter_task(&had->outranked),
		 heavier = voter_task(&had->heavier), cpu = voter_task(&had->interrupted_on);
	const struct competitor_loan *loan =
		ORDER_MOST(it, had->loan, had->loan ? had->track_count : 0, true, it->total);
	_cleanup_(buffer_release) struct buffer most = {0};

	if (loan && is_most(queued, loan->total)) {
		say(to, timeline,
		    "{lent} had the CPU for {share} of the time in run queues by that priority, as "
		    "intended: let it hold the lock for less time.",
		    LENT((uint32_t)(loan - had->loan), &loan->rank),
		    SHARE(nsec_ratio(loan->total, had->all)));
	} else if (hog != TRACK_NONE) {
		say(to, timeline,
		    "{ranked} had the CPU for {share} of the time in run queues" LOWER_PRIORITY,
		    RANKED(hog), SHARE(nsec_ratio(had->by_track[hog], had->all)));
	} else if (is_most(queued, had->outranked.all)) {
		say(to, timeline,
		    "{ranked} stood {time} behind [{ranked}|tasks of lower priority], which had "
		    "preemption or interrupts off, or ran in a kernel without preemption: see what "
		    "it does there (record -s --profile, --on-cpu).",
		    RANKED(self), TIME(had->outranked.all),
		    WHEN(outranking != TRACK_NONE, RANKED(outranking)));
	} else if (is_most(queued, had->interrupts)) {
		if (cpu != TRACK_NONE)
			interrupt_sums_append_most(&explanation->interrupt_sums, cpu, timeline,
			                           &most);
		say(to, NULL,
		    "interrupts had the CPU for {share} of the time in run queues[, mostly "
		    "{text}]: let other CPUs serve them (/proc/irq/N/smp_affinity), or keep the "
		    "task off that CPU (taskset).",
		    SHARE(nsec_ratio(had->interrupts, had->all)), TEXT(most.text));
	} else if (is_most(queued, explanation->path_sums.spare)) {
		say(to, NULL,
		    "for {share} of the time in run queues another CPU had nothing to do: see "
		    "which CPUs the tasks may use (taskset -p PID, cpuset).",
		    SHARE(nsec_ratio(explanation->path_sums.spare, had->all)));
	} else if (is_most(queued, had->heavier.all)) {
		say(to, timeline,
		    "{ranked} stood behind less nice tasks for {share} of the time in run "
		    "queues[, most of it behind {ranked}]" NOT_THE_NUMBER,
		    RANKED(self), SHARE(nsec_ratio(had->heavier.all, had->all)),
		    WHEN(heavier != TRACK_NONE, RANKED(heavier)));
	} else {
		return false;
	}
	return true;
}

/* The same for several asked tasks: it is not known which task had the CPU while each of them was
   runnable, only how long each task ran in all; in a window only that of asked tasks. */
static bool advise_tasks(const struct queued *queued, struct buffer *to)
{
	const struct question *question = queued->summary->question;
	const struct times *hog = ORDER_MOST(it, queued->summary->by_track, queued->summary->count,
	                                     track_is_real_time(queued->timeline, it->track),
	                                     it->running);
	uint32_t machine = hog ? queued->timeline->track[hog->track].host : 0;
	uint32_t cpus = machine_cpus(question, machine);
	double part = hog ? nsec_ratio(hog->running, machine_time(question, machine) * cpus) : 0;
	double nice = queued->nicest ? nsec_ratio(queued->nice, queued->all) : 0;

	if (!queued->summary->is_streaming)
		return false;
	if (part >= PART_HOG)
		say(to, queued->timeline,
		    "{ranked} used {share} of the time of {number} CPU{|s}" LOWER_PRIORITY,
		    RANKED(hog->track), SHARE(part), NUMBER(cpus));
	else if (queued->nicest && nice >= PART_MOST)
		say(to, queued->timeline,
		    "{share} of the time in run queues is that of tasks that are nicer than those "
		    "that ran, most of {ranked}" NOT_THE_NUMBER,
		    SHARE(nice), RANKED(queued->nicest->track));
	return part >= PART_HOG || nice >= PART_MOST;
}

static struct queued queued_of(const struct summary *summary)
{
	const struct timeline *timeline = summary->question->timeline;
	struct queued queued = {
		.summary = summary,
		.timeline = timeline,
		.had = &summary->explanation->path_sums.had_cpu,
	};
	struct voter priority = {0};
	uint32_t usual; /* of most of the time that ordinary tasks ran */

	EACH_OF(summary->by_track, summary->count, const struct times, times)
		if (timeline->track[times->track].priority >= PRIORITY_FAIR_MIN)
			voter_vote(&priority, (uint32_t)timeline->track[times->track].priority,
			           times->running);
	usual = voter_task(&priority);
	EACH_OF(summary->by_track, summary->count, const struct times, times) {
		const struct track *of = &timeline->track[times->track];

		if (!question_asks_track(summary->question, times->track))
			continue;
		queued.all += times->runnable;
		if (of->yields == YIELDS_CERTAIN) {
			queued.given_away += times->given_away;
			if (!queued.yielder || times->given_away > queued.yielder->given_away)
				queued.yielder = times;
		}
		if (usual == TRACK_NONE || of->priority <= (int16_t)usual)
			continue;
		queued.nice += times->runnable;
		if (!queued.nicest || times->runnable > queued.nicest->runnable)
			queued.nicest = times;
	}
	return queued;
}

/* Whether for most of the time in run queues nothing kept the task off the CPU but other tasks of
   its kind: only then fewer tasks would help. For several tasks, as far as it is known. */
static bool has_many(const struct queued *queued, bool is_path)
{
	const struct had_cpu *had = queued->had;
	nsec_t other = had->idle + had->interrupts + had->heavier.all + had->outranked.all +
	               queued->given_away;

	if (!is_path)
		return nsec_ratio(queued->given_away + queued->nice, queued->all) < PART_MOST;
	return other < had->all && nsec_ratio(had->all - other, had->all) >= PART_MOST;
}

/* Advice if the recorder found that the tasks it recorded have a small weight, which no event
   shows. */
static bool advise_noted_weight(const struct queued *queued, struct buffer *to)
{
	const struct question *question = queued->summary->question;
	const char *by = question->recording.cpu_weight_by;
	uint32_t weight = question->recording.cpu_weight;

	if (!by || weight > WEIGHT_SMALL || !question->resolved->is_targeted)
		return false;
	say(to, NULL,
	    "the recorded tasks have {text} of the usual weight, by [{if}their control group "
	    "]{foreign}: that keeps them off the CPU, not the number of tasks. Give them more "
	    "(cpu.weight, cpu.shares, chrt --other).",
	    TEXT(RATIO_TEXT(weight / 1000.0)), IF(strcmp(by, "SCHED_IDLE") != 0), FOREIGN(by));
	return true;
}

static bool advise_many(const struct summary *summary, struct buffer *to)
{
	const struct hosts *hosts = &summary->question->timeline->hosts;
	_cleanup_(buffer_release) struct buffer demand = {0};
	uint32_t machine = 0;
	bool are_too_many;

	do {
		const struct cpu_use use = summary_cpu_use(summary, machine);

		are_too_many = summary->is_streaming && cpu_use_demand(&use) > use.cpus;
	} while (!are_too_many && ++machine < hosts->count);
	if (!are_too_many)
		return false;
	summary_demand_append(summary, machine, &demand);
	say(to, NULL,
	    "there were {text}: run fewer at a time, or take others off these CPUs (--sched names "
	    "them).", TEXT(demand.text));
	return true;
}

double queue_advise(const struct advising *of, struct buffer *to)
{
	const struct explanation *explanation = of->summary->explanation;
	const struct queued queued = queued_of(of->summary);
	bool is_path = explanation->path_track != TRACK_NONE;
	double part = cost_list_part(of->list, COST_QUEUE, CAUSE_UNKNOWN) - unplaced_part(of);
	uint32_t hog = is_path ? find_hog_of_path(&queued) : TRACK_NONE;

	/* a priority inversion is reported only once */
	if (part < PART_WORTH ||
	    (hog != TRACK_NONE && inversions_blame(&explanation->inversions, hog)))
		return 0;
	return (is_path ? advise_path(&queued, hog, to) : advise_tasks(&queued, to)) ||
	                       advise_noted_weight(&queued, to) ||
	                       (has_many(&queued, is_path) && advise_many(of->summary, to))
	               ? part
	               : 0;
}

/* Advice on the task that most often gives its CPU away: it spins, or that is most of the time in
   run queues. */
double spin_advise(const struct advising *of, struct buffer *to)
{
	const struct queued queued = queued_of(of->summary);
	const struct times *times = queued.yielder;
	double part = cost_list_part(of->list, COST_QUEUE, CAUSE_UNKNOWN);
	/* a task that spins mostly runs, and gives its CPU away if another task wants it */
	bool is_spin = times && times->gave_away >= SPINS_LEAST &&
	               times->running / times->gave_away <= SPIN_RUN_MOST &&
	               nsec_ratio(times->running, of->reported) >= PART_MOST;

	if (!times || (!is_spin && (part < PART_WORTH ||
	                            nsec_ratio(queued.given_away, queued.all) < PART_MOST)))
		return 0;
	say(to, queued.timeline,
	    "{task} gave its CPU away at least {count} times (sched_yield), and [ran for {time} "
	    "meanwhile|stood in the run queue for {time} then]: let it sleep until it can go on (a "
	    "mutex, a futex), instead of polling.",
	    TASK(times->track), COUNT(times->gave_away), WHEN(is_spin, TIME(times->running)),
	    TIME(times->given_away));
	return is_spin ? nsec_ratio(times->running, of->reported) : part;
}
