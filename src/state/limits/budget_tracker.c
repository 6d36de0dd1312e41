/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What keeps tasks of the higher classes from running although no task of their class, or of a
 * higher one, runs. Events show this for certain.
 *
 *	A deadline task has used up its budget: it still has the CPU, arms
 *	the timer that gives it the next one, and leaves the CPU. Until that timer expires the
 *	task does not run, wherever it is migrated and whether the CPU idles or not.
 *
 *	hrtimer_start dl_task_timer    expires
 *	A   RUN |R---------------------|       RUN       throttled up to there
 *
 *	A real-time task loses its CPU to a fair one, which the scheduler never does by itself:
 *	real-time throttling, or from 6.12 on the fair server, has given the CPU away. The fair
 *	server is a deadline entity without a task; its timer has the same function as those of
 *	deadline tasks, and may be armed while any task runs. The fair task keeps the CPU until
 *	something of a higher class runs there again.
 *
 * Sources: kernel/sched/deadline.c, start_dl_timer(), dl_task_timer(), dl_server_start();
 * kernel/sched/rt.c, sched_rt_runtime_exceeded().
 */

#include "limits.h"

#include "base/assume.h"

/* The longest time from the arming to the switch, in which an interrupt returns. */
#define ARMED_MAX  1000000u
/* The longest time between a timer's expiry and the switch, in either order. */
#define SWITCH_MAX 2000000u
/* In timers.owner: the timer of a server, not of a task. */
#define SERVER     (TRACK_NONE - 1)

/* Budget of one task. */
struct budget {
	uint64_t timer; /* its own */
	nsec_t armed;   /* when it last used up its budget and left its CPU; 0: never, or the
	                   task has run since */
	nsec_t expired; /* when that timer expired; 0: not yet */
	bool is_learned; /* its expiry has released the task */
};

struct budgets {
	struct map owner; /* track by address, or SERVER */
	uint32_t deadline_name, server_name;
};

OWN_DATA(budgets_of, struct budgets, BUDGET)
TASK_DATA(task_budget, struct budget, BUDGET)

/* The budget of the task that owns the timer; NULL: no task is known to own it. */
static struct budget *timer_budget(const struct machine *machine, uint64_t timer)
{
	uint32_t track = map_get(&budgets_of(machine)->owner, timer);
	struct budget *budget;

	if (track == MAP_NONE || track == SERVER)
		return NULL;
	ASSUME(machine_owns(machine, track));
	budget = task_budget(machine, track);
	return budget && budget->timer == timer ? budget : NULL;
}

void budget_note_armed(struct machine *machine, const struct cpu *cpu, uint32_t function,
                       uint64_t timer)
{
	struct cpu_budget *here = cpu_budget(machine, cpu);

	ASSUME(here->armed_count <= BUDGET_ARMED_MAX);
	if (!function || function != budgets_of(machine)->deadline_name)
		return;
	if (here->armed_count == BUDGET_ARMED_MAX)
		here->armed_count--;
	here->armed[here->armed_count++] = (struct armed_budget){timer, machine->now};
	here->is_busy = true;
}

bool budget_note_expiry(struct machine *machine, const struct cpu *cpu, uint32_t function,
                        uint64_t timer)
{
	struct budget *budget;

	if (!function || function != budgets_of(machine)->deadline_name)
		return false;
	budget = timer_budget(machine, timer);
	if (!budget) {
		cpu_budget(machine, cpu)->server = machine->now;
		return map_get(&budgets_of(machine)->owner, timer) == SERVER;
	}
	if (budget->armed && !budget->expired) {
		budget->expired = machine->now;
		budget->is_learned = true;
	}
	return false;
}

/*
 * Several timers may be armed while a deadline task runs. Its own timer is the last one armed just
 * before it gave way to a lower class, or any that is already known to be its own: waking a fair
 * task arms the timer of a server.
 */
static void budget_take_armed(struct machine *machine, const struct cpu_budget *here,
                              uint32_t track, bool has_given_way)
{
	struct map *owner = &budgets_of(machine)->owner;
	const struct armed_budget *own = NULL;
	struct budget *budget;

	for (uint32_t i = 0; i < here->armed_count; i++) {
		if (map_get(owner, here->armed[i].timer) == track ||
		    (has_given_way && machine->now - here->armed[i].time <= ARMED_MAX))
			own = &here->armed[i];
	}
	if (!own)
		return;
	ASSUME(own->time <= machine->now);
	budget = tracker_keep_task(machine, TRACKER_BUDGET, track);
	budget->is_learned &= budget->timer == own->timer;
	budget->timer = own->timer;
	budget->armed = own->time;
	budget->expired = 0;
	/* timers of tasks that have ended are in it, too */
	if (owner->count >= OBJECTS_MAX)
		map_clear(owner);
	map_put(owner, own->timer, track);
}

/* A task of a higher class leaves its CPU to a fair one. */
static void cpu_give(struct machine *machine, struct cpu_budget *here, uint32_t prev,
                     int16_t priority)
{
	const struct task_state *task = &machine->task[prev];

	ASSUME(here->given_begin <= machine->now);
	if (task->kind != SEGMENT_RUNNABLE || task->role == KERNEL_THREAD_STOPPER ||
	    (task->detail != RUNNABLE_PREEMPTED && task->detail != RUNNABLE_YIELDED))
		return;
	(void)tracker_keep_task(machine, TRACKER_BUDGET, prev);
	here->given_begin = machine->now;
	here->given_end = NSEC_NEVER;
	here->given_name = 0;
	if (priority == PRIORITY_DEADLINE)
		here->given_name = budgets_of(machine)->deadline_name;
	else if (here->server && machine->now - here->server <= SWITCH_MAX)
		here->given_name = budgets_of(machine)->server_name;
}

/* Assigns the timers that were armed in the run that ends at the switch to their owners. */
static void cpu_settle_armed(struct machine *machine, struct cpu_budget *here, uint32_t prev,
                             const struct sched_switch_event *event, bool is_to_stopper)
{
	struct budget *budget = prev == TRACK_NONE ? NULL : task_budget(machine, prev);

	ASSUME(here->armed_count <= BUDGET_ARMED_MAX);
	if (budget)
		budget->armed = 0;
	if (prev != TRACK_NONE && event->prev_priority == PRIORITY_DEADLINE) {
		budget_take_armed(machine, here, prev,
		                  event->next_priority > PRIORITY_DEADLINE && !is_to_stopper);
		here->armed_count = 0;
	}
	/* what is armed while a task of another class runs belongs to a server, or to a task that
	   does not run */
	while (here->armed_count > 0) {
		uint64_t timer = here->armed[--here->armed_count].timer;

		if (!timer_budget(machine, timer))
			map_put(&budgets_of(machine)->owner, timer, SERVER);
	}
}

void budget_follow_switch(struct machine *machine, struct cpu *cpu, uint32_t prev,
                          const struct sched_switch_event *event)
{
	struct cpu_budget *here = cpu_budget(machine, cpu);
	bool is_fair = event->next_tid != 0 && event->next_priority >= PRIORITY_FAIR_MIN;
	uint32_t next = machine_find_track(machine, cpu, event->next_tid);
	bool is_to_stopper = next != TRACK_NONE &&
	                     machine->task[next].role == KERNEL_THREAD_STOPPER;

	ASSUME(here->given_end == NSEC_NEVER || here->given_begin <= here->given_end);
	cpu_settle_armed(machine, here, prev, event, is_to_stopper);
	if (!is_fair && here->given_end == NSEC_NEVER && !is_to_stopper)
		here->given_end = machine->now;
	if (is_fair && prev != TRACK_NONE && event->prev_priority < PRIORITY_FAIR_MIN &&
	    event->prev_tid != 0)
		cpu_give(machine, here, prev, (int16_t)event->prev_priority);
	here->is_busy = here->given_begin != 0 && here->given_end == NSEC_NEVER;
}

/* Finds the stretch that ended when the task's own timer released it. */
static bool budget_find_own(const struct machine *machine, uint32_t track, nsec_t t,
                            struct limit_stretch *ret)
{
	const struct task_state *task = &machine->task[track];
	const struct budget *budget = task_budget(machine, track);

	if (!budget || budget->armed == 0 || task->priority != PRIORITY_DEADLINE)
		return false;
	ASSUME(!budget->expired || budget->expired >= budget->armed);
	ret->begin = nsec_max(task->since, budget->armed);
	ret->end = budget->expired ? nsec_min(budget->expired, t) : t;
	throttled_init(&ret->cause, CPU_LIMIT_DEADLINE, budgets_of(machine)->deadline_name,
	               budget->is_learned ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM);
	return ret->begin < ret->end;
}

/* Ends the stretch at the last expiry of real-time throttling, if that came shortly before its
   end. */
static void stretch_find_timer(const struct machine *machine, struct limit_stretch *stretch)
{
	const struct expiry *expiry = limits_find_last(machine, CPU_LIMIT_REAL_TIME, stretch->end);

	ASSUME(stretch->begin < stretch->end && stretch->cause.kind == CAUSE_THROTTLED);
	if (!expiry || expiry->time <= stretch->begin || stretch->end - expiry->time > SWITCH_MAX)
		return;
	stretch->end = expiry->time;
	stretch->cause.name = expiry->function;
	stretch->cause.confidence = CONFIDENCE_HIGH;
}

/* Finds the stretch in which the task's CPU was given to a fair task. */
static bool budget_find_given(const struct machine *machine, uint32_t track, nsec_t t,
                              struct limit_stretch *ret)
{
	const struct task_state *task = &machine->task[track];
	const struct cpu *cpu = machine->cpu[task->queue_cpu];
	const struct cpu_budget *here = cpu_budget(machine, cpu);
	bool is_deadline = task->priority == PRIORITY_DEADLINE;

	if (task->priority >= PRIORITY_FAIR_MIN || task->priority < PRIORITY_DEADLINE ||
	    here->given_begin == 0)
		return false;
	ret->begin = nsec_max(task->since, here->given_begin);
	ret->end = nsec_min(here->given_end, t);
	if (ret->begin >= ret->end)
		return false;
	throttled_init(&ret->cause,
	               is_deadline        ? CPU_LIMIT_DEADLINE
	               : here->given_name ? CPU_LIMIT_FAIR_SERVER
	                                  : CPU_LIMIT_REAL_TIME,
	               is_deadline ? budgets_of(machine)->deadline_name : here->given_name,
	               here->given_name && !is_deadline ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM);
	if (!ret->cause.name)
		stretch_find_timer(machine, ret);
	/* no timer of such a limit was seen: only that the CPU was given away is known */
	if (!ret->cause.name)
		ret->cause.confidence = CONFIDENCE_LOW;
	return true;
}

bool budget_find(const struct machine *machine, uint32_t track, nsec_t t,
                 struct limit_stretch *ret)
{
	ASSUME(machine->task[track].kind == SEGMENT_RUNNABLE);
	return budget_find_own(machine, track, t, ret) ||
	       (machine->task[track].is_listed && budget_find_given(machine, track, t, ret));
}

static void budgets_begin(struct machine *machine)
{
	struct budgets *budgets = budgets_of(machine);

	budgets->deadline_name = intern_adds(&machine->timeline->names, "dl_task_timer");
	budgets->server_name = intern_adds(&machine->timeline->names, "fair_server");
}

/* A timer may have expired unseen. */
static void budgets_forget(struct machine *machine)
{
	TRACKER_TASK_EACH(machine, TRACKER_BUDGET, track, struct budget, budget)
		budget->armed = 0;
}

const struct tracker budget_tracker = {
	.own_bytes = sizeof(struct budgets),
	.stores = STORES(MAP_AT(offsetof(struct budgets, owner))),
	.keeps_stores = true,
	.task_bytes = sizeof(struct budget),
	.cpu_bytes = sizeof(struct cpu_budget),
	.begin = budgets_begin,
	.forgets_cpu = true,
	.forget = budgets_forget,
};
