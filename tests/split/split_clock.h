/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of a machine that is made up: an exact function of the clock of the recording.
 *
 *	shift(t) = offset + floor(slope_ppm * (t - origin) / 1000000) + (step if t >= step_at)
 */
#pragma once

#include <stdint.h>

#include "ftwait/nsec.h"

#define SPLIT_SLOPE_MAX 500

struct split_clock {
	nsec_t origin;      /* of the slope: the first record of the recording */
	int64_t offset;     /* ns */
	int64_t slope_ppm;  /* at most SPLIT_SLOPE_MAX, either way */
	nsec_t step_at;
	int64_t step;       /* ns; no clock goes back */
	int64_t real;       /* ns that the time of day is ahead, which the shift leaves as it is */
	int64_t error; /* of its time of day, as its kernel says; 0: it is not kept right */
};

/* ns to add to that time of the recording. */
int64_t split_clock_shift(const struct split_clock *clock, nsec_t time);
nsec_t split_clock_time(const struct split_clock *clock, nsec_t time);
