/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of a recording: what its stamps mean, and what time of day it was. */
#pragma once

#include <linux/perf_event.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/realtime.h"

/*
 * How the time stamps of a recording become nanoseconds. Most clocks count nanoseconds; x86-tsc
 * counts cycles, whose length the kernel publishes through perf events, but not in a virtual
 * machine that takes its clock from the host, nor if the counter is not stable.
 */

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
int clock_scale_of_page(const volatile struct perf_event_mmap_page *page, struct clock_scale *ret);
/* The clock for a recording if none is asked for: CLOCK_BEST, unless DIR/trace_clock says that the
   kernel does not have it. */
const char *clock_default(const char *dir);
/* Appends the names of the clocks in DIR/trace_clock that count nanoseconds, separated by
   blanks. */
void clock_names_append(const char *dir, struct buffer *to);

/*
 * Reads the clock of a recording and CLOCK_REALTIME at nearly the same instant. Clocks that a
 * program can read, too, are read with clock_gettime(2); of the others the kernel prints the time
 * in an instance's per_cpu/cpuN/stats ("now ts"), in microseconds, or in stamps if these count no
 * nanoseconds.
 */

struct timex;

/* Reads the clock of that name (trace_clock). Returns 0, or -errno; -ENOENT: a program cannot read
   it. */
int recording_clock_read(const char *name, nsec_t *ret);
/* Reads the clock of an instance; what it has in microseconds is rounded down. Returns 0, or
   -errno. */
int instance_clock_read(const char *dir, const struct clock_scale *scale, nsec_t *ret);
/* `dir` is an instance that uses the clock of that name; NULL: there is none, -ENOENT unless a
   program can read the clock. Returns 0, or -errno. */
int realtime_read(const char *dir, const char *name, const struct clock_scale *scale,
                  struct realtime_pair *ret);
/* The member `error` of a pair, from what adjtimex(2) returned and filled in. */
nsec_t realtime_error(int state, const struct timex *times);
/* Finds the time in the text of a file `stats`, in ns; -EINVAL if it has none. */
int stats_now_parse(const char *text, const struct clock_scale *scale, nsec_t *ret);
/* Appends the "realtime NS REAL WITHIN [ERROR]" line (ftwait/stream.h). */
void realtime_pair_describe(const struct realtime_pair *pair, struct buffer *to);
