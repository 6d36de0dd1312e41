/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the time stamps of a recording become nanoseconds. Most clocks count nanoseconds; x86-tsc
 * counts cycles, whose length the kernel publishes through perf events, but not in a virtual
 * machine that takes its clock from the host, nor if the counter is not stable.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

#include "base/text/buffer.h"

/* nanoseconds = stamp * mult >> shift; mult 0: the stamps are nanoseconds. */
#define CLOCK_BEST "mono"

struct clock_scale {
	uint32_t mult, shift;
};

/*
 * `dir` is an instance, `name` its clock. -ENOTSUP if its stamps cannot become nanoseconds: `why`
 * gets the reason and, after "; ", the clocks that work.
 */
int clock_scale_find(const char *dir, const char *name, struct clock_scale *ret,
                     struct buffer *why);
/* The scale in a perf event's page; -ENOTSUP if it has none. */
int clock_scale_of_page(const volatile struct perf_event_mmap_page *page,
                        struct clock_scale *ret);
/* The clock for a recording if none is asked for: CLOCK_BEST, unless DIR/trace_clock says that the
   kernel does not have it. */
const char *clock_default(const char *dir);
/* Appends the names of the clocks in DIR/trace_clock that count nanoseconds, separated by
   blanks. */
void clock_names_append(const char *dir, struct buffer *to);
