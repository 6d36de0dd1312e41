/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals: a wake-up right after the generation of one, by the same task, is the signal's. The
 * woken thread may be another of the process than the one that the signal was meant for.
 */
#include "tracker.h"

#include "base/array.h"

static void on_signal_generate(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)machine;
	/* one that is ignored, a SIGCHLD say, wakes nobody: what comes next has another reason */
	if (event->signal.result != 0)
		return;
	cpu->signal_number = (int32_t)event->signal.number;
	cpu->signal_at = cpu->event_count;
}

static bool signal_explain(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	const struct cpu *cpu = wake->cpu;

	(void)machine;
	if (cpu->current == cpu->idle || cpu->signal_at == 0 ||
	    cpu->signal_at + 1 != cpu->event_count)
		return false;
	*ret = cause_note_of(CAUSE_SIGNAL, CONFIDENCE_HIGH);
	ret->number = cpu->signal_number;
	ret->waker = cpu->current;
	ret->is_walked = true;
	return true;
}

static const struct handler_row signal_handlers[] = {
	{EVENT_SIGNAL_GENERATE, on_signal_generate},
};

const struct tracker signal_tracker = {
	.name = "signal",
	.handlers = signal_handlers,
	.handler_count = ARRAY_SIZE(signal_handlers),
	.explain = signal_explain,
	.explains = IN_TASK,
};
