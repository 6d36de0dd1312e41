/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes intervals of objects from the trackers to the sinks that want them. */
#include <assert.h>

#include "sink_queue.h"

/* Kinds bound to one CPU, which end at its losses; others may have gone on where events were
   lost. */
#define KINDS_OF_A_CPU                                                                        \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER) |                        \
	 INTERVAL_MASK(INTERVAL_CPU))

void machine_emit_interval(struct machine *machine, struct interval *interval)
{
	uint32_t mask = INTERVAL_MASK(interval->kind);
	nsec_t last = 0;

	if (!(machine->interval_kinds & mask))
		return;
	for (size_t i = PHASE_COUNT; i-- > 0;)
		if (interval->phase[i] != NSEC_NEVER)
			interval->begin = interval->phase[i];
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		if (interval->phase[i] == NSEC_NEVER)
			continue;
		assert(interval->phase[i] >= last);
		last = interval->phase[i];
	}
	assert(machine->begin <= interval->begin && last <= interval->end &&
	       interval->begin <= interval->end);
	interval->is_doubtful = !(mask & KINDS_OF_A_CPU) && interval->begin < machine->gap_end;
	if (machine->queued_until) {
		sink_queue_put_interval(machine, interval);
		return;
	}
	for (size_t i = 0; i < machine->setup.interval_sink_count; i++) {
		const struct interval_sink *sink = &machine->setup.interval_sinks[i];

		if (sink->kinds & mask)
			sink->on_interval(sink->state, interval);
	}
}

uint32_t intervals_wanted(const struct machine_setup *setup)
{
	uint32_t kinds = 0;

	for (size_t i = 0; i < setup->interval_sink_count; i++)
		kinds |= setup->interval_sinks[i].kinds;
	return kinds;
}
