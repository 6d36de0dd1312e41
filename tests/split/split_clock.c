/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "split_clock.h"

#define MILLION 1000000

static int64_t floor_divide(int64_t value, int64_t by)
{
	int64_t quotient = value / by;

	return quotient - (quotient * by > value);
}

int64_t split_clock_shift(const struct split_clock *clock, nsec_t time)
{
	int64_t since = (int64_t)(time - clock->origin);
	int64_t millions = floor_divide(since, MILLION), rest = since - millions * MILLION;
	int64_t drift = clock->slope_ppm * millions;

	drift += floor_divide(clock->slope_ppm * rest, MILLION);
	return clock->offset + drift + (time >= clock->step_at ? clock->step : 0);
}

nsec_t split_clock_time(const struct split_clock *clock, nsec_t time)
{
	return time + (uint64_t)split_clock_shift(clock, time);
}
