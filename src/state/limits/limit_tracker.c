/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on CPU time: cgroup's cpu.max, real-time throttling, the budget of a deadline task. No
 * event records which task is under which limit. The tracker learns it, by the address of the
 * limit's timer, from how tasks are held back and released:
 *
 *	by proof, where the CPU of a task idled meanwhile (queue_tracker.c), and stopped idling when
 *	the timer expired; or where the stack shows that a limit took the task off its queue;
 *	where the CPU was busy, for a task whose limit is known, if the stack shows that it
 *	left its CPU in task work, of which a limit's is one kind;
 *	by the limits that the recorder noted (quota_tracker.c), where all of one was used up.
 *
 * Sources: kernel/sched/fair.c, throttle_cfs_rq(), distribute_cfs_runtime(), unthrottle_cfs_rq(),
 * and from 6.18 on throttle_cfs_rq_work(); kernel/sched/rt.c, deadline.c.
 */

#include "limits.h"

#include "base/assume.h"
#include "base/data/array.h"

/* The longest time from the timer's expiry to the end of idling: an interrupt is sent, a sleeping
   CPU wakes up. */
#define UNTHROTTLE_MAX 2000000u
#define EXPIRIES    64u
/* Timers that release tasks, and the class of those tasks; the first begins a group's period. */
enum { LIMIT_TIMER_GROUP };

static const struct {
	const char *function;
	enum cpu_limit of;
} limit_timers[] = {
	[LIMIT_TIMER_GROUP] = {"sched_cfs_period_timer", CPU_LIMIT_GROUP},
	{"sched_cfs_slack_timer", CPU_LIMIT_GROUP},
	{"sched_rt_period_timer", CPU_LIMIT_REAL_TIME},
	{"dl_task_timer", CPU_LIMIT_DEADLINE},
};

struct limits {
	uint32_t function[ARRAY_SIZE(limit_timers)]; /* ids in names */
	struct expiry expiry[EXPIRIES]; /* a ring */
	uint64_t expiry_count;
};

/* Per CPU: when a task under a limit left it last. */
struct limit_cpu {
	uint64_t limit; /* its timer; 0: no limit */
	nsec_t off;
};

OWN_DATA(limits_of, struct limits, LIMIT)

/* The n-th last expiry, from 1; NULL: no more are known. */
static const struct expiry *limits_expiry(const struct machine *machine, uint64_t n)
{
	const struct limits *limits = limits_of(machine);

	ASSUME(n > 0);
	return n <= EXPIRIES && n <= limits->expiry_count
	               ? &limits->expiry[(limits->expiry_count - n) % EXPIRIES]
	               : NULL;
}

void limits_prove(struct machine *machine, uint32_t track, uint64_t timer)
{
	ASSUME(timer && task_held_back(machine, track));
	task_held_back(machine, track)->limit = timer;
	quota_note_timer(machine, track, timer);
}

void limits_note_expiry(struct machine *machine, uint32_t function, uint64_t timer)
{
	struct limits *limits = limits_of(machine);
	const struct expiry *last;

	for (size_t i = 0; function && i < ARRAY_SIZE(limit_timers); i++) {
		uint64_t n = 1;

		if (limits->function[i] != function)
			continue;
		while ((last = limits_expiry(machine, n)) && last->timer != timer)
			n++;
		if (i == LIMIT_TIMER_GROUP)
			quota_note_period(machine, timer, last ? last->time : 0);
		limits->expiry[limits->expiry_count++ % EXPIRIES] =
			(struct expiry){machine->now, timer, function, limit_timers[i].of};
	}
}

void limits_note_ran(struct machine *machine, struct cpu *cpu, uint32_t track)
{
	const struct held_back *held = task_held_back(machine, track);
	struct limit_cpu *here = tracker_cpu(machine, cpu, TRACKER_LIMIT);

	ASSUME(machine->found.has_quota || held);
	if (machine->found.has_quota)
		quota_note_off(machine, cpu, track);
	if (!held || !held->limit)
		return;
	*here = (struct limit_cpu){held->limit, machine->now};
}

nsec_t limits_off(const struct machine *machine, const struct cpu *cpu, uint64_t limit)
{
	const struct limit_cpu *here = tracker_cpu(machine, cpu, TRACKER_LIMIT);

	ASSUME(here->off <= machine->now);
	return limit && timer_is_of(here->limit, limit) ? here->off : 0;
}

static enum fit expiry_fit(const struct expiry *expiry, const struct held_back *held,
                           const struct cpu_queue *queue)
{
	bool is_known = held->limit && timer_is_of(expiry->timer, held->limit);

	if (queue->idle_end == NSEC_NEVER || expiry->time < held->idle)
		return FIT_NOT;
	if (!is_known && held->is_queued_while_idle)
		return FIT_NOT;
	if (expiry->time > queue->idle_end)
		return is_known ? FIT_KNOWN_LATER : FIT_LATER;
	if (expiry->time < queue->idle_begin || queue->idle_end - expiry->time > UNTHROTTLE_MAX)
		return FIT_NOT;
	return is_known ? FIT_KNOWN_IDLE : FIT_IDLE;
}

/* Of equally good expiries this is the first after the task's CPU idled, or the last while it
   idled. */
enum fit limits_find(const struct machine *machine, uint32_t track, nsec_t t,
                     const struct expiry **ret)
{
	const struct cpu_queue *queue =
		cpu_queue(machine, machine->cpu[machine->task[track].queue_cpu]);
	const struct held_back *held = task_held_back(machine, track);
	enum cpu_limit of = track_cpu_limit(machine, track);
	const struct expiry *expiry;
	enum fit best = FIT_NOT;

	ASSUME(machine->task[track].kind == SEGMENT_RUNNABLE);
	for (uint64_t n = 1; (expiry = limits_expiry(machine, n)); n++) {
		enum fit fit = expiry_fit(expiry, held, queue);

		if (expiry->of != of || expiry->time > t || fit == FIT_NOT || fit < best)
			continue;
		if (fit == best && (fit == FIT_IDLE || fit == FIT_KNOWN_IDLE))
			continue;
		best = fit;
		*ret = expiry;
	}
	return best;
}

const struct expiry *limits_find_last(const struct machine *machine, enum cpu_limit of, nsec_t t)
{
	const struct expiry *expiry;

	for (uint64_t n = 1; (expiry = limits_expiry(machine, n)); n++)
		if (expiry->of == of && expiry->time <= t)
			return expiry;
	return NULL;
}

/*
 * Judges by the stack. Whatever held the task back can have released it only by a timer: this is
 * the first expiry while the task stood in the queue, that of its limit if known, else any; NULL:
 * there is none. *ret_is_only: no other limit's timer expired meanwhile.
 */
static const struct expiry *limits_find_by_stack(const struct machine *machine, uint32_t track,
                                                 nsec_t t, bool *ret_is_only)
{
	const struct held_back *held = task_held_back(machine, track);
	enum cpu_limit of = track_cpu_limit(machine, track);
	const struct expiry *expiry, *first = NULL;

	ASSUME(machine->task[track].queued_at <= t);
	if (!held || held->sign == THROTTLE_UNKNOWN ||
	    (held->sign == THROTTLE_LIKELY && held->limit == 0))
		return NULL;
	*ret_is_only = true;
	for (uint64_t n = 1; (expiry = limits_expiry(machine, n)); n++) {
		if (expiry->time <= machine->task[track].queued_at)
			break;
		if (expiry->of != of || expiry->time > t ||
		    (held->limit && !timer_is_of(expiry->timer, held->limit)))
			continue;
		if (first && !timer_is_of(expiry->timer, first->timer))
			*ret_is_only = false;
		first = expiry;
	}
	return first;
}

void limits_note_sign(struct machine *machine, uint32_t track, enum throttle_sign sign)
{
	struct held_back *held;

	ASSUME(machine_owns(machine, track));
	if (sign == THROTTLE_UNKNOWN || !machine->task[track].is_listed ||
	    track_cpu_limit(machine, track) != CPU_LIMIT_GROUP)
		return;
	held = tracker_keep_task(machine, TRACKER_QUEUE, track);
	held->sign = (uint8_t)sign;
}

bool limits_find_busy(struct machine *machine, uint32_t track, nsec_t t,
                      struct limit_stretch *ret)
{
	bool is_only = true;
	const struct expiry *end = limits_find_by_stack(machine, track, t, &is_only);

	ASSUME(machine->task[track].queued_at < t && !machine->task[track].is_listed);
	if (!end && !quota_find(machine, track, t, ret))
		return false;
	if (end && is_only)
		limits_prove(machine, track, end->timer);
	if (end)
		*ret = (struct limit_stretch){
			.begin = machine->task[track].queued_at,
			.end = end->time,
			.timer = end->timer,
		};
	throttled_init(&ret->cause, track_cpu_limit(machine, track),
	               end ? end->function : limits_of(machine)->function[LIMIT_TIMER_GROUP],
	               end ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM);
	return true;
}

static void limits_begin(struct machine *machine)
{
	struct limits *limits = limits_of(machine);

	for (size_t i = 0; i < ARRAY_SIZE(limit_timers); i++)
		limits->function[i] =
			intern_adds(&machine->timeline->names, limit_timers[i].function);
}

static void limits_forget(struct machine *machine)
{
	limits_of(machine)->expiry_count = 0;
}

const struct tracker limit_tracker = {
	.own_bytes = sizeof(struct limits),
	.cpu_bytes = sizeof(struct limit_cpu),
	.begin = limits_begin,
	.forget = limits_forget,
};
