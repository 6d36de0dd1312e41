/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_pace.h"

#define OWN_CPU_MAX 0.02
#define DEAR_NS     5000000000u

struct top_pace top_pace_new(nsec_t interval)
{
	return (struct top_pace){.interval = interval, .dear_since = NSEC_NEVER};
}

bool top_pace_take(struct top_pace *pace, nsec_t begin, nsec_t end, double own_cpu)
{
	if (own_cpu <= OWN_CPU_MAX)
		pace->dear_since = NSEC_NEVER;
	else if (pace->dear_since == NSEC_NEVER)
		pace->dear_since = begin;
	if (pace->dear_since == NSEC_NEVER || end - pace->dear_since < DEAR_NS ||
	    pace->interval > TOP_PACE_MAX / 2)
		return false;
	pace->interval *= 2;
	pace->dear_since = NSEC_NEVER;
	return true;
}
