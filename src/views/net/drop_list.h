/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dropped packets, summed by reason, place and sender, where that is known, so that tasks can be
 * selected when the trace has ended. About 50 bytes for each combination, at most DROP_ROWS_MAX.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/map.h"

#define DROP_ROWS_MAX (1u << 16)

struct drop_row {
	uint32_t reason, function; /* name ids; reason 0: the kernel reports none */
	uint32_t task;             /* line; LINE_NONE */
	uint64_t count;
};

struct drop_list {
	struct drop_row *row;
	size_t count, capacity;
	struct map by_hash;
	uint64_t left_out;
};

void drop_list_init(struct drop_list *list);
void drop_list_release(struct drop_list *list);
/* Takes an INTERVAL_DROP. */
void drop_list_add(struct drop_list *list, const struct interval *interval);
/* Whether they were recorded. */
enum events_recorded drop_list_recorded(const struct question *question);
/* Prints sentences, most first, with drops that mean no loss apart; nothing if drops were not
   recorded. */
void drop_list_tell(const struct drop_list *list, const struct question *question,
                    const struct presenter *presenter, void *to);
/* Prints the table; one row for each reason. */
void drop_list_put(const struct drop_list *list, const struct question *question,
                   const struct presenter *presenter, void *to);
