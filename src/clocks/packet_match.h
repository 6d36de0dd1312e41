/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs the packets of one direction, where it is known about when each one arrives. Packets are
 * paired that are within reach of each other and of no others; of several in quick succession, all
 * in their order, if as many were sent as received.
 *
 * Packets of others, or lost ones, leave accidental pairs. How many there are is estimated by
 * pairing again with wrong times: a length of which too many pairs may be accidents is not paired,
 * and packets that are as quick as only accidents are, neither.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A packet of one length, and its number in the log. */
struct timed_sight {
	int64_t time; /* ns, on a clock on which the quickest packets take no time */
	uint32_t bytes, index;
};

#define PACKET_ALONE UINT32_MAX

struct packet_match {
	/* By length and time. */
	struct timed_sight *sent, *received;
	size_t sent_count, received_count;
	int64_t spread; /* half of the packets take no longer */

	uint32_t *partner; /* by number of the sent packet: that of the received one, or ALONE */
	/* likewise: it is so quick that it may be an accident, which must not narrow the clocks;
	   is_lone: it is quicker than all others by more than these differ, though an accident is
	   hardly possible */
	bool *is_quick, *is_lone;
	size_t partner_count;
	/* Pairs that take as long as most do, and not directly after another one; and how many of
	   these there are with wrong times. */
	size_t independent, by_chance;
};

/* Set the first members; packet_match_release() frees the sights, too. */
void packet_match_find(struct packet_match *match);
void packet_match_release(struct packet_match *match);
