/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks that a kernel can use for the time stamps of its events, by their names in tracefs
 * (trace_clock), and what they count.
 */
#pragma once

#include <stdbool.h>

/* Whether a clock counts the time in which the machine sleeps during system suspend. */
enum clock_sleep {
	SLEEP_UNKNOWN,
	SLEEP_COUNTED,
	SLEEP_LEFT_OUT,
	/* The clock is the kernel's sched_clock(). On x86 the TSC continues in suspend-to-idle, so
	   that time is counted. After suspend to RAM, x86 sets the clock back to its old value
	   (tsc_restore_sched_clock_state()). Other architectures stop it in both
	   (sched_clock_suspend()). */
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
/* Whether a recording with that clock can be followed while it is made: at any time it can be said
   that all later events, of whatever CPU, have later stamps. Setting the time of day sets "tai". */
bool trace_clock_can_be_followed(const char *name);
