/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers of both kinds: who armed which, and whose callback is running. Explains a wake-up that a
 * callback makes: the sleeper's own time is up, or somebody else had set an alarm.
 */
#include "tracker.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct armed_timer {
	uint32_t armer; /* line; LINE_NONE: an interrupt armed it */
	nsec_t time;
};

struct timers {
	struct object_pool armed; /* struct armed_timer, by address; until it expires */
};

/* Callbacks that do nothing but wake the task that armed the timer. */
static const char *const own_functions[] = {"hrtimer_wakeup", "process_timeout"};

static bool is_own_function(const struct machine *machine, uint32_t name)
{
	const char *text = intern_text(&machine->timeline->names, name);

	for (size_t i = 0; i < ARRAY_SIZE(own_functions); i++)
		if (strcmp(text, own_functions[i]) == 0)
			return true;
	return false;
}

/* Who is about to get a lock sets no time limit to its sleep, unless it is for a semaphore. */
static void task_leave_locks(struct machine *machine, const struct cpu *cpu,
                             const struct event *event)
{
	const struct task_state *task = &machine->task[cpu->current];

	if (task->lock_count && task->lock[task->lock_count - 1].flags &&
	    is_own_function(machine, machine_function(machine, event->timer.function)))
		cpu_leave_locks(machine, cpu);
}

static void on_timer_start(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct armed_timer *timer =
		object_pool_put(&machine->timers->armed, event->timer.timer);

	if (cpu->level == LEVEL_TASK && cpu->current != LINE_NONE)
		task_leave_locks(machine, cpu, event);
	*timer = (struct armed_timer){
		.armer = cpu->level == LEVEL_TASK && cpu->current != cpu->idle ? cpu->current
	                                                                       : LINE_NONE,
		.time = machine->now,
	};
}

/* It has expired, unless its callback arms it again. */
static void on_timer_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct object_pool *armed = &machine->timers->armed;
	const struct armed_timer *timer = object_pool_take(armed, event->timer.timer);
	struct frame *frame = cpu_push(machine, cpu, event, FRAME_TIMER);

	frame->name = machine_function(machine, event->timer.function);
	limits_note_expiry(machine, frame->name, event->timer.timer);
	frame->may_have_armer = !timer && armed->forgotten > 0;
	if (!timer)
		return;
	frame->armer = timer->armer;
	frame->armed = timer->time;
}

/* The callback has been left, or the trace ends in it. */
static void frame_tell(struct machine *machine, const struct cpu *cpu, const struct frame *frame,
                       nsec_t end, uint64_t timer)
{
	struct interval interval = {
		.kind = INTERVAL_TIMER,
		.cpu = cpu->number,
		.end = end,
		.phase = {frame->armed, frame->entered},
		.is_open = frame < cpu->frame + cpu->depth,
		.task = frame->armer,
		.other = LINE_NONE,
		.timer = {.function = frame->name, .timer = timer},
	};

	machine_tell_interval(machine, &interval);
}

static void on_timer_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct frame *left = cpu_pop(machine, cpu, FRAME_TIMER);

	if (left && machine_wants(machine, INTERVAL_TIMER))
		frame_tell(machine, cpu, left, machine->now, event->timer.timer);
}

static void timers_close(struct machine *machine, nsec_t end)
{
	for (uint32_t number = 0; number < machine->cpu_count; number++) {
		const struct cpu *cpu = machine->cpu[number];

		for (unsigned at = cpu ? cpu->depth : 0; at-- > 0;)
			if (cpu->frame[at].kind == FRAME_TIMER)
				frame_tell(machine, cpu, &cpu->frame[at], end, 0);
	}
}

static bool timer_explain(const struct machine *machine, const struct wake *wake,
                          struct cause_note *ret)
{
	const struct frame *frame = cpu_top(wake->cpu, wake->level);
	uint8_t call = CALL_NONE;

	if (!frame || frame->kind != FRAME_TIMER)
		return false;
	cause_note_init(ret, CAUSE_TIMER,
	                frame->may_have_armer ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH);
	ret->name = frame->name;
	if (frame->armer == wake->wakee && frame->armer != LINE_NONE) {
		ret->as.timer.is_own = true;
	} else if (is_own_function(machine, frame->name)) {
		/* its arming was not seen, but nobody else arms such a timer */
		ret->as.timer.is_own = true;
		ret->confidence = CONFIDENCE_MEDIUM;
	} else if (frame->armer != LINE_NONE) {
		ret->originator = frame->armer;
		ret->origin = frame->armed;
	}
	/* an alarm that it had set itself is what it waited for, not how long */
	if (ret->as.timer.is_own && wake->wakee != LINE_NONE)
		call = task_call(&machine->task[wake->wakee]);
	if (call != CALL_NONE && is_own_function(machine, frame->name))
		ret->as.timer.call = call;
	return true;
}

static const struct object_pool_setup timer_pool = {
	.object_bytes = sizeof(struct armed_timer),
	.limit = OBJECTS_MAX,
	.kind = "timers",
};

static void timers_begin(struct machine *machine)
{
	machine->timers = xcalloc(1, sizeof(*machine->timers));
	machine_begin_pool(machine, &machine->timers->armed, &timer_pool);
}

static void timers_forget(struct machine *machine)
{
	object_pool_clear(&machine->timers->armed);
}

static void timers_end(struct machine *machine)
{
	object_pool_release(&machine->timers->armed);
	free(machine->timers);
}

static const struct handler_row timer_handlers[] = {
	{EVENT_HRTIMER_START, on_timer_start}, {EVENT_TIMER_START, on_timer_start},
	{EVENT_HRTIMER_ENTRY, on_timer_entry}, {EVENT_TIMER_ENTRY, on_timer_entry},
	{EVENT_HRTIMER_EXIT, on_timer_exit},   {EVENT_TIMER_EXIT, on_timer_exit},
};

const struct tracker timer_tracker = {
	.name = "timer",
	.handlers = timer_handlers,
	.handler_count = ARRAY_SIZE(timer_handlers),
	.explain = timer_explain,
	.explains = IN_IRQ,
	.begin = timers_begin,
	.close = timers_close,
	.forget = timers_forget,
	.end = timers_end,
};
