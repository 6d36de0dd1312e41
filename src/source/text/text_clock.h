/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of a text. Text does not name it, but atrace writes two marks when it begins and ends:
 *
 *	tracing_mark_write: trace_event_clock_sync: parent_ts=4128.044189
 *	tracing_mark_write: trace_event_clock_sync: realtime_ts=1697542281337
 *
 * The first has CLOCK_MONOTONIC in seconds, the second the time of day in milliseconds.
 */
#pragma once

#include <stdbool.h>

#include "ftwait/source.h"
#include "text_head.h"

struct text_clock {
	bool is_monotonic, is_other; /* the records' times are CLOCK_MONOTONIC, or are not */
	struct realtime realtime;
};

void text_clock_see(struct text_clock *clock, const struct text_head *head);
void text_clock_describe(const struct text_clock *clock, struct source *source);
