/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder notes the limits of control groups, and for how long cpu.stat says that they held
 * tasks back. Each limit is followed as the kernel does it: what its tasks run for counts as used;
 * each expiry of its timer gives its quota back, and what was used beyond that stays as a debt. A
 * task that leaves its CPU when all is used up, and the others of its group there, are held back
 * until an expiry has paid the debt.
 *
 *	A   RUN |R        |RUN|R                |R
 *	used    quota + 2 2   quota + quota + 2 quota + 2 ...: an expiry does not pay all
 *	timer             ^                     ^
 *
 * Several limits may have the same period. Which timer is that of which limit shows when a task
 * that has waited for long gets a CPU right after an expiry, several times.
 *
 * No more is attributed to a limit than cpu.stat counts; it counts a CPU's time once, however many
 * tasks of the group stand there.
 */
#include "limits.h"

#include <string.h>

#include "base/assume.h"
#include "base/text/format.h"
#include "words/kernel/kernel_feature.h"

/* How much of the limit a CPU takes at once, and may leave unused
   (sched_cfs_bandwidth_slice_us). */
#define SLICE      5000000u
/* How far the clocks of cpu.stat and of the events may differ, in each period. */
#define CLOCK      1000000u
#define COUNTED_LEAST 10000000u
/* If all of a limit was used, at most 1 / EXACT of it may seem unused. */
#define EXACT      50u
/* So soon after an expiry a task that it has released gets a CPU, if it gets it at once; it has
   waited for at least 1 / STAY of the period. So many such times prove a timer, if at most
   1 / PROOF_OTHERS as many speak for other ones. */
#define PROMPT       500000u
#define STAY         8
#define PROOF_LEAST  3
#define PROOF_OTHERS 4
/* The most timers of one period that are compared. */
#define TIMERS_MAX   8
/* The share of the counted time that may stay unattributed without a note in the health. */
#define MISSING    0.1

/* Membership of a task: bits by index of the limit; 0: not known yet. */
#define MEMBER_KNOWN (UINT32_C(1) << SOURCE_CPU_LIMITS_MAX)

/* The longest chain of forks that is followed. */
#define DEPTH_MAX 64

/* A limit on one CPU. */
struct quota_cpu {
	nsec_t since;      /* its tasks are held back here since then; 0: they are not */
	nsec_t begin, end; /* when they were so last */
	nsec_t attributed; /* up to when this CPU's time was attributed */
};

/* A timer that may be that of a limit. */
struct quota_timer {
	uint64_t timer;  /* 0: none */
	nsec_t expired;  /* its last expiry */
	uint32_t prompt; /* how often a task of the limit got a CPU right after it */
};

struct quota {
	const struct source_cpu_limit *noted;
	struct quota_timer timers[TIMERS_MAX]; /* that have its period; while none is proved */
	nsec_t left;     /* the part of the counted time that is not attributed yet; NSEC_NEVER:
	                    not known */
	nsec_t attributed;
	uint64_t timer;  /* 0: not seen yet */
	bool is_vague;   /* another limit has the same period: which timer belongs to which is
	                    not known */
	bool is_proved;  /* the timer has released a task of this limit alone */
	nsec_t begin;    /* of its present period */
	nsec_t used;     /* in that period, and the debt of those before it */
	uint64_t cpus;   /* CPUs on which it was used: bits by the last 6 bits of their number */
};

struct quotas {
	struct quota quota[SOURCE_CPU_LIMITS_MAX]; /* those that have held tasks back */
	size_t count;
	uint32_t of_targets; /* bits of those that what was recorded was seen under */
	bool is_by_work;  /* a task that a limit holds back leaves its CPU itself, as if it were
	                     preempted */
	bool is_mono;     /* the trace uses the clock of `since` */
	struct map of_path; /* bits by index of the limit, by path of a group, an id in names */
};

/* For each limit of a mask. */
#define QUOTAS_EACH(quotas, of, each)                                                 \
	for (struct quota *each = (quotas)->quota;                                    \
	     each < (quotas)->quota + (quotas)->count; each++)                        \
		if ((of) & quota_bit(quotas, each))

static uint32_t quota_bit(const struct quotas *quotas, const struct quota *quota)
{
	ASSUME(quota >= quotas->quota && quota < quotas->quota + quotas->count);
	return UINT32_C(1) << (quota - quotas->quota);
}

OWN_DATA(quotas_of, struct quotas, QUOTA)
CPU_DATA(cpu_quotas, struct quota_cpu, QUOTA) /* by index of the limit */

static struct quota_cpu *quota_cpu(const struct machine *machine, const struct quota *quota,
                                   const struct cpu *cpu)
{
	return &cpu_quotas(machine, cpu)[quota - quotas_of(machine)->quota];
}

/* Whether the track is a thread of a process that was seen in the groups. Children are in the group
   that their parent was in when it forked them. */
static bool track_is_member(const struct machine *machine, uint32_t index, nsec_t since)
{
	const struct recording_notes *notes = &machine->setup.source->notes;

	for (unsigned depth = 0; depth < DEPTH_MAX && index != TRACK_NONE; depth++) {
		const struct track *track = &machine->timeline->track[index];

		if (notes->command.pid && (track->is_command || track->tgid == notes->command.pid))
			return true;
		for (size_t i = 0; i < notes->pids.count; i++)
			if (track->tid == notes->pids.item[i] || track->tgid == notes->pids.item[i])
				return true;
		if (track->born == NSEC_NEVER ||
		    (since && (!quotas_of(machine)->is_mono || track->born < since)))
			return false;
		index = track->parent;
	}
	return false;
}

/* Whether the folder is that of the group with that path, or of one that contains it: the folder is
   where the hierarchy is mounted, and the group's path or a first part of it. */
static bool folder_has(const char *folder, const char *path)
{
	size_t length = strlen(folder);

	for (size_t part = strlen(path); part > 1; part--)
		if ((path[part] == '/' || path[part] == '\0') && part <= length &&
		    memcmp(folder + length - part, path, part) == 0)
			return true;
	return false;
}

/* The limits of the groups that the task's process was seen in. */
static uint32_t quotas_of_seen(const struct machine *machine, uint32_t track)
{
	const struct quotas *quotas = quotas_of(machine);
	uint32_t seen = 0;

	for (size_t i = 0; i < quotas->count; i++) {
		const struct source_cpu_limit *noted = quotas->quota[i].noted;

		if (noted->is_seen && track_is_member(machine, track, noted->since))
			seen |= UINT32_C(1) << i;
	}
	return seen;
}

/* The limits of the group, and of those that contain it. */
static uint32_t quotas_of_path(const struct machine *machine, uint32_t path)
{
	struct quotas *quotas = quotas_of(machine);
	uint32_t of = map_get(&quotas->of_path, path);

	if (of != MAP_NONE)
		return of;
	of = 0;
	for (size_t i = 0; i < quotas->count; i++)
		if (folder_has(quotas->quota[i].noted->path,
		               intern_text(&machine->timeline->names, path)))
			of |= UINT32_C(1) << i;
	map_put(&quotas->of_path, path, of);
	return of;
}

/* The limits that the task is under. */
static uint32_t quotas_of_track(struct machine *machine, uint32_t track)
{
	const struct stay *stay;
	uint32_t *member;

	if (!machine->found.has_quota || track_cpu_limit(machine, track) != CPU_LIMIT_GROUP)
		return 0;
	member = tracker_keep_task(machine, TRACKER_QUOTA, track);
	if (*member == 0)
		*member = MEMBER_KNOWN | quotas_of_seen(machine, track);
	stay = timeline_group_at(machine->timeline, track, machine->now);
	return (*member & ~MEMBER_KNOWN) | (stay ? quotas_of_path(machine, stay->text) : 0);
}

bool quota_is_of(struct machine *machine, uint32_t track)
{
	uint32_t limits = quotas_of_track(machine, track);

	machine->timeline->track[track].is_limited |= limits != 0;
	if (machine->timeline->track[track].is_target)
		quotas_of(machine)->of_targets |= limits;
	return limits != 0;
}

/* Learns which timer is the limit's from the times at which it expires; true: it is this one. */
static bool quota_takes_timer(struct quota *quota, uint64_t timer, nsec_t before, nsec_t now)
{
	nsec_t period = quota->noted->period, rest = (now - before) % period;
	/* periods without any work are left out */
	bool fits = !quota->is_proved && before && now - before + period / 16 >= period &&
	            nsec_min(rest, period - rest) <= period / 16;
	size_t at = 0;

	ASSUME(before <= now && quota->noted->period > 0);
	while (fits && at < TIMERS_MAX && quota->timers[at].timer &&
	       quota->timers[at].timer != timer)
		at++;
	if (fits && at < TIMERS_MAX) {
		quota->timers[at].timer = timer;
		quota->timers[at].expired = now;
	}
	if (quota->is_proved || (quota->timer && quota->timer != timer)) {
		quota->is_vague |= fits;
		return quota->timer == timer;
	}
	quota->timer = before == 0 || fits ? timer : 0;
	return true;
}

void quota_note_timer(struct machine *machine, uint32_t track, uint64_t timer)
{
	struct quotas *quotas = quotas_of(machine);
	uint32_t of = quotas_of_track(machine, track);

	ASSUME(timer != 0);
	/* if it is under several limits, any of them has held it back */
	if (of & (of - 1))
		return;
	QUOTAS_EACH(quotas, of, quota) {
		quota->timer = timer;
		quota->is_proved = true;
		quota->is_vague = false;
	}
}

/* The task, which is one of the limit's, has run there up to now. */
static void quota_use(const struct machine *machine, struct quota *quota, const struct cpu *cpu,
                      uint32_t track)
{
	nsec_t since = nsec_max(machine->task[track].since, quota->begin);

	ASSUME(quota->begin <= machine->now);
	quota->used += machine->now > since ? machine->now - since : 0;
	quota->cpus |= UINT64_C(1) << (cpu->number & 63);
}

static bool quota_is_used_up(const struct quota *quota)
{
	nsec_t unused = nsec_min(quota->noted->quota / 2,
	                         (nsec_t)(__builtin_popcountll(quota->cpus | 1) - 1) * SLICE);

	return quota->used + unused >= quota->noted->quota - quota->noted->quota / EXACT;
}

/* The limit holds nothing back on that CPU from t on. */
static void quota_let_go(struct quota_cpu *here, nsec_t t)
{
	ASSUME(here->begin <= here->end);
	if (here->since && here->since < t) {
		here->begin = here->since;
		here->end = t;
	}
	here->since = 0;
}

static void quota_let_all_go(const struct machine *machine, const struct quota *quota, nsec_t t)
{
	MACHINE_CPU_EACH(machine, cpu)
		quota_let_go(quota_cpu(machine, quota, cpu), t);
}

/* The timer is the limit's: what was used is counted anew if it was taken for another one. */
static void quota_prove(const struct machine *machine, struct quota *quota,
                        const struct quota_timer *timer)
{
	ASSUME(timer->timer && timer->prompt >= PROOF_LEAST);
	quota->is_proved = true;
	quota->is_vague = false;
	if (quota->timer == timer->timer)
		return;
	quota->timer = timer->timer;
	quota->begin = timer->expired;
	quota->used = 0;
	quota->cpus = 0;
	quota_let_all_go(machine, quota, timer->expired);
}

/* The limit's task was queued, and then got a CPU: perhaps because a timer had released it. */
static void quota_note_start(const struct machine *machine, struct quota *quota, nsec_t queued,
                             nsec_t start)
{
	const struct quota_timer *best = &quota->timers[0];
	uint32_t all = 0;

	ASSUME(queued <= start);
	if (start - queued < quota->noted->period / STAY)
		return;
	for (size_t i = 0; i < TIMERS_MAX; i++) {
		struct quota_timer *timer = &quota->timers[i];

		if (timer->expired > queued && timer->expired <= start &&
		    start - timer->expired <= PROMPT)
			timer->prompt++;
		if (timer->prompt > best->prompt)
			best = timer;
		all += timer->prompt;
	}
	if (best->prompt >= PROOF_LEAST && (all - best->prompt) * PROOF_OTHERS <= best->prompt)
		quota_prove(machine, quota, best);
}

void quota_note_period(struct machine *machine, uint64_t timer, nsec_t before)
{
	struct quotas *quotas = quotas_of(machine);

	QUOTAS_EACH(quotas, UINT32_MAX, quota) {
		if (!quota_takes_timer(quota, timer, before, machine->now))
			continue;
		/* what runs goes on running in the next period */
		MACHINE_CPU_EACH(machine, cpu)
			if (cpu->current != TRACK_NONE && cpu->current != cpu->idle &&
			    quotas_of_track(machine, cpu->current) & quota_bit(quotas, quota))
				quota_use(machine, quota, cpu, cpu->current);
		quota->begin = machine->now;
		quota->used -= nsec_min(quota->used, quota->noted->quota);
		quota->cpus = 0;
		if (!quota_is_used_up(quota))
			quota_let_all_go(machine, quota, machine->now);
	}
}

void quota_note_off(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	const struct task_state *task = &machine->task[track];
	struct quotas *quotas = quotas_of(machine);
	uint32_t of;

	if (task->kind != SEGMENT_RUN)
		return;
	of = quotas_of_track(machine, track);
	QUOTAS_EACH(quotas, of, quota) {
		struct quota_cpu *here = quota_cpu(machine, quota, cpu);

		/* if it is under several limits, any of them has held it back */
		if (!quota->is_proved && !(of & (of - 1)) && task->queued_at < task->since)
			quota_note_start(machine, quota, task->queued_at, task->since);
		quota_use(machine, quota, cpu, track);
		/* it has run here: the last expiry has paid the debt after all */
		if (here->since < quota->begin)
			quota_let_go(here, quota->begin);
		if (here->since == 0 && quota_is_used_up(quota))
			here->since = machine->now;
	}
}

/* The part of [begin, end) that was not attributed on that CPU before. */
static nsec_t time_unattributed(const struct quota_cpu *here, nsec_t begin, nsec_t end)
{
	nsec_t from = nsec_max(begin, here->attributed);

	ASSUME(begin <= end);
	return end > from ? end - from : 0;
}

bool quota_find(struct machine *machine, uint32_t track, nsec_t t, struct limit_stretch *ret)
{
	struct quotas *quotas = quotas_of(machine);
	const struct task_state *task = &machine->task[track];

	ASSUME(task->kind == SEGMENT_RUNNABLE && task->queued_at <= t);
	*ret = (struct limit_stretch){0};
	QUOTAS_EACH(quotas, quotas_of_track(machine, track), quota) {
		struct quota_cpu here = *quota_cpu(machine, quota, machine->cpu[task->queue_cpu]);
		nsec_t begin, end;

		quota_let_go(&here, quota->begin);
		begin = nsec_max(here.begin, task->queued_at);
		end = nsec_min(here.end, t);
		/* from Linux 6.18 on the limit holds a task back only when that runs next, in a
		   task work, in which it is preempted */
		if (quota->timer == 0 || quota->is_vague || begin >= end ||
		    (quotas->is_by_work && (task->detail != RUNNABLE_PREEMPTED ||
		                            task->queued_at < here.begin)))
			continue;
		if (time_unattributed(&here, begin, end) <= quota->left &&
		    end - begin > ret->end - ret->begin)
			*ret = (struct limit_stretch){
				.begin = begin, .end = end, .timer = quota->timer};
	}
	return ret->end > 0;
}

void quota_note_held(struct machine *machine, uint64_t timer, uint32_t cpu, nsec_t begin,
                     nsec_t end)
{
	struct quotas *quotas = quotas_of(machine);

	ASSUME(begin <= end);
	QUOTAS_EACH(quotas, UINT32_MAX, quota) {
		struct quota_cpu *here = quota_cpu(machine, quota, machine->cpu[cpu]);
		nsec_t added = time_unattributed(here, begin, end);

		if (timer != quota->timer || quota->is_vague || added == 0)
			continue;
		here->attributed = end;
		quota->attributed += added;
		if (quota->left != NSEC_NEVER)
			quota->left -= nsec_min(quota->left, added);
	}
}

static void quotas_begin(struct machine *machine)
{
	const struct source *source = machine->setup.source;
	struct quotas *quotas = quotas_of(machine);

	quotas->is_by_work = kernel_release_has(source->kernel, FEATURE_LIMIT_BY_WORK);
	quotas->is_mono = source->clock && strcmp(source->clock, "mono") == 0;
	for (size_t i = 0; i < source->notes.cpu_limits.count; i++) {
		const struct source_cpu_limit *limit = &source->notes.cpu_limits.item[i];

		if (limit->throttled)
			quotas->quota[quotas->count++] = (struct quota){
				.noted = limit,
				.left = limit->is_whole ? limit->throttled + limit->periods * CLOCK
			                                : NSEC_NEVER,
			};
	}
	machine->found.has_quota = quotas->count > 0;
}

/* Notes how much of the time that cpu.stat counts is attributed to no span. */
static void quotas_close(struct machine *machine, nsec_t end)
{
	struct quotas *quotas = quotas_of(machine);

	(void)end;
	QUOTAS_EACH(quotas, UINT32_MAX, quota) {
		nsec_t counted = quota->noted->throttled;

		if (!quotas->of_targets || quotas->of_targets & quota_bit(quotas, quota)) {
			machine->health->limits_counted_ns += counted;
			machine->health->limits_placed_ns += nsec_min(quota->attributed, counted);
		}
		if (counted < COUNTED_LEAST ||
		    (double)quota->attributed >= (double)counted * (1 - MISSING))
			continue;
		health_note(machine->health,
		            "CPU limits held tasks back for %s, by cpu.stat of %s: %s of that "
		            "could be attributed; the rest counts as time in run queues, or is of "
		            "other tasks there", DURATION_TEXT(counted), quota->noted->path,
		            quota->attributed ? DURATION_TEXT(quota->attributed) : "nothing");
	}
}

const struct tracker quota_tracker = {
	.own_bytes = sizeof(struct quotas),
	.stores = STORES(MAP_AT(offsetof(struct quotas, of_path))),
	.keeps_stores = true,
	.task_bytes = sizeof(uint32_t),
	.begin = quotas_begin,
	.cpu_bytes = sizeof(struct quota_cpu[SOURCE_CPU_LIMITS_MAX]),
	.close = quotas_close,
};
