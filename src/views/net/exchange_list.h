/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and answers of two ends that talk in turns (INTERVAL_EXCHANGE), summed by task, role and
 * the server's address: for a server its own address, for a client that of its requests. A row
 * takes about 3 KB; there are at most 2^13.
 */
#pragma once

#include "analysis/tables/relation.h"

/*
 * The slowest single requests: for a server its work on one, for a client its wait for one answer,
 * each with the options that show its critical path. Turns of connections for which it is not known
 * which end asks are left out.
 *
 * As only the end of the trace shows which tasks are asked for, the slowest of each task are kept,
 * as many as are shown: about 3 KB a task.
 */

/* The rows are this list's own. */
void slowest_requests_init(struct tally *slowest);
void slowest_requests_release(struct tally *slowest);
void slowest_requests_add(struct tally *slowest, const struct interval *interval);
/* The table; text shows none if it is empty. */
void slowest_requests_put(const struct tally *slowest, const struct question *question,
                          const struct output *to);

/* The rows are this list's own. */
void exchange_list_init(struct tally *exchanges);
void exchange_list_release(struct tally *exchanges);
void exchange_list_add(struct tally *exchanges, const struct interval *interval);
/* Which ends of connections were recorded, whatever their calls. */
struct connection_ends {
	const void *state;
	bool (*has)(const void *state, uint32_t address); /* name id; 0: not known */
};

/* Prints which server worked most, which client waited most for answers, and the parts of that
   wait; nothing if no two ends talked in turns. */
void exchange_list_print(const struct tally *exchanges, const struct question *question,
                         const struct connection_ends *ends, const struct output *to);
/* The table. */
void exchange_list_put(const struct tally *exchanges, const struct question *question,
                       const struct output *to);
