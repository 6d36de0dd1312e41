/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits of which some stand for others (graph/walk/walk_sample.h), beside a walk of each. */
#pragma once

#include <stdint.h>

#include "graph/timeline/timeline.h"

/* How often that was so: a check in which it never is says nothing. */
struct sample_count {
	uint64_t waits, spared, spared_of_many;
};

/* With next to no time for walks, what is said to be exact is; adds to *count. NULL, or what is
   wrong. The seed decides how little time there is. */
const char *sample_check(struct timeline *timeline, uint64_t seed, struct sample_count *count);
