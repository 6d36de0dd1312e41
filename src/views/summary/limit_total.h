/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel counts of CPU limits, where the events show less of it; see limit_total.c. */
#pragma once

#include "cost_list.h"
#include "summary_times.h"

/* How much of the cost COST_QUEUE the kernel counts as held back by CPU limits, beside what was
   placed; 0: too little to be said, or not known. */
nsec_t limit_total_unplaced(const struct summary *summary, const struct cost_list *list);
