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
	struct map by_address; /* index in timer */
	struct armed_timer *timer;
	size_t count, capacity;
};

/* Callbacks that do nothing but wake the task that armed the timer. */
static const char *const own_functions[] = {"hrtimer_wakeup", "process_timeout"};

static void timers_clear(struct timers *timers)
{
	map_clear(&timers->by_address);
	timers->count = 0;
}

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
	struct timers *timers = machine->timers;
	uint32_t index = map_get(&timers->by_address, event->timer.timer);

	if (index == MAP_NONE) {
		if (timers->count >= OBJECTS_MAX)
			timers_clear(timers);
		ARRAY_GROW(timers->timer, timers->count, timers->capacity);
		index = (uint32_t)timers->count++;
		map_put(&timers->by_address, event->timer.timer, index);
	}
	if (cpu->level == LEVEL_TASK && cpu->current != LINE_NONE)
		task_leave_locks(machine, cpu, event);
	timers->timer[index] = (struct armed_timer){
		.armer = cpu->level == LEVEL_TASK && cpu->current != cpu->idle ? cpu->current
	                                                                       : LINE_NONE,
		.time = machine->now,
	};
}

static void on_timer_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t index = map_get(&machine->timers->by_address, event->timer.timer);
	struct frame *frame = cpu_push(machine, cpu, event, FRAME_TIMER);

	frame->name = machine_function(machine, event->timer.function);
	if (index == MAP_NONE)
		return;
	frame->armer = machine->timers->timer[index].armer;
	frame->armed = machine->timers->timer[index].time;
}

static void on_timer_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)event;
	cpu_pop(machine, cpu, FRAME_TIMER);
}

static bool timer_explain(const struct machine *machine, const struct wake *wake,
                          struct cause_note *ret)
{
	const struct frame *frame = cpu_top(wake->cpu, wake->level);

	if (!frame || frame->kind != FRAME_TIMER)
		return false;
	cause_note_init(ret, CAUSE_TIMER, CONFIDENCE_HIGH);
	ret->name = frame->name;
	if (frame->armer == wake->wakee && frame->armer != LINE_NONE) {
		ret->is_own = true;
	} else if (is_own_function(machine, frame->name)) {
		/* its arming was not seen, but nobody else arms such a timer */
		ret->is_own = true;
		ret->confidence = CONFIDENCE_MEDIUM;
	} else if (frame->armer != LINE_NONE) {
		ret->originator = frame->armer;
		ret->origin = frame->armed;
	}
	return true;
}

static void timers_begin(struct machine *machine)
{
	machine->timers = xcalloc(1, sizeof(*machine->timers));
	map_init(&machine->timers->by_address);
}

static void timers_forget(struct machine *machine)
{
	timers_clear(machine->timers);
}

static void timers_end(struct machine *machine)
{
	map_release(&machine->timers->by_address);
	free(machine->timers->timer);
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
	.forget = timers_forget,
	.end = timers_end,
};
