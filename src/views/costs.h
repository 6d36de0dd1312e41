/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the views --costs, --chains and --syscall have found, for callers that compare runs. `view`
 * is the view's state, from report_run_read() on; texts are borrowed from it.
 */
#pragma once

#include "analysis/tables/cost_kind.h"

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

/* Larger numbers of different chains are cut to those with most time. */
#define CHAINS_PASSED_MAX 4096

/*
 * Passes each chain of the view --chains, of the waits of the asked tasks, in no certain order:
 * `what` is the names of its tasks and what the last one waited for or did, from the waiter on:
 * "svc <- worker/0 <- disk vda".
 * `total` is the time that ended there; together it is the waiting time of the asked tasks. `count`
 * is the number of waits: a wait of which parts ended in several chains counts in each.
 *
 * Chains beyond CHAINS_PASSED_MAX are one sum without `what`.
 */
void chains_each(const void *view, cost_taker *take, void *state);

/* Passes each call of the view --syscall, of each asked task, that has returned, in no certain
   order; `what` is its name, `total` the sum of the times from its entry to its return. */
void calls_each(const void *view, cost_taker *take, void *state);
