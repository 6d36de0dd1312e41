/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The difference of two clocks on which the votes of both directions agree (packet_votes.h).
 * Packets take at least some time, many take little more, and a few take much more: so a difference
 * is good where many votes follow it closely. Candidates are where many votes are near each other;
 * each of them is followed through the recordings by all slopes that clocks may have.
 */
#pragma once

#include <stdbool.h>

#include "clock_fit.h"
#include "packet_votes.h"

struct packet_shift {
	int64_t slope; /* of `taken` back, as in struct clock_line; there it is the negative */
	/* What the quickest packets seem to take, but for the slope: the sum is what they take. */
	int64_t there, back;
	int64_t there_spread, back_spread; /* half of the packets take no longer than that more */
	uint64_t there_weight, back_weight;
	/* another difference, which does not fit the other direction, explains as much, or many
	   packets would be early: unless most packets have a partner, it is none */
	bool there_is_doubtful, back_is_doubtful;
};

enum packet_shift_result {
	PACKET_SHIFT_FOUND,
	PACKET_SHIFT_NONE,
	PACKET_SHIFT_AMBIGUOUS, /* another one explains nearly as much */
};

/* Sorts the votes. `together` is how long both machines can have been recorded, at most. */
enum packet_shift_result packet_shift_find(struct packet_votes *there, struct packet_votes *back,
                                           nsec_t together, struct packet_shift *ret);
