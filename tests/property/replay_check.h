/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --what-if says of a timeline, beside what must hold whatever that is. */
#pragma once

#include <stdint.h>

#include "graph/timeline/timeline.h"

/* How often something was saved: a check in which it never is says nothing. */
struct replay_count {
	uint64_t asked, saves, wide;
};

/* With a factor of 1 nothing is saved, a smaller factor saves no less, and the interval is one and
   lies within the task's time. Adds to *count. NULL, or what is wrong. */
const char *replay_check(struct timeline *timeline, uint64_t seed, struct replay_count *count);
