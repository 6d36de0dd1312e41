/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to do about run queues, and about limits on CPU time. */
#include "advice.h"

#include <string.h>

#include "analysis/machine_time.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "graph/walk/competitors.h"
#include "limit_total.h"

#define MOST_OF_IT   0.5 /* least part of the time in run queues that makes something its main
                            reason */
#define WEIGHT_SMALL 500 /* most, of the usual 1000, that is a reason for time in run queues */
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

/* Advice if a task of lower priority had the CPU of a real-time task: it is not preempted. */
static bool advise_outranked(const struct summary *summary, struct buffer *to)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;
	uint32_t runner = voter_task(&had->outranked);

	if (nsec_ratio(had->outranked.all, had->all) < MOST_OF_IT)
		return false;
	prose_priority_append(to, timeline, summary->explanation->path_track);
	buffer_printf(to, " stood %s behind ", DURATION_TEXT(had->outranked.all));
	if (runner == TRACK_NONE)
		buffer_puts(to, "tasks of lower priority");
	else
		prose_priority_append(to, timeline, runner);
	buffer_puts(to, ", which had preemption or interrupts off, or ran in a kernel without "
	                "preemption: see what it does there (record -s --profile, --on-cpu).");
	return true;
}

/* Advice if interrupts had the CPU for most of the time. */
static bool advise_interrupts(const struct summary *summary, struct buffer *to)
{
	const struct explanation *explanation = summary->explanation;
	const struct had_cpu *had = &explanation->path_sums.had_cpu;
	uint32_t cpu = voter_task(&had->interrupted_on);
	size_t before;

	if (nsec_ratio(had->interrupts, had->all) < MOST_OF_IT)
		return false;
	buffer_printf(to, "interrupts had the CPU for %.0f %% of the time in run queues",
	              100 * nsec_ratio(had->interrupts, had->all));
	before = to->length;
	buffer_puts(to, ", mostly ");
	if (cpu == TRACK_NONE || !interrupt_sums_append_most(&explanation->interrupt_sums, cpu,
	                                                     summary->question->timeline, to))
		buffer_truncate(to, before);
	buffer_puts(to, ": let other CPUs serve them (/proc/irq/N/smp_affinity), or keep the task "
	                "off that CPU (taskset).");
	return true;
}

/* The priority of most of the time that ordinary tasks ran; PRIORITY_UNKNOWN: none has most. */
static int16_t usual_priority(const struct summary *summary)
{
	const struct timeline *timeline = summary->question->timeline;
	struct voter priority = {0};
	uint32_t most;

	for (uint32_t track = 0; track < summary->count; track++)
		if (timeline->track[track].priority >= PRIORITY_FAIR_MIN)
			voter_vote(&priority, (uint32_t)timeline->track[track].priority,
			           summary->by_track[track].running);
	most = voter_task(&priority);
	return most == TRACK_NONE ? PRIORITY_UNKNOWN : (int16_t)most;
}

/* What of the time in run queues of the asked tasks fewer tasks would not shorten. */
struct queue_times {
	nsec_t all, given_away, nice; /* given_away: after tasks had given their CPU away; nice: of
	                                 tasks that are nicer than those that mostly ran */
	uint32_t yielder, nicest; /* the tasks with most of both; TRACK_NONE: there is none */
};

static struct queue_times queue_times_of(const struct summary *summary)
{
	const struct timeline *timeline = summary->question->timeline;
	struct queue_times sum = {.yielder = TRACK_NONE, .nicest = TRACK_NONE};
	int16_t usual = usual_priority(summary);

	for (uint32_t track = 0; track < summary->count; track++) {
		const struct times *times = &summary->by_track[track], *by = summary->by_track;
		int16_t priority = timeline->track[track].priority;

		if (!question_asks_track(summary->question, track))
			continue;
		sum.all += times->runnable;
		if (timeline->track[track].yields == YIELDS_CERTAIN) {
			sum.given_away += times->given_away;
			if (sum.yielder == TRACK_NONE ||
			    times->given_away > by[sum.yielder].given_away)
				sum.yielder = track;
		}
		if (usual == PRIORITY_UNKNOWN || priority <= usual)
			continue;
		sum.nice += times->runnable;
		if (sum.nicest == TRACK_NONE || times->runnable > by[sum.nicest].runnable)
			sum.nicest = track;
	}
	return sum;
}

#define NOT_THE_NUMBER                                                                        \
	": its weight keeps it off the CPU, not the number of tasks. Make it less nice "       \
	"(renice), or give it a CPU of its own (taskset)."

/* The same if most of it is that of nice tasks; which ones had the CPU meanwhile is not known. */
static bool advise_nice(const struct summary *summary, const struct queue_times *queue,
                        struct buffer *to)
{
	if (queue->nicest == TRACK_NONE || nsec_ratio(queue->nice, queue->all) < MOST_OF_IT)
		return false;
	buffer_printf(to, "%.0f %% of the time in run queues is that of tasks that are nicer than "
	              "those that ran, most of ", 100 * nsec_ratio(queue->nice, queue->all));
	prose_priority_append(to, summary->question->timeline, queue->nicest);
	buffer_puts(to, NOT_THE_NUMBER);
	return true;
}

/* Advice if the task's weight is less than that of the tasks that had the CPU. */
static bool advise_weight(const struct summary *summary, struct buffer *to)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;
	uint32_t runner = voter_task(&had->heavier);

	if (nsec_ratio(had->heavier.all, had->all) < MOST_OF_IT)
		return false;
	prose_priority_append(to, timeline, summary->explanation->path_track);
	buffer_printf(to, " stood behind less nice tasks for %.0f %% of the time in run queues",
	              100 * nsec_ratio(had->heavier.all, had->all));
	if (runner != TRACK_NONE) {
		buffer_puts(to, ", most of it behind ");
		prose_priority_append(to, timeline, runner);
	}
	buffer_puts(to, NOT_THE_NUMBER);
	return true;
}

/* Whether for most of the time in run queues nothing kept the task off the CPU but other tasks of
   its kind: only then fewer tasks would help. */
static bool path_has_many(const struct summary *summary, const struct queue_times *queue)
{
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;
	nsec_t other = had->idle + had->interrupts + had->heavier.all + had->outranked.all +
	               queue->given_away;

	return other < had->all && nsec_ratio(had->all - other, had->all) >= MOST_OF_IT;
}

/* The same for several tasks, as far as it is known. */
static bool queue_has_many(const struct queue_times *queue)
{
	return nsec_ratio(queue->given_away + queue->nice, queue->all) < MOST_OF_IT;
}

/* Advice if the recorder found that the tasks it recorded have a small weight, which no event
   shows. */
static bool advise_noted_weight(const struct summary *summary, struct buffer *to)
{
	const char *by = summary->question->recording.cpu_weight_by;
	uint32_t weight = summary->question->recording.cpu_weight;

	if (!by || weight > WEIGHT_SMALL || !summary->question->resolved->is_targeted)
		return false;
	buffer_printf(to, "the recorded tasks have %s of the usual weight, by %s",
	              RATIO_TEXT(weight / 1000.0),
	              strcmp(by, "SCHED_IDLE") == 0 ? "" : "their control group ");
	buffer_puts_clean(to, by, strlen(by));
	buffer_puts(to, ": that keeps them off the CPU, not the number of tasks. Give them more "
	                "(cpu.weight, cpu.shares, chrt --other).");
	return true;
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

/* Advice for one task. */
static bool advise_path(const struct summary *summary, const struct queue_times *queue,
                        uint32_t hog, struct buffer *to)
{
	return advise_borrower(summary, to) || advise_hog_of_path(summary, hog, to) ||
	       advise_outranked(summary, to) || advise_interrupts(summary, to) ||
	       advise_spare(summary, to) ||
	       advise_weight(summary, to) || advise_noted_weight(summary, to) ||
	       (path_has_many(summary, queue) && advise_many(summary, to));
}

/* Advice for several tasks. In a window the times of tasks that are not asked for are not known. */
static bool advise_all(const struct summary *summary, const struct queue_times *queue,
                       struct buffer *to)
{
	return (summary->is_streaming && advise_hog(summary, to)) ||
	       (summary->is_streaming && advise_nice(summary, queue, to)) ||
	       advise_noted_weight(summary, to) ||
	       (queue_has_many(queue) && advise_many(summary, to));
}

static double advice_cpu_advise(const void *state, const struct summary *summary,
                                const struct cost_list *list, struct buffer *to)
{
	bool is_path = summary->explanation->path_track != TRACK_NONE;
	double part = cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN) -
	              unplaced_part(summary, list);
	uint32_t hog = is_path ? find_hog_of_path(summary) : TRACK_NONE;
	struct queue_times queue;

	(void)state;
	/* a priority inversion is reported only once */
	if (part < ADVICE_LEAST ||
	    (hog != TRACK_NONE && inversions_blame(&summary->explanation->inversions, hog)))
		return 0;
	queue = queue_times_of(summary);
	return (is_path ? advise_path(summary, &queue, hog, to) : advise_all(summary, &queue, to))
	               ? part
	               : 0;
}

/* A task that spins until something happens gives its CPU away this often, if another task wants
   it. */
#define SPIN_RUN_MOST 20000000u /* ns of running for each time */
#define SPINS_LEAST   20

/* Whether the task mostly ran, and gave its CPU away all the time. */
static bool times_are_of_spin(const struct times *times, nsec_t reported)
{
	return times->gave_away >= SPINS_LEAST &&
	       times->running / times->gave_away <= SPIN_RUN_MOST &&
	       nsec_ratio(times->running, reported) >= MOST_OF_IT;
}

/* Advice on the task that most often gives its CPU away: it spins, or that is most of the time in
   run queues. */
static double spin_advise(const void *state, const struct summary *summary,
                          const struct cost_list *list, struct buffer *to)
{
	struct queue_times queue = queue_times_of(summary);
	double queued = cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN);
	nsec_t reported = list->total - list->apart;
	const struct times *times;
	bool is_spin;

	(void)state;
	if (queue.yielder == TRACK_NONE)
		return 0;
	times = &summary->by_track[queue.yielder];
	is_spin = times_are_of_spin(times, reported);
	if (!is_spin && (queued < ADVICE_LEAST ||
	                 nsec_ratio(queue.given_away, queue.all) < MOST_OF_IT))
		return 0;
	prose_task_append(to, summary->question->timeline, queue.yielder);
	buffer_printf(to, " gave its CPU away at least %s times (sched_yield), and ",
	              COUNT_TEXT(times->gave_away));
	if (is_spin)
		buffer_printf(to, "ran for %s meanwhile", DURATION_TEXT(times->running));
	else
		buffer_printf(to, "stood in the run queue for %s then",
		              DURATION_TEXT(times->given_away));
	buffer_puts(to, ": let it sleep until it can go on (a mutex, a futex), instead of "
	                "polling.");
	return is_spin ? nsec_ratio(times->running, reported) : queued;
}

const struct advice spin_advice = {
	.view = "sched",
	.advise = spin_advise,
};

const struct advice cpu_advice = {
	.view = "sched",
	.advise = advice_cpu_advise,
};
