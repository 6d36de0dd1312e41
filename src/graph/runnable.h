/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why tasks are runnable. */
#pragma once

#include "graph/timeline/timeline.h"

/* Whether a switch has taken it off its CPU, and it was able to run on. */
static inline bool runnable_by_switch(uint8_t reason)
{
	return reason == RUNNABLE_PREEMPTED || reason == RUNNABLE_YIELDED ||
	       reason == RUNNABLE_GAVE_AWAY;
}
