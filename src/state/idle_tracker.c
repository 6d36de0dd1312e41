/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle states of CPUs. A CPU leaves its state for each interrupt, whether or not a task runs then;
 * the idle task is current all the time. Emits an interval for each stay.
 */
#include "base/data/array.h"
#include "state/core/tracker.h"

/* The state that a CPU is in. */
struct cpu_stay {
	nsec_t begin;
	uint32_t state;
	bool is_known; /* it is in a state whose begin was seen */
};

static struct cpu_stay *cpu_stay(const struct machine *machine, const struct cpu *cpu)
{
	return tracker_cpu(machine, cpu, TRACKER_IDLE);
}

static void stay_emit(struct machine *machine, const struct cpu *cpu, nsec_t end, bool is_open)
{
	const struct cpu_stay *stay = cpu_stay(machine, cpu);
	struct interval interval = {
		.kind = INTERVAL_IDLE,
		.cpu = cpu->number,
		.begin = stay->begin,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = is_open,
		.task = cpu->current,
		.other = TRACK_NONE,
		.idle.state = stay->state,
	};

	if (stay->is_known && machine_wants(machine, INTERVAL_IDLE))
		machine_emit_interval(machine, &interval);
}

static void on_cpu_idle(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_stay *stay = cpu_stay(machine, cpu);
	uint32_t state = (uint32_t)event->idle.state;

	/* a driver may enter one state from another: the first one ends then */
	stay_emit(machine, cpu, machine->now, /* is_open= */ false);
	*stay = (struct cpu_stay){machine->now, state, state != IDLE_STATE_LEFT};
}

static void idle_close(struct machine *machine, nsec_t end)
{
	for (uint32_t number = 0; number < machine->cpu_count; number++)
		if (machine->cpu[number])
			stay_emit(machine, machine->cpu[number], end, /* is_open= */ true);
}

static void idle_forget_cpu(struct machine *machine, struct cpu *cpu)
{
	cpu_stay(machine, cpu)->is_known = false;
}

static const struct handler_row idle_handlers[] = {
	{EVENT_CPU_IDLE, on_cpu_idle},
};

const struct tracker idle_tracker = {
	.name = "idle",
	.handlers = idle_handlers,
	.handler_count = ARRAY_SIZE(idle_handlers),
	.cpu_bytes = sizeof(struct cpu_stay),
	.close = idle_close,
	.forget_cpu = idle_forget_cpu,
};
