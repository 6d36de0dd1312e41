/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest single requests: for a server its work on one, for a client its wait for one answer,
 * each with the options that show its critical path. Turns of connections for which it is not known
 * which end asks are left out.
 *
 * As only the end of the trace shows which tasks are asked for, the slowest of each task are kept,
 * as many as are shown: about 3 KB a task.
 */
#pragma once

#include "analysis/tables/relation.h"

/* The rows are this list's own. */
void slowest_requests_init(struct relation *slowest);
void slowest_requests_release(struct relation *slowest);
void slowest_requests_add(struct relation *slowest, const struct interval *interval);
/* The table; text shows none if it is empty. */
void slowest_requests_put(const struct relation *slowest, const struct question *question,
                          const struct output *to);
