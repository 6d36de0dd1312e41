/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks that a kernel can use for the time stamps of its events, by their names in tracefs
 * (trace_clock), and what they count.
 */
#pragma once

#include <stddef.h>

struct trace_clock {
	const char *name;
	const char *unit; /* the unit of a stamp; NULL: nanoseconds */
	/* The clock of clock_gettime(2) that it is, as Perfetto calls it: without "CLOCK_"; NULL:
	   none of those that Perfetto knows. */
	const char *posix;
};

/* The clock of that name; NULL if this table does not have it. */
const struct trace_clock *trace_clock_find(const char *name);
/* The known clocks by index; NULL beyond the last. */
const struct trace_clock *trace_clock_at(size_t index);
