/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filters of the events of a prepared instance (prepared_instance.h), which a recorder restores
 * when it returns the instance. They stay in the kernel when events are switched off, and would
 * hide events from the recorder.
 *
 * Triggers cannot be restored: what they counted, and the histograms that they made, are lost when
 * they are removed. So an instance that has any is not taken.
 */
#pragma once

#include <stddef.h>

#include "base/buffer.h"

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
/* Writes these filters. Errors have no remedy. */
void event_filters_write(const char *dir, const struct event_filters *filters);
void event_filters_release(struct event_filters *filters);
