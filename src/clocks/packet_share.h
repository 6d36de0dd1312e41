/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many packets of a talk have a partner, by time. If a clock is set during the talk, then
 * before or after that all packets of one direction seem to be received before they are sent, and
 * have no partner, while those of the other one only seem late. A comparison of the two
 * directions, before and after every time, finds such a direction.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock_fit.h"
#include "host_packets.h"

#define SHARE_SLICES 16 /* parts of the time */

/* One direction, by slice. */
struct packet_share {
	uint64_t paired[SHARE_SLICES];
	/* pairs of lengths that there might have been: as many were both sent and received */
	uint64_t alone[SHARE_SLICES];
};

/* ns, on one clock */
struct share_time {
	int64_t begin, end;
};

/* Packets of one machine: how many of them have a partner is in `paired`. */
struct share_side {
	const struct packet_sight *sight;
	size_t count;
	const struct clock_line *line; /* to the clock of the time; NULL: it is that */
	const bool *is_paired;
};

void packet_share_find(const struct share_side *sent, const struct share_side *received,
                       const struct share_time *time, struct packet_share *ret);

/* Whether one of the directions has packets without partner from some time on, or until then, where
   by the rest of the talk, and the other direction, many pairs are to be expected. */
bool packet_shares_differ(const struct packet_share *there, const struct packet_share *back);
