/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of tasks: running, runnable, waiting, stopped, unknown, dead.
 *
 *	            switch-in                 wake-up
 *	RUNNABLE ------------> RUN      WAIT ---------> RUNNABLE(woken)
 *	RUN  -- switch-out, state R --> RUNNABLE(preempted | yielded)
 *	RUN  -- switch-out, state S, D, I ... --> WAIT
 *	RUN  -- switch-out, state T, t --> STOPPED
 *	RUN  -- switch-out, state X, Z --> DEAD
 *	WAIT -- switch-in without a wake-up --> RUN, the wait has no waker
 *
 * A wait ends at the first sched_waking that arrives while the task waits. sched_wakeup only
 * refines it, and serves where there is no sched_waking.
 *
 * Wake-ups that arrive before the sleeper has left its CPU are kept (pending). At the switch-out
 * the wait is then tentative: if the task runs again without another wake-up, the wait had no
 * length and the pending wake-up ended it; if another wake-up comes, the task had slept for real
 * and that one ended the wait. A sched_wakeup while the task still runs shows that it went on
 * running: the pending wake-up is used up then, and explains the next switch-in only if nothing
 * else does.
 */

#include "base/assume.h"
#include "held_wait.h"
#include "queue_tracker.h"
#include "state/limits/limits.h"
#include "tracker.h"

/* A wake-up of a task that may end a wait later; see enum pending. */
struct pending_wake {
	nsec_t time;
	struct cause_note cause;
	uint32_t cpu;   /* CPU that recorded it */
	uint32_t waker; /* functions in which it was made: an id in names; 0: not known */
};

TASK_DATA(task_pending, struct pending_wake, TASK)

/* The pending wake-up of the task, if it is this CPU's last one. */
static struct pending_wake *pending_of_cpu(const struct machine *machine, const struct cpu *cpu)
{
	struct pending_wake *wake;

	ASSUME(cpu->woken != TRACK_NONE && machine_owns(machine, cpu->woken));
	if (machine->task[cpu->woken].pending != PENDING_SET)
		return NULL;
	wake = task_pending(machine, cpu->woken);
	ASSUME(wake);
	return wake->cpu == cpu->number ? wake : NULL;
}

const struct cause_note *task_pending_cause(const struct machine *machine, const struct cpu *cpu)
{
	const struct pending_wake *wake = pending_of_cpu(machine, cpu);

	return wake ? &wake->cause : NULL;
}

void task_pending_set_waker(struct machine *machine, const struct cpu *cpu, uint32_t frames)
{
	struct pending_wake *wake = pending_of_cpu(machine, cpu);

	if (wake)
		wake->waker = frames;
}

void cpu_note_act(struct machine *machine, const struct cpu *cpu)
{
	ASSUME(cpu->current == TRACK_NONE || cpu->current < machine->track_end);
	if (cpu->level == LEVEL_TASK && cpu->current != TRACK_NONE)
		machine->task[cpu->current].has_acted = true;
}

/* Ends a wait at t and makes the task runnable. */
static void task_wake(struct machine *machine, uint32_t track, nsec_t t, struct cause_note *cause)
{
	ASSUME(machine->task[track].since <= t && t <= machine->now);
	ASSUME(task_is_asleep(&machine->task[track]));
	machine_conclude(machine, track, cause);
	/* a wait across a loss may have been two: what ended it is a guess */
	if (machine->task[track].since < machine->gap_end)
		cause->confidence = CONFIDENCE_LOW;
	task_become(machine, track, t, SEGMENT_RUNNABLE, RUNNABLE_WOKEN, cause);
}

static void task_forget_pending(struct machine *machine, uint32_t track)
{
	if (machine->task[track].pending == PENDING_NONE)
		return;
	ASSUME(task_pending(machine, track));
	machine->task[track].pending = PENDING_NONE;
	tracker_drop_task(machine, TRACKER_TASK, track);
}

static void task_drop_pending(struct machine *machine, uint32_t track)
{
	if (machine->task[track].pending != PENDING_NONE)
		machine->health->wakes_spurious++;
	task_forget_pending(machine, track);
}

/* The tentative wait turns out to have had no length. */
static void task_settle(struct machine *machine, uint32_t track)
{
	struct pending_wake *wake = task_pending(machine, track);
	struct held_wait *held;

	ASSUME(machine->task[track].kind == SEGMENT_WAIT && wake);
	task_wake(machine, track, machine->task[track].since, &wake->cause);
	held = machine->task[track].held;
	if (wake->waker && held && held->span.kind == SEGMENT_WAIT)
		wait_set_waker(held, wake->waker);
	task_forget_pending(machine, track);
}

void task_end_tentative(struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];
	struct pending_wake *wake;

	if (task->kind != SEGMENT_WAIT || !task->is_tentative)
		return;
	wake = task_pending(machine, track);
	ASSUME(wake && wake->time <= task->since); /* the wake-up came first */
	/* no sched_wakeup shows whether the task went on running after it, and sleeps since */
	wake->cause.confidence = CONFIDENCE_LOW;
	task_settle(machine, track);
}

/* The task is off the CPU, and since the data of a CPU ended it may have run there. */
static void task_lose(struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];
	bool is_wait = task->kind == SEGMENT_WAIT;
	struct cause_note cause;

	ASSUME(machine->over_since != NSEC_NEVER);
	if (task->is_idle)
		return;
	if (is_wait)
		machine_explain_unwoken(machine, track, &cause);
	/* what its queue shows is of later, too: nothing is inferred from that */
	queue_drop(machine, track);
	task_become(machine, track, nsec_max(machine->over_since, task->since), SEGMENT_UNKNOWN, 0,
	            is_wait ? &cause : NULL);
}

/* Call when the task may have been put on a CPU of which nothing more is known. */
static void task_lose_runnable(struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];
	const struct cpu *cpu = task->cpu < machine->cpu_count ? machine->cpu[task->cpu] : NULL;

	ASSUME(machine->over_since != NSEC_NEVER);
	if (task->kind == SEGMENT_RUNNABLE && cpu && cpu->is_over)
		task_lose(machine, track);
}

void tasks_lose_cpu(struct machine *machine, struct cpu *cpu)
{
	cpu->is_over = true;
	machine->over_since = nsec_min(machine->over_since, machine->now);
	MACHINE_TRACK_EACH(machine, track)
		task_lose_runnable(machine, track);
}

void task_lose_rest(struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];

	ASSUME(machine->has_ended);
	if (task_is_asleep(task) || task->kind == SEGMENT_RUNNABLE)
		task_lose(machine, track);
}

/* The part of task_run() that each switch does. */
static inline __attribute__((always_inline)) void
task_take_cpu(struct machine *machine, uint32_t track, uint32_t cpu, nsec_t since)
{
	struct task_state *task = &machine->task[track];
	nsec_t now = nsec_max(since, task->since);
	struct cause_note cause;

	if (task->queue_cpu != (uint16_t)cpu) { /* it was migrated unseen */
		queue_drop(machine, track);
		if (machine->over_since < now && task->kind == SEGMENT_RUNNABLE)
			task_lose(machine, track);
	}
	if (task->kind == SEGMENT_WAIT && task->pending != PENDING_NONE)
		task_settle(machine, track);
	if (task_is_asleep(task)) {
		machine_explain_unwoken(machine, track, &cause);
		machine->health->waits_without_waker++;
		task_become(machine, track, now, SEGMENT_RUN, 0, &cause);
	} else {
		if (task->kind == SEGMENT_RUN) /* on two CPUs: the later one is right */
			machine->health->inconsistencies++;
		task_become(machine, track, now, SEGMENT_RUN, 0, NULL);
	}
	ASSUME(task->kind == SEGMENT_RUN || machine->setup.lacks_switches);
	task->cpu = (uint16_t)cpu;
	/* a wake-up that came while it ran unseen is still pending */
	if (task->pending != PENDING_NONE && task_pending(machine, track)->time <= now)
		task_drop_pending(machine, track);
}

void task_run(struct machine *machine, uint32_t track, uint32_t cpu, nsec_t since)
{
	task_take_cpu(machine, track, cpu, since);
}

/* The task sleeps in the state of that letter; 'R': the state is not known. */
static inline __attribute__((always_inline)) void
task_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct task_state *task = &machine->task[track];
	const struct tracker_hooks *hooks = &machine->hooks;
	uint8_t detail = letter == 'R' ? 'S' : letter;
	enum tracker_id id;

	ASSUME(!task->is_idle && task->kind != SEGMENT_DEAD);
	/* a kernel worker without work; but a thread of a program that is over sleeps so until its
	   core is written */
	if (letter == 'I' && !task->is_threaded)
		detail |= WAIT_FOR_WORK;
	task_become(machine, track, machine->now, SEGMENT_WAIT, detail, NULL);
	task->may_be_again = !task->has_acted;
	task->has_acted = false;
	TRACKERS_EACH((task->has & hooks->sleeping) |
	              (task->has & hooks->sleeping_with ? hooks->sleeping_more : 0), id)
		trackers[id]->sleep(machine, track, letter);
	task->timeout = task->armed & 0x7u;
	task->armed = TIMEOUT_NONE;
	task->is_tentative = task->pending == PENDING_SET;
}

static void task_be_stopped(struct machine *machine, uint32_t track, uint8_t letter)
{
	enum tracker_id id;

	ASSUME(!machine->task[track].is_idle);
	task_become(machine, track, machine->now, SEGMENT_STOPPED, letter, NULL);
	TRACKERS_EACH(machine->hooks.stopping, id)
		trackers[id]->stop(machine, track);
}

/* So soon after an interrupt or a wake-up a switch may be its effect: also another CPU may ask for
   one. */
#define EFFECT_MAX 100000u
/* No scheduler takes the CPU from an ordinary task that has run for less since it got it, but for a
   task that was woken: the least slice is 700 us. */
#define SLICE_MIN 500000u

/*
 * Whether a task that is switched out with state R may have given its CPU away by sched_yield(). A
 * task that must leave on its way out of the kernel is shown with state R, too: then the tick or
 * another interrupt has asked for that, or the next task has just been woken. A used-up slice is
 * also found by a system call that reads the task's times; so only a short run is a proof, and the
 * track counts these. Only ordinary tasks: a deadline task gives up its budget.
 */
static bool task_gave_away(struct machine *machine, const struct cpu *cpu, uint32_t track,
                           uint32_t next)
{
	const struct task_state *task = &machine->task[track];
	uint8_t *yields = &machine->timeline->track[track].yields;

	/* nearly always the next task was woken */
	if (next == TRACK_NONE || machine->task[next].since + EFFECT_MAX >= machine->now ||
	    task->kind != SEGMENT_RUN || task->priority < PRIORITY_FAIR_MIN ||
	    cpu->resched >= task->since || cpu->interrupted + EFFECT_MAX >= machine->now)
		return false;
	if (machine->now >= task->since + SLICE_MIN)
		return machine->found.has_ticks;
	if (*yields < YIELDS_CERTAIN)
		(*yields)++;
	return true;
}

static void task_switch_out(struct machine *machine, struct cpu *cpu, uint32_t track, uint32_t next,
                            const struct sched_switch_event *event)
{
	struct task_state *task = &machine->task[track];
	uint8_t letter = (uint8_t)event->letter;

	ASSUME(task->kind != SEGMENT_DEAD);
	if (task->is_idle) { /* never sleeps, never ends */
		task_become(machine, track, machine->now, SEGMENT_RUNNABLE, RUNNABLE_YIELDED, NULL);
		return;
	}
	task_set_priority(machine, track, event->prev_priority);
	if (event->was_running) {
		task_become(machine, track, machine->now, SEGMENT_RUNNABLE, RUNNABLE_PREEMPTED,
		            NULL);
		return;
	}
	switch (letter) {
	case 'R':
		/* kernels up to 5.17 show R for a task that was woken while going to sleep */
		if (task->pending == PENDING_SET) {
			task_sleep(machine, track, letter);
			task_settle(machine, track);
		} else {
			task_become(machine, track, machine->now, SEGMENT_RUNNABLE,
			            task_gave_away(machine, cpu, track, next)
			                            ? RUNNABLE_GAVE_AWAY
			                            : RUNNABLE_YIELDED,
			            NULL);
		}
		break;
	case 'X':
	case 'Z':
		task_become(machine, track, machine->now, SEGMENT_DEAD, 0, NULL);
		break;
	case 'T':
	case 't':
		task_be_stopped(machine, track, letter);
		break;
	default:
		task_sleep(machine, track, letter);
	}
}

/* The task is off this CPU already: the switch-out is recorded twice, or late because clocks of
   CPUs differ. */
static bool task_has_left(const struct task_state *task, uint32_t cpu)
{
	ASSUME(task->kind != SEGMENT_RUN || !task->is_tentative);
	return task_is_asleep(task) || task->kind == SEGMENT_DEAD ||
	       (task->kind == SEGMENT_RUN && task->cpu != (uint16_t)cpu);
}

/* The task that the switch takes off the CPU; TRACK_NONE: it was off already. */
static uint32_t switch_find_prev(struct machine *machine, struct cpu *cpu,
                                 const struct event *event)
{
	uint32_t track = cpu->current;
	struct task_state *task;

	ASSUME(track == TRACK_NONE || machine_owns(machine, track));
	if (track != TRACK_NONE && event->sched_switch.prev_tid == cpu->current_tid) {
		task = &machine->task[track];
		if (task->kind != SEGMENT_RUN && task->kind != SEGMENT_UNKNOWN)
			machine->health->inconsistencies++;
		return task_has_left(task, cpu->number) ? TRACK_NONE : track;
	}
	if (track != TRACK_NONE && track == cpu->idle)
		return cpu_replace_current(machine, cpu, event->sched_switch.prev_tid);
	if (track != TRACK_NONE)
		cpu_lose_current(machine, cpu, event->sched_switch.prev_tid);
	track = machine_track(machine, cpu, event->sched_switch.prev_tid);
	if (track == TRACK_NONE)
		return TRACK_NONE;
	/* a task that has not left ran unseen until now */
	return task_has_left(&machine->task[track], cpu->number) ? TRACK_NONE : track;
}

static void on_switch(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct sched_switch_event *sw = &event->sched_switch;
	uint32_t prev = switch_find_prev(machine, cpu, event);
	uint32_t next = machine_track(machine, cpu, sw->next_tid);

	ASSUME(next == TRACK_NONE || next < machine->track_end);
	if (sw->prev_tid == 0 && machine_wants(machine, INTERVAL_CPU))
		cpu_emit_idle(machine, cpu, machine->now, /* is_open= */ false);
	if (prev != TRACK_NONE) {
		machine_name(machine, prev, sw->prev_comm);
		limits_note_off(machine, cpu, prev); /* while its limit is known: it may end here */
		task_switch_out(machine, cpu, prev, next, sw);
		/* a task that was woken while it went to sleep may be put on another CPU */
		if (machine->task[prev].kind == SEGMENT_RUNNABLE && sw->prev_tid != 0 &&
		    machine->task[prev].detail != RUNNABLE_WOKEN)
			queue_put(machine, prev, cpu->number);
	}
	budget_note_switch(machine, cpu, prev, sw);
	if (sw->prev_tid == 0)
		queue_end_idle(machine, cpu, machine->now);
	if (sw->next_tid == 0)
		queue_begin_idle(machine, cpu);
	cpu->left = prev;
	cpu->left_at = cpu->event_count;
	cpu->left_interrupts = cpu->interrupt_count;
	cpu->switching_at = cpu->event_count;
	cpu->current = next;
	cpu->current_tid = sw->next_tid;
	cpu->is_after_gap = false;
	if (next == TRACK_NONE)
		return;
	if (machine->task[next].kind == SEGMENT_DEAD) {
		machine->health->inconsistencies++;
		next = machine_new_generation(machine, next, sw->next_tid);
		cpu->current = next;
		if (next == TRACK_NONE)
			return;
	}
	machine_name(machine, next, sw->next_comm);
	task_set_priority(machine, next, sw->next_priority);
	task_take_cpu(machine, next, cpu->number, machine->now);
}

/* Returns the track of the woken task. If that track is dead, its tid was given to another task
   unseen: adds a track for it. */
static inline __attribute__((always_inline)) uint32_t wake_find(struct machine *machine,
                                                                struct cpu *cpu,
                                                                const struct event *event)
{
	uint32_t track;

	if (event->wake.tid == 0)
		return TRACK_NONE;
	track = machine_track(machine, cpu, event->wake.tid);
	if (track == TRACK_NONE)
		return TRACK_NONE;
	if (machine->task[track].kind == SEGMENT_DEAD) {
		machine->health->inconsistencies++;
		track = machine_new_generation(machine, track, event->wake.tid);
		if (track == TRACK_NONE)
			return TRACK_NONE;
	}
	machine_name(machine, track, event->wake.comm);
	task_set_priority(machine, track, event->wake.priority);
	return track;
}

/*
 * Whether a message from a task of this machine wakes the task. What the task did before it was
 * first seen is not known, but then the sender is the reason why it goes on now. As that is an
 * inference, the confidence is medium at most.
 */
static bool cause_is_message(struct cause_note *cause)
{
	if (cause->kind != CAUSE_NET || cause->originator == TRACK_NONE)
		return false;
	if (cause->confidence > CONFIDENCE_MEDIUM)
		cause->confidence = CONFIDENCE_MEDIUM;
	return true;
}

/* A later wake-up replaces an earlier one: it is nearer to the switch-out, so it is likelier. */
static struct pending_wake *task_set_pending(struct machine *machine, const struct cpu *cpu,
                                             uint32_t track, enum pending pending)
{
	struct pending_wake *wake = tracker_keep_task(machine, TRACKER_TASK, track);

	ASSUME(machine->task[track].kind != SEGMENT_DEAD);
	ASSUME(pending != PENDING_NONE);
	machine->task[track].pending = (uint8_t)pending;
	wake->time = machine->now;
	wake->cpu = cpu->number;
	wake->waker = 0;
	return wake;
}

static void task_keep_pending(struct machine *machine, const struct wake *wake)
{
	struct pending_wake *pending;

	ASSUME(!task_is_asleep(&machine->task[wake->wakee]));
	task_drop_pending(machine, wake->wakee);
	pending = task_set_pending(machine, wake->cpu, wake->wakee, PENDING_SET);
	machine_explain(machine, wake, &pending->cause);
}

/*
 * A task whose first event is a wake-up has slept since the trace began: a running task is named by
 * every event of its CPU, and a runnable one is not woken. With a snapshot, it went to sleep, or
 * was created, after that. The state in which it sleeps is not known.
 */
static bool task_is_asleep_from_begin(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];

	return task->kind == SEGMENT_UNKNOWN && task->since == machine->begin &&
	       machine->now > machine->begin && machine->gap_end == 0 &&
	       machine->found.has_snapshot &&
	       machine->timeline->track[track].generation == 0;
}

static void task_wake_from_begin(struct machine *machine, const struct wake *wake)
{
	struct task_state *task = &machine->task[wake->wakee];
	struct cause_note cause;

	ASSUME(task->kind == SEGMENT_UNKNOWN && task->since == machine->begin);
	task->kind = SEGMENT_WAIT;
	task->detail = '?';
	machine_explain(machine, wake, &cause);
	if (cause.confidence > CONFIDENCE_MEDIUM)
		cause.confidence = CONFIDENCE_MEDIUM;
	task_wake(machine, wake->wakee, machine->now, &cause);
}

static void on_waking(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = wake_find(machine, cpu, event);
	struct wake wake = {event, cpu, track, (enum context_level)cpu->level};
	enum tracker_id id;
	struct task_state *task;
	struct cause_note cause;

	machine->found.has_waking = true;
	if (track != cpu->current)
		cpu_note_act(machine, cpu);
	cpu->woken = track;
	cpu->woken_at = cpu->event_count;
	cpu->woken_slept = false;
	if (track == TRACK_NONE)
		return;
	TRACKERS_EACH(machine->hooks.waking & machine->hooks.awake &
	              (~machine->hooks.waking_kept | machine->task[track].has), id)
		trackers[id]->wake(machine, cpu, track);
	task = &machine->task[track];
	ASSUME(task->since <= machine->now);
	if (task->kind == SEGMENT_RUNNABLE && queue_is_refuted(machine, track))
		queue_take(machine, track, machine->now); /* what it did meanwhile is not known */
	unseen_note_wake(machine, track, event->wake.cpu);
	switch (task->kind) {
	case SEGMENT_WAIT:
	case SEGMENT_STOPPED:
		machine_explain(machine, &wake, &cause);
		task_drop_pending(machine, track);
		task_wake(machine, track, machine->now, &cause);
		cpu->woken_slept = true;
		break;
	case SEGMENT_UNKNOWN:
		if (task_is_asleep_from_begin(machine, track)) {
			task_wake_from_begin(machine, &wake);
			break;
		}
		machine_explain(machine, &wake, &cause);
		task_become(machine, track, machine->now, SEGMENT_RUNNABLE, RUNNABLE_WOKEN,
		            cause_is_message(&cause) ? &cause : NULL);
		break;
	case SEGMENT_RUN:
		if (track == cpu->current && cpu->level == LEVEL_TASK) { /* it wakes itself */
			machine->health->wakes_spurious++;
			break;
		}
		task_keep_pending(machine, &wake);
		break;
	case SEGMENT_RUNNABLE:
		/* it was preempted while its state said asleep, or runs again already: not all
		   kernels record every switch away from idle */
		task_keep_pending(machine, &wake);
		break;
	case SEGMENT_NEW:
		task_become(machine, track, machine->now, SEGMENT_RUNNABLE, RUNNABLE_NEW, NULL);
		break;
	case SEGMENT_DEAD:
		break;
	}
	if (event->wake.cpu >= 0 && machine->task[track].kind == SEGMENT_RUNNABLE &&
	    machine->task[track].since == machine->now)
		machine->task[track].cpu = (uint16_t)event->wake.cpu;
	if (machine->over_since != NSEC_NEVER)
		task_lose_runnable(machine, track);
}

/* A sched_wakeup without a preceding sched_waking. */
static void explain_wakeup(struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	ASSUME(wake->event->kind == EVENT_SCHED_WAKEUP);
	machine_explain(machine, wake, ret);
	if (machine->found.has_waking) /* the sched_waking was lost, or came before the trace */
		ret->confidence = CONFIDENCE_LOW;
	else if (ret->confidence > CONFIDENCE_MEDIUM)
		ret->confidence = CONFIDENCE_MEDIUM;
}

static void on_wakeup(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = wake_find(machine, cpu, event);
	struct wake wake = {event, cpu, track, (enum context_level)cpu->level};
	struct task_state *task;
	struct cause_note cause;

	if (track == TRACK_NONE)
		return;
	task = &machine->task[track];
	ASSUME(task->since <= machine->now);
	if (task->kind == SEGMENT_RUNNABLE && queue_is_refuted(machine, track))
		queue_take(machine, track, machine->now); /* what it did meanwhile is not known */
	if (task->kind == SEGMENT_WAIT && task->is_tentative) {
		task_settle(machine, track);
	} else if (task->kind == SEGMENT_WAIT || task->kind == SEGMENT_STOPPED) {
		explain_wakeup(machine, &wake, &cause);
		if (cause.kind == CAUSE_UNKNOWN)
			machine->health->waits_without_waker++;
		task_wake(machine, track, machine->now, &cause);
	} else if (task->kind == SEGMENT_UNKNOWN) {
		task_become(machine, track, machine->now, SEGMENT_RUNNABLE, RUNNABLE_WOKEN, NULL);
	} else if (task->kind == SEGMENT_RUN && task->pending != PENDING_NONE) {
		task->pending = PENDING_USED_UP;
	} else if (task->kind == SEGMENT_RUN && !machine->found.has_waking &&
	           track != cpu->current) {
		explain_wakeup(
			machine, &wake,
			&task_set_pending(machine, cpu, track, PENDING_USED_UP)->cause);
	}
	if (task->kind != SEGMENT_RUNNABLE)
		return;
	task->is_queued = true;
	if (event->wake.cpu < 0)
		return;
	task->cpu = (uint16_t)event->wake.cpu;
	queue_put(machine, track, task->cpu);
	if (machine->over_since != NSEC_NEVER)
		task_lose_runnable(machine, track);
}

static void on_migrate(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = machine_find_track(machine, cpu, event->migrate.tid);

	machine->found.has_migrate = true;
	if (track == TRACK_NONE || event->migrate.tid == 0 || event->migrate.to_cpu < 0)
		return;
	ASSUME(machine_owns(machine, track));
	/* A span has one CPU: a runnable span ends, and another one begins on the new CPU. Before
	   the task is on a queue at all, the migration is part of its wake-up. */
	if (machine->task[track].kind == SEGMENT_RUNNABLE &&
	    (machine->task[track].is_queued || machine->task[track].detail != RUNNABLE_WOKEN)) {
		task_become(machine, track, machine->now, SEGMENT_RUNNABLE,
		            machine->task[track].detail, NULL);
		queue_put(machine, track, (uint32_t)event->migrate.to_cpu);
	}
	if (machine->task[track].kind != SEGMENT_RUN)
		machine->task[track].cpu = (uint16_t)event->migrate.to_cpu;
	if (machine->over_since != NSEC_NEVER)
		task_lose_runnable(machine, track);
}

/* A wake-up from before a loss does not end a sleep after it. */
static void tasks_forget(struct machine *machine)
{
	TRACKER_TASK_EACH(machine, TRACKER_TASK, track, const struct pending_wake, pending)
		if (!machine->task[track].is_tentative)
			task_forget_pending(machine, track);
}

const struct tracker task_tracker = {
	.task_bytes = sizeof(struct pending_wake),
	.handlers = HANDLERS(
		{EVENT_SCHED_SWITCH, on_switch},
		{EVENT_SCHED_WAKING, on_waking},
		{EVENT_SCHED_WAKEUP, on_wakeup},
		{EVENT_SCHED_MIGRATE, on_migrate}),
	.forget = tasks_forget,
};
