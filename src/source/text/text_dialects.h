/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the texts of some programs have: perf script, atrace. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/source.h"
#include "source/source_notes.h"
#include "text_head.h"
#include "text_layout.h"

/*
 * What only text of perf script has: tasks that a head does not name, call chains, losses and the
 * lines of its header.
 */

struct text_perf {
	bool is_seen, has_losses;         /* there is a line of perf script; that shows a loss */
	int32_t behind[TEXT_CPUS_MAX]; /* the CPU's current task + 1; 0: no switch yet */
};

/*
 * Names the task of a head where perf does not know it: no events of a task that has ended have its
 * ID. Returns false if no switch has shown it, and the line is no switch.
 */
bool text_perf_see(struct text_perf *perf, struct text_head *head);
/* Call it when the line has been read. */
void text_perf_follow(struct text_perf *perf, struct text_layout *layout, struct text_head *head);
/* A line of perf script --header. Names are added to `store`, or already in it. */
void text_perf_header(struct text_line line, struct source *source, struct text_store *store);
/* "PERF_RECORD_LOST lost 123": how many; 0: the line shows no loss. */
uint64_t text_perf_loss(const struct text_head *head);
/*
 * Whether the line is a frame of a call chain. *ret_frame is then the address that `symbols` gives
 * the function; 0: a function of a program, one without a name, or one of the tracing itself.
 */
bool text_perf_frame(struct text_line line, struct text_symbols *symbols, uint64_t *ret_frame);
/* If a frame, innermost first, is a function of interrupts, the head gets its flag, unless it
   has one. Returns whether that is the flag of hard interrupts. */
bool text_perf_context(struct text_line line, struct text_head *head);

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

struct text_clock {
	/* Some mark agreed with its time stamp; some mark did not. */
	bool is_monotonic, is_other;
	struct realtime realtime;
};

/* Reads the mark, if the line is one. */
void text_clock_see(struct text_clock *clock, const struct text_head *head);
/* Whether the text has such marks: then it is of atrace. */
static inline bool text_clock_is_seen(const struct text_clock *clock)
{
	return clock->is_monotonic || clock->is_other || clock->realtime.count > 0;
}
/* Sets the source's clock and realtime. */
void text_clock_describe(const struct text_clock *clock, struct source *source);
