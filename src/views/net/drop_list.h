/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dropped packets, summed by reason, place and, if it is known, sender, so that tasks can be
   selected when the trace has ended. About 50 bytes for each combination, at most 2^16. */
#pragma once

#include "analysis/tables/relation.h"

/* The rows are this list's own. */
void drop_list_init(struct tally *drops);
void drop_list_release(struct tally *drops);
/* Takes an INTERVAL_DROP of that machine. */
void drop_list_add(struct tally *drops, uint32_t machine, const struct interval *interval);
/* Whether drops were recorded. */
enum events_recorded drop_list_recorded(const struct question *question);
/* Prints sentences with the most frequent reasons first, and drops that are no loss apart; prints
   nothing if drops were not recorded. */
void drop_list_print(const struct tally *drops, const struct question *question,
                     const struct output *to);
/* Prints the table; one row for each reason, of each machine. */
void drop_list_put(const struct tally *drops, const struct question *question,
                   const struct output *to);
