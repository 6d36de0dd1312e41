/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the view --costs has found, for callers that compare runs. `view` is its state, from
 * report_run_read() on; texts are borrowed from it.
 */
#pragma once

#include "analysis/cost_sum.h"

/* The name of the task that the path belongs to; NULL: the rows are of several tasks. */
const char *costs_root(const void *view);
/* The sum of all rows. */
nsec_t costs_wall(const void *view);
/* The part of it that is explained, 0..1. */
double costs_explained(const void *view);
/* Passes each row, in no certain order. If the question asks for costs by group, rows are divided
   by the control group of the tasks that spent the time: `what` is its path, or words where it has
   none. */
void costs_each(const void *view, cost_taker *take, void *state);
/* The costs of [begin, end) of the path of one task, as a state of its own for the functions above.
   The view's must stay; release this one before. */
void *costs_of_stretch(const void *view, uint32_t track, nsec_t begin, nsec_t end);
void costs_of_stretch_release(void *stretch);
