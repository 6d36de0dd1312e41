/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks that a kernel can use for the time stamps of its events, by their names in tracefs
 * (trace_clock), and what they count.
 */
#pragma once

#include <stddef.h>

/* Whether a clock counts the time in which the machine sleeps, suspended. */
enum clock_sleep {
	SLEEP_UNKNOWN,
	SLEEP_COUNTED,
	SLEEP_LEFT_OUT,
	/* It is the scheduler's clock (sched_clock() of the kernel): left out, except on x86 in
	   suspend-to-idle. There the TSC goes on counting; in suspend to RAM the kernel sets the
	   clock back to where it was (tsc_restore_sched_clock_state()). Other machines stop it in
	   both (sched_clock_suspend()). */
	SLEEP_BY_MACHINE,
};

struct trace_clock {
	const char *name;
	const char *unit; /* the unit of a stamp; NULL: nanoseconds */
	/* The clock of clock_gettime(2) that it is, as Perfetto calls it: without "CLOCK_"; NULL:
	   none of those that Perfetto knows. */
	const char *posix;
	enum clock_sleep sleep;
};

/* The clock of that name; NULL if this table does not have it. */
const struct trace_clock *trace_clock_find(const char *name);
/* The known clocks by index; NULL beyond the last. */
const struct trace_clock *trace_clock_at(size_t index);
