/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that the view --syscall has found, for callers that compare runs. `view` is its
   state, from report_run_read() on. */
#pragma once

#include "analysis/cost_sum.h"

/* Passes each call of each asked task that has returned, in no certain order; `what` is its name,
   `total` the sum of the times from its entry to its return. */
void calls_each(const void *view, cost_taker *take, void *state);
