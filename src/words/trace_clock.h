/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks that a kernel can take the stamps of its events from, by the names that tracefs has
 * for them (trace_clock), and what they count.
 */
#pragma once

#include <stddef.h>

struct trace_clock {
	const char *name;
	const char *unit; /* what a stamp is a number of; NULL: of nanoseconds */
};

/* NULL: a name that is not known here. */
const struct trace_clock *trace_clock_find(const char *name);
/* All that are known here; NULL beyond the last. */
const struct trace_clock *trace_clock_at(size_t index);
