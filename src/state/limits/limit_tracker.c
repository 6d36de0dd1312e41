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
 *	by the limits that the recorder noted (noted_quota.c), where all of one was used up.
 *
 * Sources: kernel/sched/fair.c, throttle_cfs_rq(), distribute_cfs_runtime(), unthrottle_cfs_rq(),
 * and from 6.18 on throttle_cfs_rq_work(); kernel/sched/rt.c, deadline.c.
 */
#include "state/core/limit_tracker.h"

#include "base/data/array.h"
#include "state/core/noted_quota.h"
#include "state/core/queue_state.h"

/* The longest time from the timer's expiry to the end of idling: an interrupt is sent, a sleeping
   CPU wakes up. */
#define UNTHROTTLE_MAX 2000000u
#define EXPIRIES    64u
#define LIMITS_MAX  1024u
/* Timers that release tasks, and the class of those tasks. */
enum { LIMIT_TIMER_GROUP };

static const struct {
	const char *function;
	enum cpu_limit of;
	bool begins_period;
} limit_timers[] = {
	[LIMIT_TIMER_GROUP] = {"sched_cfs_period_timer", CPU_LIMIT_GROUP, true},
	{"sched_cfs_slack_timer", CPU_LIMIT_GROUP, false},
	{"sched_rt_period_timer", CPU_LIMIT_REAL_TIME, true},
	{"dl_task_timer", CPU_LIMIT_DEADLINE, true},
};

struct limits {
	uint64_t timer[LIMITS_MAX]; /* of limits that were proved for some task; [0] is none */
	uint32_t count;
	uint32_t function[ARRAY_SIZE(limit_timers)]; /* ids in names */
	struct expiry expiry[EXPIRIES]; /* a ring */
	uint64_t expiry_count;
};

/* Per CPU: when a task under a limit left it last. */
struct limit_cpu {
	uint32_t limit; /* index in limits.timer; 0: no limit */
	nsec_t off;
};

static struct limits *limits_of(const struct machine *machine)
{
	return machine->own[TRACKER_LIMIT];
}

/* The n-th last expiry, from 1; NULL: no more are known. */
static const struct expiry *limits_expiry(const struct limits *limits, uint64_t n)
{
	return n <= EXPIRIES && n <= limits->expiry_count
	               ? &limits->expiry[(limits->expiry_count - n) % EXPIRIES]
	               : NULL;
}

/* The proved limit that the timer belongs to; 0: none. */
static uint32_t limits_known(const struct limits *limits, uint64_t timer)
{
	for (uint32_t limit = 1; limit < limits->count; limit++)
		if (timer_is_of(timer, limits->timer[limit]))
			return limit;
	return 0;
}

/* The proved limit that the timer belongs to, added if it is new. 0: there are too many limits. */
static uint32_t limits_learn(struct limits *limits, uint64_t timer)
{
	uint32_t limit = limits_known(limits, timer);

	if (limit || limits->count == LIMITS_MAX)
		return limit;
	limits->timer[limits->count] = timer;
	return limits->count++;
}

void limits_prove(struct machine *machine, uint32_t track, uint64_t timer)
{
	struct limits *limits = limits_of(machine);

	task_held_back(machine, track)->limit = limits_learn(limits, timer);
	quota_note_timer(machine, track, timer);
}

static void limits_add_expiry(struct limits *limits, struct expiry expiry)
{
	const struct expiry *before;

	for (uint64_t n = 1; (before = limits_expiry(limits, n)); n++) {
		if (before->timer != expiry.timer)
			continue;
		expiry.before = before->time;
		break;
	}
	limits->expiry[limits->expiry_count++ % EXPIRIES] = expiry;
}

void limits_note_expiry(struct machine *machine, uint32_t function, uint64_t timer)
{
	struct limits *limits = limits_of(machine);

	for (size_t i = 0; function && i < ARRAY_SIZE(limit_timers); i++) {
		if (limits->function[i] != function)
			continue;
		limits_add_expiry(limits, (struct expiry){
			.time = machine->now,
			.timer = timer,
			.function = function,
			.of = limit_timers[i].of,
			.begins_period = limit_timers[i].begins_period,
		});
		if (limit_timers[i].of == CPU_LIMIT_GROUP && limit_timers[i].begins_period)
			quota_note_period(machine, timer, limits_expiry(limits, 1)->before);
	}
}

void limits_note_ran(struct machine *machine, struct cpu *cpu, uint32_t track)
{
	const struct held_back *held = task_held_back(machine, track);
	struct limit_cpu *here = tracker_cpu(machine, cpu, TRACKER_LIMIT);

	if (machine->has_quota)
		quota_note_off(machine, cpu, track);
	if (!held || !held->limit)
		return;
	*here = (struct limit_cpu){held->limit, machine->now};
}

nsec_t limits_off(const struct machine *machine, const struct cpu *cpu, uint32_t limit)
{
	const struct limit_cpu *here = tracker_cpu(machine, cpu, TRACKER_LIMIT);

	return limit && here->limit == limit ? here->off : 0;
}

static enum fit expiry_fit(const struct limits *limits, const struct expiry *expiry,
                           const struct held_back *held, const struct cpu_queue *queue)
{
	bool is_known = held->limit && timer_is_of(expiry->timer, limits->timer[held->limit]);

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
	const struct limits *limits = limits_of(machine);
	const struct cpu_queue *queue =
		cpu_queue(machine, machine->cpu[machine->task[track].queue_cpu]);
	const struct held_back *held = task_held_back(machine, track);
	enum cpu_limit of = track_cpu_limit(machine, track);
	const struct expiry *expiry;
	enum fit best = FIT_NOT;

	for (uint64_t n = 1; (expiry = limits_expiry(limits, n)); n++) {
		enum fit fit = expiry_fit(limits, expiry, held, queue);

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
	const struct limits *limits = limits_of(machine);
	const struct expiry *expiry;

	for (uint64_t n = 1; (expiry = limits_expiry(limits, n)); n++)
		if (expiry->of == of && expiry->time <= t)
			return expiry;
	return NULL;
}

/*
 * The first expiry while the task stood in the queue: that of its limit if known, else any; NULL:
 * there is none. *ret_is_only: no other limit's timer expired meanwhile.
 */
static const struct expiry *limits_find_first(const struct machine *machine, uint32_t track,
                                              nsec_t t, bool *ret_is_only)
{
	const struct limits *limits = limits_of(machine);
	const struct task_state *task = &machine->task[track];
	const struct held_back *held = task_held_back(machine, track);
	uint32_t limit = held ? held->limit : 0;
	enum cpu_limit of = track_cpu_limit(machine, track);
	const struct expiry *expiry, *first = NULL;

	*ret_is_only = true;
	for (uint64_t n = 1; (expiry = limits_expiry(limits, n)); n++) {
		if (expiry->time <= task->queued_at)
			break;
		if (expiry->of != of || expiry->time > t ||
		    (limit && !timer_is_of(expiry->timer, limits->timer[limit])))
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

	if (!machine->task[track].is_listed ||
	    track_cpu_limit(machine, track) != CPU_LIMIT_GROUP)
		return;
	held = tracker_keep_task(machine, TRACKER_QUEUE, track);
	held->sign = (uint8_t)sign;
}

/* Judges by the stack. Whatever held the task back can have released it only by a timer. */
static const struct expiry *limits_find_by_stack(const struct machine *machine, uint32_t track,
                                                 nsec_t t, bool *ret_is_only)
{
	const struct held_back *held = task_held_back(machine, track);

	if (!held || held->sign == THROTTLE_UNKNOWN ||
	    (held->sign == THROTTLE_LIKELY && held->limit == 0))
		return NULL;
	return limits_find_first(machine, track, t, ret_is_only);
}

bool limits_find_busy(struct machine *machine, uint32_t track, nsec_t t,
                      struct limit_stretch *ret)
{
	bool is_only = true;
	const struct expiry *end = limits_find_by_stack(machine, track, t, &is_only);

	if (end) {
		if (is_only)
			limits_prove(machine, track, end->timer);
		*ret = (struct limit_stretch){
			.begin = machine->task[track].queued_at,
			.end = end->time,
			.timer = end->timer,
			.name = end->function,
			.confidence = CONFIDENCE_HIGH,
		};
		return true;
	}
	if (!quota_find(machine, track, t, ret))
		return false;
	ret->name = limits_of(machine)->function[LIMIT_TIMER_GROUP];
	ret->confidence = CONFIDENCE_MEDIUM;
	return true;
}

static void limits_begin(struct machine *machine)
{
	struct limits *limits = limits_of(machine);

	limits->count = 1;
	for (size_t i = 0; i < ARRAY_SIZE(limit_timers); i++)
		limits->function[i] =
			intern_adds(&machine->timeline->names, limit_timers[i].function);
}

static void limits_forget(struct machine *machine)
{
	limits_of(machine)->expiry_count = 0;
}

const struct tracker limit_tracker = {
	.name = "limit",
	.own_bytes = sizeof(struct limits),
	.cpu_bytes = sizeof(struct limit_cpu),
	.begin = limits_begin,
	.forget = limits_forget,
};
