/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns of two ends that talk in turns (INTERVAL_EXCHANGE), added up by who talked, in which role,
 * at which address: a server's own, or the one that a client asked. About 3 KB each of these, at
 * most EXCHANGE_ROWS_MAX.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "analysis/distribution.h"
#include "base/map.h"

#define EXCHANGE_ROWS_MAX (1u << 13)

enum exchange_role {
	ROLE_UNKNOWN, /* the connection is older than the trace */
	ROLE_SERVER,
	ROLE_CLIENT,
};

struct exchange_row {
	uint32_t task;    /* line; LINE_NONE */
	uint8_t role;     /* enum exchange_role */
	bool is_guess;    /* of some connection the role is guessed by its ports */
	uint32_t address; /* name id; 0: not known */
	struct distribution wait, receive, work, send;
	/* of the waits of a client, as far as both ends are known; and of the others all of it */
	struct distribution way_out, answering, way_back;
	nsec_t undivided;
};

struct exchange_list {
	struct exchange_row *row;
	size_t count, capacity;
	struct map by_hash;
	uint64_t left_out;
};

void exchange_list_init(struct exchange_list *list);
void exchange_list_release(struct exchange_list *list);
void exchange_list_add(struct exchange_list *list, const struct interval *interval);
/* Writes which server worked most, and which client waited most for answers and how that divides;
   nothing if no two ends talked in turns. */
void exchange_list_tell(const struct exchange_list *list, const struct question *question,
                        const struct presenter *presenter, void *to);
/* The table. */
void exchange_list_put(const struct exchange_list *list, const struct question *question,
                       const struct presenter *presenter, void *to);
