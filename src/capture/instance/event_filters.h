/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves, clears and restores the event filters of a prepared instance (prepared_instance.h). The
 * kernel keeps filters while events are disabled; during a recording they would hide events.
 *
 * Triggers cannot be restored: removing one loses its counters and histograms. Therefore a recorder
 * refuses an instance with triggers.
 */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"

struct event_filters {
	struct event_filter {
		char *file; /* "events/sched/sched_switch/filter" */
		char *text; /* "prev_pid == 1" */
	} *filter;
	size_t count, capacity;
};

/* Reads the filters of all events. Returns 0, or -EBUSY and a line in `why` if an event has a
   trigger. In either case the caller calls event_filters_release(). */
int event_filters_read(const char *dir, struct event_filters *filters, struct buffer *why);
/* Removes all filters, and the triggers that recorders set (stack_events.h). */
void event_filters_clear(const char *dir);
/* Sets these filters. Errors are ignored, as nothing can be done about them. */
void event_filters_write(const char *dir, const struct event_filters *filters);
void event_filters_release(struct event_filters *filters);
