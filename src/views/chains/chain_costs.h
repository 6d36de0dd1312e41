/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chains of the view --chains, for callers that compare runs. `view` is its state: the resolved
   question. */
#pragma once

#include "analysis/cost_sum.h"

/* Larger numbers of different chains are cut to those with most time. */
#define CHAINS_PASSED_MAX 4096

/*
 * Passes each chain of the waits of the asked tasks, in no certain order: `what` is the names of
 * its tasks and what the last one waited for or did, from the waiter on: "svc <- worker/0 <- disk
 * vda".
 * `total` is the time that ended there; together it is the waiting time of the asked tasks. `count`
 * is the number of waits: a wait of which parts ended in several chains counts in each.
 *
 * Chains beyond CHAINS_PASSED_MAX are one sum without `what`.
 */
void chains_each(const void *view, cost_taker *take, void *state);
