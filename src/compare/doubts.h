/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why runs may differ for another reason than what is compared, in words. */
#pragma once

#include "cost_diff.h"

/* Beyond these the host took too much of the CPU time, or too little is explained. */
#define DOUBTFUL_STEAL     0.05
#define DOUBTFUL_EXPLAINED 0.9

struct doubts {
	char **text; /* phrases, printable UTF-8; owned */
	size_t count, capacity;
};

/* Finds the doubts about single runs, and about runs that were not made alike: other events,
   another kernel, another machine, another program. */
void doubts_find(struct doubts *doubts, const struct cost_diff *diff);
void doubts_release(struct doubts *doubts);
