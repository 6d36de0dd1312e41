/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Causes of wake-ups: which trackers are asked, in which order, and what holds if none knows. */
#include <string.h>

#include "base/assume.h"
#include "state/trackers.h"
#include "tracker.h"

/* Reports a step for debugging causes; hardly ever used. */
static __attribute__((noinline)) void report_step(const struct machine *machine,
                                                  const struct wake *wake, const char *tracker,
                                                  const char *what,
                                                  const struct cause_note *cause)
{
	const struct cause_step step = {
		.time = machine->now,
		.cpu = wake->cpu ? wake->cpu->number : UINT32_MAX,
		.current = wake->cpu ? wake->cpu->current : TRACK_NONE,
		.wakee = wake->wakee,
		.level = (uint8_t)wake->level,
		.tracker = tracker,
		.what = what,
		.cause = cause,
	};

	ASSUME(wake->cpu || !wake->event);
	machine->setup.on_step(machine->setup.step_state, &step);
}

static inline bool is_debugged(const struct machine *machine)
{
	return __builtin_expect(machine->setup.on_step != NULL, 0);
}

/* The trackers that may know the cause: nearly always none where a task wakes another. */
static tracker_set machine_explainers(const struct machine *machine, const struct wake *wake)
{
	const struct cpu *cpu = wake->cpu;
	uint8_t role = wake->wakee == TRACK_NONE ? KERNEL_THREAD_NONE
	                                         : machine->task[wake->wakee].role;
	tracker_set set = machine->hooks.awake & machine->hooks.explaining[wake->level] &
	                  machine->hooks.explaining_role[role];

	ASSUME(wake->level != LEVEL_TASK || cpu->current != TRACK_NONE);
	if (wake->level == LEVEL_TASK)
		set &= ~machine->hooks.explaining_marked | cpu->explainers |
		       machine->task[cpu->current].has;
	return set;
}

/* Returns the name of the tracker that decided; if none did, what the cause is based on. */
static inline const char *machine_decide(const struct machine *machine, const struct wake *wake,
                                         struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;
	enum tracker_id id;

	ASSUME(wake->event && cpu->level == wake->level);
	if (cpu->current == TRACK_NONE) {
		cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
		return "an unknown task on the CPU";
	}
	TRACKERS_EACH(machine_explainers(machine, wake), id)
		if (trackers[id]->explain.call(machine, wake, ret))
			return tracker_names[id];
	if (wake->level != LEVEL_TASK) {
		cause_note_init(ret, CAUSE_INTERRUPT, CONFIDENCE_LOW);
		return "no tracker, but the interrupt,";
	}
	if (wake->event->kind == EVENT_SCHED_WAKEUP && ipi_explain_queued(machine, wake, ret))
		return "no tracker, but another CPU,";
	if (cpu->current == cpu->idle) {
		cause_note_init(ret, CAUSE_IDLE, CONFIDENCE_LOW);
		return "no tracker, but the idle task,";
	}
	/* whoever records interrupts knows the others: what is left is the task's, or a timer's */
	if (machine->setup.lacks_timers) {
		cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
		return "no tracker, but the waker or a timer,";
	}
	cause_note_by_task(ret,
	                   machine->setup.lacks_contexts        ? CONFIDENCE_LOW
	                   : wake->event->flags & EVENT_SOFTIRQ ? CONFIDENCE_MEDIUM
	                                                        : CONFIDENCE_HIGH,
	                   cpu->current);
	return "no tracker, but the waker,";
}

/* Asks the tracker to refine the cause; with `ends`, the machine as it may be changed, to
   conclude. Reports the step if that changes any byte of the cause. */
static inline void ask_tracker(const struct machine *machine, struct machine *ends,
                               const struct wake *wake, enum tracker_id id,
                               struct cause_note *cause)
{
	struct cause_note before;

	ASSUME(machine_owns(machine, wake->wakee));
	if (is_debugged(machine))
		memcpy(&before, cause, sizeof(before));
	if (ends)
		trackers[id]->conclude.call(ends, wake->wakee, cause);
	else
		trackers[id]->refine.call(machine, wake, cause);
	if (is_debugged(machine) &&
	    memcmp((const void *)&before, (const void *)cause, sizeof(before)) != 0)
		report_step(machine, wake, tracker_names[id], ends ? "concludes" : "refines",
		            cause);
}

/* Asks the trackers of the set that refine causes of that wakee. */
static inline void machine_refine(const struct machine *machine, tracker_set set,
                                  const struct wake *wake, struct cause_note *cause)
{
	tracker_set has = machine->task[wake->wakee].has;
	enum tracker_id id;

	ASSUME(cause->kind < CAUSE_KIND_COUNT);
	if (has & TRACKER_BIT(PLACE))
		has |= machine->hooks.refining_placed;
	TRACKERS_EACH(set & machine->hooks.awake & machine->hooks.refining_cause[cause->kind] &
	              (~machine->hooks.refining_kept | has), id)
		ask_tracker(machine, NULL, wake, id, cause);
}

void machine_explain(const struct machine *machine, const struct wake *wake,
                     struct cause_note *ret)
{
	const char *decider = machine_decide(machine, wake, ret);

	ASSUME(ret->kind != CAUSE_TASK || ret->waker != TRACK_NONE);
	if (is_debugged(machine))
		report_step(machine, wake, decider, "explains", ret);
	machine_refine(machine, machine->hooks.refining[wake->level], wake, ret);
}

void machine_explain_unwoken(const struct machine *machine, uint32_t track,
                             struct cause_note *ret)
{
	const struct wake wake = {.wakee = track};

	ASSUME(task_is_asleep(&machine->task[track]));
	cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	machine_refine(machine, machine->hooks.refining_unwoken, &wake, ret);
}

void machine_explain_queueing(const struct machine *machine, struct cpu *cpu,
                              const struct event *event, struct cause_note *ret)
{
	struct wake wake = {event, cpu, TRACK_NONE, (enum context_level)cpu->level};

	ASSUME(cpu->level != LEVEL_TASK);
	(void)machine_decide(machine, &wake, ret);
}

void machine_ask_concluders(struct machine *machine, tracker_set set, uint32_t track,
                            struct cause_note *cause)
{
	const struct wake wake = {.wakee = track};
	tracker_set left = set;

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	while (left) {
		enum tracker_id id = (enum tracker_id)__builtin_ctzll(left);
		uint8_t kind = cause->kind;

		ask_tracker(machine, machine, &wake, id, cause);
		left &= left - 1;
		if (cause->kind != kind)
			left = machine->hooks.concluding[cause->kind] & trackers_after(id);
		else if (kind == CAUSE_TASK && cause->waker != TRACK_NONE)
			/* it may have made another tracker keep something of the waker */
			left |= machine->hooks.concluding[kind] & machine->task[cause->waker].has &
			        trackers_after(id);
	}
}
