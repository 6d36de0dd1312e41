/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and answers of two ends that talk in turns (INTERVAL_EXCHANGE), summed by task, role and
 * the server's address: for a server its own address, for a client that of its requests. A row
 * takes about 3 KB; there are at most 2^13.
 */
#pragma once

#include "analysis/tables/relation.h"

/* The rows are this list's own. */
void exchange_list_init(struct relation *exchanges);
void exchange_list_release(struct relation *exchanges);
void exchange_list_add(struct relation *exchanges, const struct interval *interval);
/* Which ends of connections were recorded, whatever their calls. */
struct connection_ends {
	const void *state;
	bool (*has)(const void *state, uint32_t address); /* name id; 0: not known */
};

/* Prints which server worked most, which client waited most for answers, and the parts of that
   wait; nothing if no two ends talked in turns. */
void exchange_list_print(const struct relation *exchanges, const struct question *question,
                         const struct connection_ends *ends, const struct output *to);
/* The table. */
void exchange_list_put(const struct relation *exchanges, const struct question *question,
                       const struct output *to);
