/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of a text recording. The text does not name its clock, but atrace writes two marks at
 * the begin and at the end of a recording:
 *
 *	tracing_mark_write: trace_event_clock_sync: parent_ts=4128.044189
 *	tracing_mark_write: trace_event_clock_sync: realtime_ts=1697542281337
 *
 * The first contains CLOCK_MONOTONIC in seconds. If that agrees with the time stamp of the mark,
 * the clock of the text is mono. The second contains the time of day in milliseconds.
 */
#pragma once

#include <stdbool.h>

#include "ftwait/source.h"
#include "text_head.h"

struct text_clock {
	/* Some mark agreed with its time stamp; some mark did not. */
	bool is_monotonic, is_other;
	struct realtime realtime;
};

/* Reads the mark, if the line is one. */
void text_clock_see(struct text_clock *clock, const struct text_head *head);
/* Sets the source's clock and realtime. */
void text_clock_describe(const struct text_clock *clock, struct source *source);
