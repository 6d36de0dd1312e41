/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder notes the limits of the control groups that its command, or the tasks of -p, were
 * in, and for how long cpu.stat says that they held tasks back. So a limit, and the time that it
 * allows in each period, are known before a period repeats; the time that those tasks ran is
 * compared to it. No more is attributed to limits than cpu.stat counts; it counts a CPU's time
 * once, however many tasks of the group stand there.
 */
#include "noted_quota.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/format.h"
#include "queue_state.h"

/* How much of the limit a CPU takes at once, and may leave unused
   (sched_cfs_bandwidth_slice_us). */
#define SLICE      5000000u
/* How far the clocks of cpu.stat and of the events may differ, in each period. */
#define CLOCK      1000000u
#define COUNTED_LEAST 10000000u
/* If all of a limit was used, at most 1 / EXACT of it may seem unused. */
#define EXACT      50u
/* The share of the counted time that may stay unattributed without a note in the health. */
#define MISSING    0.1

enum membership {
	MEMBER_UNKNOWN,
	MEMBER_YES,
	MEMBER_NO,
};

/* The longest chain of forks that is followed. */
#define DEPTH_MAX 64

struct quotas {
	nsec_t quota, period; /* of the limit that held tasks back most; 0: no limit held a task
	                         back */
	const char *path;
	bool has_none;   /* there are limits, and none held a task back */
	bool is_whole;   /* `counted` covers all the time */
	nsec_t counted;  /* by cpu.stat */
	nsec_t left;     /* the part of `counted` that is not attributed yet; NSEC_NEVER: not
	                    known */
	nsec_t attributed;
	uint64_t timer;  /* 0: not seen yet */
	bool is_vague;   /* another limit has the same period: which timer belongs to which is
	                    not known */
	nsec_t begin;    /* of its present period */
	nsec_t used;     /* used in that period */
	uint64_t cpus;   /* CPUs on which it was used: bits by the last 6 bits of their number */
	nsec_t since;    /* tasks in the group have been in it since then; 0: since the begin */
	bool is_mono;    /* the trace uses the clock of `since` */
	uint8_t *member; /* by track, enum membership; member_count of them */
	size_t member_count, member_capacity;
	nsec_t *cpu_until; /* by CPU, up to when its time was attributed; cpu_count of them */
	size_t cpu_count, cpu_capacity;
};

static struct quotas *quotas_of(const struct machine *machine)
{
	return machine->quotas;
}

nsec_t quota_used(const struct machine *machine)
{
	return quotas_of(machine)->used;
}

uint64_t quota_timer(const struct machine *machine)
{
	return quotas_of(machine)->is_vague ? 0 : quotas_of(machine)->timer;
}

/* Whether the track is a thread of a process that was seen in the group. */
static bool track_was_seen(const struct machine *machine, const struct track *track)
{
	const struct source *source = machine->setup.source;
	bool was_seen = source->command_pid &&
	                (track->is_command || track->tgid == source->command_pid);

	for (size_t i = 0; i < source->pid_count; i++)
		was_seen |= track->tid == source->pids[i] || track->tgid == source->pids[i];
	return was_seen;
}

/* Children are in the group that their parent was in when it forked them. */
static bool track_is_member(const struct machine *machine, uint32_t index)
{
	const struct quotas *quotas = quotas_of(machine);

	for (unsigned depth = 0; depth < DEPTH_MAX && index != TRACK_NONE; depth++) {
		const struct track *track = &machine->timeline->track[index];

		if (track_was_seen(machine, track))
			return true;
		if (track->born == NSEC_NEVER ||
		    (quotas->since && (!quotas->is_mono || track->born < quotas->since)))
			return false;
		index = track->parent;
	}
	return false;
}

bool quota_has_period(const struct machine *machine)
{
	return quotas_of(machine)->period != 0;
}

bool quota_is_of(const struct machine *machine, uint32_t track)
{
	struct quotas *quotas = quotas_of(machine);

	if ((quotas->period == 0 && !quotas->has_none) ||
	    !machine->timeline->track[track].is_target ||
	    track_cpu_limit(machine, track) != CPU_LIMIT_GROUP)
		return false;
	while (quotas->member_count <= track) {
		ARRAY_GROW(quotas->member, quotas->member_count, quotas->member_capacity);
		quotas->member[quotas->member_count++] = MEMBER_UNKNOWN;
	}
	if (quotas->member[track] == MEMBER_UNKNOWN)
		quotas->member[track] = track_is_member(machine, track) ? MEMBER_YES : MEMBER_NO;
	return quotas->member[track] == MEMBER_YES;
}

/* Whether the timer may be that of the limit: periods without any work are left out. */
static bool period_fits(nsec_t period, nsec_t passed)
{
	nsec_t rest = passed % period;

	return passed + period / 16 >= period && nsec_min(rest, period - rest) <= period / 16;
}

void quota_note_period(struct machine *machine, uint64_t timer, nsec_t before)
{
	struct quotas *quotas = quotas_of(machine);

	if (quotas->period == 0)
		return;
	if (quotas->timer && quotas->timer != timer) {
		quotas->is_vague |= before && period_fits(quotas->period, machine->now - before);
		return;
	}
	quotas->timer = before == 0 || period_fits(quotas->period, machine->now - before) ? timer
	                                                                                  : 0;
	quotas->begin = machine->now;
	quotas->used = 0;
	quotas->cpus = 0;
}

void quota_note_off(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	struct quotas *quotas = quotas_of(machine);
	nsec_t since = nsec_max(machine->task[track].since, quotas->begin);

	if (!quota_is_of(machine, track) || machine->task[track].kind != SEGMENT_RUN)
		return;
	quotas->used += machine->now > since ? machine->now - since : 0;
	quotas->cpus |= UINT64_C(1) << (cpu->number & 63);
}

enum quota_verdict quota_judge(const struct machine *machine, uint32_t track, uint64_t timer,
                               nsec_t used, nsec_t stay)
{
	const struct quotas *quotas = quotas_of(machine);
	nsec_t unused;

	/* `left` holds for any task: cpu.stat counts all that this limit does */
	if (quotas->is_vague && !quotas->has_none)
		return QUOTA_UNKNOWN;
	if (quotas->timer && timer == quotas->timer && quotas->left != NSEC_NEVER &&
	    stay > quotas->left)
		return QUOTA_NOT;
	if (!quota_is_of(machine, track))
		return QUOTA_UNKNOWN;
	if (quotas->has_none)
		return QUOTA_NOT;
	unused = nsec_min(quotas->quota / 2,
	                  (nsec_t)(__builtin_popcountll(quotas->cpus | 1) - 1) * SLICE);
	if (used + unused >= quotas->quota - quotas->quota / EXACT)
		return QUOTA_USED_UP;
	return quotas->left == NSEC_NEVER ? QUOTA_UNKNOWN : QUOTA_LIKELY;
}

void quota_note_held(struct machine *machine, uint64_t timer, uint32_t cpu, nsec_t begin,
                     nsec_t end)
{
	struct quotas *quotas = quotas_of(machine);
	nsec_t attributed;

	if (quotas->timer == 0 || timer != quotas->timer || quotas->is_vague)
		return;
	while (quotas->cpu_count <= cpu) {
		ARRAY_GROW(quotas->cpu_until, quotas->cpu_count, quotas->cpu_capacity);
		quotas->cpu_until[quotas->cpu_count++] = 0;
	}
	begin = nsec_max(begin, quotas->cpu_until[cpu]);
	if (begin >= end)
		return;
	quotas->cpu_until[cpu] = end;
	attributed = end - begin;
	quotas->attributed += attributed;
	if (quotas->left != NSEC_NEVER)
		quotas->left -= nsec_min(quotas->left, attributed);
}

struct quotas *quotas_new(const struct source *source)
{
	struct quotas *quotas = xcalloc(1, sizeof(*quotas));
	nsec_t most = 0;

	quotas->is_whole = true;
	quotas->is_mono = source->clock && strcmp(source->clock, "mono") == 0;
	quotas->since = source->cpu_limit_count ? source->cpu_limits[0].since : 0;
	quotas->has_none = source->cpu_limit_count > 0;
	for (size_t i = 0; i < source->cpu_limit_count; i++) {
		const struct source_cpu_limit *limit = &source->cpu_limits[i];

		quotas->has_none &= limit->is_whole && limit->throttled == 0 && limit->periods == 0;
		quotas->is_whole &= limit->is_whole;
		quotas->counted += limit->throttled;
		quotas->left += limit->throttled + limit->periods * CLOCK;
		if (limit->throttled <= most)
			continue;
		most = limit->throttled;
		quotas->quota = limit->quota;
		quotas->period = limit->period;
		quotas->path = limit->path;
		quotas->since = limit->since;
	}
	if (!quotas->is_whole || quotas->period == 0)
		quotas->left = NSEC_NEVER;
	return quotas;
}

struct quotas *quotas_free(struct quotas *quotas)
{
	if (!quotas)
		return NULL;
	free(quotas->cpu_until);
	free(quotas->member);
	free(quotas);
	return NULL;
}

/* Notes how much of the time that cpu.stat counts is attributed to no span. */
void quota_close(struct machine *machine)
{
	const struct quotas *quotas = quotas_of(machine);

	if (quotas->period == 0 || quotas->counted < COUNTED_LEAST ||
	    (double)quotas->attributed >= (double)quotas->counted * (1 - MISSING))
		return;
	health_note(machine->health,
	            "CPU limits held tasks back for %s, by cpu.stat of %s: %s of that could be "
	            "attributed; the rest counts as time in run queues, or is of other tasks there",
	            DURATION_TEXT(quotas->counted), quotas->path,
	            quotas->attributed ? DURATION_TEXT(quotas->attributed)
	                               : "nothing");
}
