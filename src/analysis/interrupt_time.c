/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interrupt_time.h"

#include <string.h>

#include "base/array.h"

/* A thread for which soft interrupts are the work that it is scheduled for. */
static bool line_serves_softirqs(const struct timeline *timeline, uint32_t line)
{
	static const char *const threads[] = {"ksoftirqd/", "ktimers/", "ktimersoftd/"};
	const char *name;

	if (line == LINE_NONE)
		return false;
	name = intern_text(&timeline->names, timeline_name_at(&timeline->line[line], NSEC_NEVER));
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		if (strncmp(name, threads[i], strlen(threads[i])) == 0)
			return true;
	return false;
}

bool interval_is_interrupt(const struct timeline *timeline, const struct interval *interval)
{
	if (interval->kind == INTERVAL_TIMER)
		return !interval->timer.is_soft;
	if (interval->kind == INTERVAL_SOFTIRQ)
		return !line_serves_softirqs(timeline, interval->task);
	return interval->kind == INTERVAL_IRQ || interval->kind == INTERVAL_IPI;
}
