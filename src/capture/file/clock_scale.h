/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the stamps of a recording become nanoseconds. Most clocks count them; x86-tsc counts cycles,
 * and how long one is the kernel tells through perf events: never in a virtual machine whose own
 * clock comes from its host, nor where the counter is not stable.
 */
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

#include "base/buffer.h"

/* nanoseconds = stamp * mult >> shift; mult 0: the stamps are nanoseconds. */
struct clock_scale {
	uint32_t mult, shift;
};

/*
 * `dir` is an instance, `name` its clock. -ENOTSUP where its stamps cannot become nanoseconds:
 * `why` says why and, behind "; ", which clocks serve.
 */
int clock_scale_find(const char *dir, const char *name, struct clock_scale *ret,
                     struct buffer *why);
/* What a perf event's page tells of the cycle counter; -ENOTSUP where it does not. */
int clock_scale_of_page(const volatile struct perf_event_mmap_page *page,
                        struct clock_scale *ret);
/* Appends the names of the clocks in DIR/trace_clock that count nanoseconds, blanks between. */
void clock_names_append(const char *dir, struct buffer *to);
