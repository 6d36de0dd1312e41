/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long intervals are: what costs more CPU time than it may is shown less often. If ftwait takes
 * more than 2 % of one CPU for 5 s, the interval doubles, up to TOP_PACE_MAX: most of the CPU time
 * is spent on events, so that a longer interval would save nothing, and show waits too late.
 */
#pragma once

#include <stdbool.h>

#include "ftwait/nsec.h"

#define TOP_PACE_MAX UINT64_C(16000000000)

struct top_pace {
	nsec_t interval;   /* the user may set it at any time, also to more than TOP_PACE_MAX */
	nsec_t dear_since; /* since when it takes more than it may; NSEC_NEVER: it does not */
};

struct top_pace top_pace_new(nsec_t interval);
/* An interval has ended in which ftwait took this share of one CPU. Returns whether the interval is
   twice as long now. */
bool top_pace_take(struct top_pace *pace, nsec_t begin, nsec_t end, double own_cpu);
