/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the clock of a recording and CLOCK_REALTIME at nearly the same instant. Clocks that a
 * program can read, too, are read with clock_gettime(2); of the others the kernel prints the time
 * in an instance's per_cpu/cpuN/stats ("now ts"), in microseconds, or in stamps if these count no
 * nanoseconds.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/realtime.h"
#include "recorder/file/clock_scale.h"

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
