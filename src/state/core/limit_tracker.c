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
 *	where the CPU was busy, for a task whose limit is known, if the tasks under that limit
 *	had used about as much of the period as in earlier ones: without a limit use varies;
 *	where the CPU was busy and only one limit is in use, from preemptions: if nearly all of
 *	many preemptions last beyond the end of a period, that is no coincidence. Kernels that
 *	cannot be preempted anywhere yield the CPU instead (RUNNABLE_YIELDED);
 *	where the CPU was busy and only one limit is in use, from several periods in a row: each
 *	time the task stood in the queue when the period ended, and for far longer than in any
 *	other stay of that period; there must be another one. The other tasks of the CPU have it
 *	for themselves just then.
 *
 * Sources: kernel/sched/fair.c, throttle_cfs_rq(), distribute_cfs_runtime(), unthrottle_cfs_rq(),
 * and from 6.18 on throttle_cfs_rq_work(); kernel/sched/rt.c, deadline.c.
 */
#include "limit_tracker.h"

#include "base/array.h"
#include "limit_past.h"
#include "noted_quota.h"
#include "queue_state.h"

/* The longest time from the timer's expiry to the end of idling: an interrupt is sent, a sleeping
   CPU wakes up. */
#define UNTHROTTLE_MAX 2000000u
/* Odds that a task is under a limit, against coincidence. Of the tasks without a limit at most one
   in ODDS_ENOUGH is misjudged at each of its preemptions. */
#define ODDS_ENOUGH 1e7
#define ODDS_MAX    (ODDS_ENOUGH * 10)
/* The share of preemptions of a task under a limit that have other reasons. */
#define ODDS_OTHERS 0.1
/* The most that one preemption may add. */
#define ODDS_STEP   8.0
/* At most one in ODDS_SIGN preemptions by other tasks shows a stack of task work. */
#define ODDS_SIGN   16.0
#define EXPIRIES    64u
#define LIMITS_MAX  1024u
/* How many periods must use the same amount before it is known how much a limit allows. */
#define ALIKE_MIN 2u

/* Timers that release tasks, and the class of those tasks. */
static const struct {
	const char *function;
	enum cpu_limit of;
	bool begins_period;
} limit_timers[] = {
	{"sched_cfs_period_timer", CPU_LIMIT_GROUP, true},
	{"sched_cfs_slack_timer", CPU_LIMIT_GROUP, false},
	{"sched_rt_period_timer", CPU_LIMIT_REAL_TIME, true},
	{"dl_task_timer", CPU_LIMIT_DEADLINE, true},
};

/* A limit that was proved for some task. */
struct limit {
	uint64_t timer;
	nsec_t period; /* begin of the present period */
	nsec_t used;   /* by the tasks known to be under it, in the present period, so far */
	nsec_t usual;  /* what they used in the last period */
	uint64_t alike; /* number of periods in a row in which they used about as much as in the
	                   period before */
};

struct limits {
	struct limit limit[LIMITS_MAX]; /* [0] is none */
	uint32_t count;
	uint32_t function[ARRAY_SIZE(limit_timers)]; /* ids in names */
	struct expiry expiry[EXPIRIES]; /* a ring */
	uint64_t expiry_count;
	struct past_lists past; /* see limit_past.c */
};

/* Per CPU: when a task under a limit left it last. */
struct limit_cpu {
	uint32_t limit; /* index in limits.limit; 0: no limit */
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
		if (timer_is_of(timer, limits->limit[limit].timer))
			return limit;
	return 0;
}

/* The proved limit that the timer belongs to, added if it is new. 0: there are too many limits. */
static uint32_t limits_learn(struct limits *limits, uint64_t timer)
{
	uint32_t limit = limits_known(limits, timer);

	if (limit || limits->count == LIMITS_MAX)
		return limit;
	limits->limit[limits->count] = (struct limit){.timer = timer};
	return limits->count++;
}

void limits_prove(struct machine *machine, uint32_t track, uint64_t timer)
{
	struct limits *limits = limits_of(machine);

	task_held_back(machine, track)->limit = limits_learn(limits, timer);
	past_lists_go_back(&limits->past, machine, track, timer);
}

nsec_t limits_used(const struct machine *machine, uint32_t limit)
{
	return limits_of(machine)->limit[limit].used;
}

static bool use_is_alike(nsec_t a, nsec_t b)
{
	return (a > b ? a - b : b - a) <= (a > b ? a : b) / 8;
}

static void limit_note_use(struct limit *limit, nsec_t used)
{
	limit->alike = use_is_alike(used, limit->usual) ? limit->alike + 1 : 0;
	limit->usual = used;
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
	struct limit *limit;

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
		limit = &limits->limit[limits_known(limits, timer)];
		if (limit_timers[i].begins_period) {
			limit_note_use(limit, limit->used);
			limit->period = machine->now;
			limit->used = 0;
		}
	}
}

void limits_note_ran(struct machine *machine, struct cpu *cpu, uint32_t track)
{
	const struct held_back *held = task_held_back(machine, track);
	struct limit_cpu *here = tracker_cpu(machine, cpu, TRACKER_LIMIT);
	struct limit *limit;
	nsec_t since;

	if (machine->has_quota)
		quota_note_off(machine, cpu, track);
	if (!held || !held->limit)
		return;
	limit = &limits_of(machine)->limit[held->limit];
	since = nsec_max(machine->task[track].since, limit->period);
	limit->used += machine->now > since ? machine->now - since : 0;
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
	bool is_known = held->limit && timer_is_of(expiry->timer, limits->limit[held->limit].timer);

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
 * The first end of a period while the task stood in the queue; NULL: no period ended, or more than
 * one limit is in use.
 */
static const struct expiry *limits_find_only(const struct machine *machine, uint32_t track,
                                             nsec_t t)
{
	const struct limits *limits = limits_of(machine);
	const struct task_state *task = &machine->task[track];
	const struct held_back *held = task_held_back(machine, track);
	nsec_t since = held ? nsec_min(held->regular_end, task->queued_at) : task->queued_at;
	enum cpu_limit of = track_cpu_limit(machine, track);
	const struct expiry *expiry, *first = NULL, *any = NULL;

	for (uint64_t n = 1; (expiry = limits_expiry(limits, n)); n++) {
		if (expiry->time <= since)
			break;
		if (expiry->of != of || expiry->time > t)
			continue;
		if (any && !timer_is_of(expiry->timer, any->timer))
			return NULL;
		any = expiry;
		if (expiry->time > task->queued_at && expiry->begins_period)
			first = expiry;
	}
	return first;
}

/*
 * Returns the end of the period if the task has been held back until the ends of so many periods in
 * a row that it is no coincidence; else NULL. *ret_fits: the end of the period if this stay may
 * belong to such a row, even as its first; else NULL.
 */
static const struct expiry *limits_find_regular(struct machine *machine, uint32_t track, nsec_t t,
                                                const struct expiry **ret_fits)
{
	nsec_t stay = t - machine->task[track].queued_at;
	const struct expiry *end =
		stay >= QUEUE_STAY_MIN ? limits_find_only(machine, track, t) : NULL;
	struct held_back *held = task_held_back(machine, track);

	*ret_fits = NULL;
	if (!end) {
		if (held)
			held->regular_else = nsec_max(held->regular_else, stay);
		return NULL;
	}
	if (!held)
		held = tracker_keep_task(machine, TRACKER_QUEUE, track);
	/* if all its stays are as long, some end with a period by chance */
	if (stay / 3 < held->regular_else)
		held->past_count = 0;
	else if (held->regular_else || held->regular_end == 0)
		*ret_fits = end;
	if (held->regular_timer != end->timer || stay / 3 < held->regular_else ||
	    end->before != held->regular_end || (held->regular_count && !held->regular_else))
		held->regular_count = 0;
	held->regular_timer = end->timer;
	held->regular_end = end->time;
	held->regular_else = 0;
	return ++held->regular_count >= REGULAR_MIN ? end : NULL;
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
		    (limit && !timer_is_of(expiry->timer, limits->limit[limit].timer)))
			continue;
		if (first && !timer_is_of(expiry->timer, first->timer))
			*ret_is_only = false;
		first = expiry;
	}
	return first;
}

/* The end of the period in which the task was queued, if its limit was used up by then. */
static const struct expiry *limits_find_used_up(const struct machine *machine, uint32_t track,
                                                nsec_t t)
{
	const struct held_back *held = task_held_back(machine, track);
	const struct limit *limit = held ? &limits_of(machine)->limit[held->limit] : NULL;
	bool is_only;

	if (!held || held->limit == 0 || limit->alike < ALIKE_MIN || held->used == 0 ||
	    !use_is_alike(held->used, limit->usual))
		return NULL;
	/* this task's limit preempts it, so a stay after it yielded has another reason */
	if (held->odds >= ODDS_ENOUGH && machine->task[track].detail != RUNNABLE_PREEMPTED)
		return NULL;
	return limits_find_first(machine, track, t, &is_only);
}

/* The likelihood ratio of the stay: the task is under a limit, which releases it only when a timer
   expires, against a timer that expires in the stay by chance. */
static double stay_odds(const struct expiry *end, nsec_t stay, enum throttle_sign sign)
{
	double odds;

	if (!end)
		return ODDS_OTHERS;
	if (!end->begins_period || end->before == 0 || stay >= end->time - end->before)
		return 1 - ODDS_OTHERS;
	odds = (double)(end->time - end->before) / (double)stay;
	return (1 - ODDS_OTHERS) * (odds < ODDS_STEP ? odds : ODDS_STEP) *
	       (sign == THROTTLE_LIKELY ? ODDS_SIGN : 1);
}

/* Whether the task was queued as long before the end of the period as the last time. Other tasks
   may come and go in the rhythm of the periods, so one more such stay proves nothing. */
static bool held_is_in_rhythm(struct held_back *held, const struct expiry *end, nsec_t queued_at)
{
	nsec_t until_end = end->time - queued_at;

	if (use_is_alike(until_end, held->until_end))
		return true;
	held->until_end = until_end;
	return false;
}

static const struct expiry *limits_find_likely(struct machine *machine, uint32_t track, nsec_t t)
{
	const struct task_state *task = &machine->task[track];
	struct held_back *held = task_held_back(machine, track);
	const struct expiry *end;
	bool is_only;

	if (task->detail != RUNNABLE_PREEMPTED)
		return NULL;
	end = limits_find_first(machine, track, t, &is_only);
	if (!is_only || (!end && !held))
		return NULL;
	if (!held)
		held = tracker_keep_task(machine, TRACKER_QUEUE, track);
	if (held->odds < 1)
		held->odds = 1;
	if (!end || !held_is_in_rhythm(held, end, task->queued_at))
		held->odds *= stay_odds(end, t - task->queued_at, (enum throttle_sign)held->sign);
	if (held->odds > ODDS_MAX)
		held->odds = ODDS_MAX;
	return held->odds >= ODDS_ENOUGH ? end : NULL;
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

/* The end of a period of the noted limit while the task stood in the queue. */
static const struct expiry *limits_find_noted(const struct machine *machine, uint32_t track,
                                              nsec_t t)
{
	const struct limits *limits = limits_of(machine);
	nsec_t queued_at = machine->task[track].queued_at;
	const struct expiry *expiry, *first = NULL;

	for (uint64_t n = 1; (expiry = limits_expiry(limits, n)); n++) {
		if (expiry->time <= queued_at)
			break;
		if (expiry->time <= t && expiry->begins_period &&
		    expiry->timer == quota_timer(machine))
			first = expiry;
	}
	return first;
}

/* Confirms, replaces or rejects the guess by the limits that the recorder noted. */
static const struct expiry *limits_heed_quota(const struct machine *machine, uint32_t track,
                                              nsec_t t, const struct expiry *guess,
                                              const struct expiry **fits)
{
	const struct held_back *held = task_held_back(machine, track);
	const struct expiry *noted = limits_find_noted(machine, track, t);
	const struct expiry *end = guess ? guess : noted;

	if (!held || !end)
		return guess;
	switch (quota_judge(machine, track, end->timer, held->quota_used,
	                    end->time - machine->task[track].queued_at)) {
	case QUOTA_UNKNOWN:
		return guess;
	case QUOTA_NOT:
		*fits = NULL;
		return NULL;
	case QUOTA_USED_UP:
		return end;
	case QUOTA_LIKELY:
		return guess ? guess : *fits == noted ? noted : NULL;
	}
	return guess;
}

/* Keeps the task's stay: the limit of that expiry may turn out to be its cause. */
static void limits_note_past(struct machine *machine, uint32_t track, const struct expiry *end)
{
	const struct task_state *task = &machine->task[track];
	const struct past_stay stay = {
		.begin = task->queued_at,
		.end = end->time,
		.timer = end->timer,
		.function = end->function,
		.number = machine->spans_ended,
		.cpu = task->queue_cpu,
	};

	past_lists_note(&limits_of(machine)->past, machine, track, &stay,
	                end->before ? end->time - end->before : NSEC_NEVER);
}

const struct expiry *limits_guess(struct machine *machine, uint32_t track, nsec_t t,
                                  enum confidence *ret_confidence)
{
	bool is_only = true;
	const struct expiry *fits;
	const struct expiry *regular = limits_find_regular(machine, track, t, &fits);
	const struct expiry *used_up = limits_find_used_up(machine, track, t);
	const struct expiry *by_stack = limits_find_by_stack(machine, track, t, &is_only);
	const struct expiry *likely = limits_find_likely(machine, track, t);
	const struct expiry *end = likely ? likely : used_up ? used_up : regular;

	*ret_confidence = by_stack ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	end = by_stack ? by_stack : limits_heed_quota(machine, track, t, end, &fits);
	if (end && is_only)
		limits_prove(machine, track, end->timer);
	else if (!end && fits && fits->of == CPU_LIMIT_GROUP)
		limits_note_past(machine, track, fits);
	return end;
}

static void limits_begin(struct machine *machine)
{
	struct limits *limits = limits_of(machine);

	limits->count = 1;
	past_lists_init(&limits->past);
	for (size_t i = 0; i < ARRAY_SIZE(limit_timers); i++)
		limits->function[i] =
			intern_adds(&machine->timeline->names, limit_timers[i].function);
}

static void limits_forget(struct machine *machine)
{
	limits_of(machine)->expiry_count = 0;
}

static void limits_end(struct machine *machine)
{
	past_lists_release(&limits_of(machine)->past);
}

const struct tracker limit_tracker = {
	.name = "limit",
	.own_bytes = sizeof(struct limits),
	.cpu_bytes = sizeof(struct limit_cpu),
	.begin = limits_begin,
	.forget = limits_forget,
	.end = limits_end,
};
