/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which packet that one machine sent is which packet that another one received, and how their
 * clocks relate by these, where nothing of a packet is known but its time and its length. If calls
 * of connections between the two were recorded, they relate the clocks more surely (stream_fit.h),
 * and packets are paired by that.
 *
 * Packets of one length are paired where their times agree with one difference of the clocks, which
 * drifts by at most CLOCK_SLOPE_MAX, and that difference must explain the packets much better than
 * all others do. A rare length counts as much as a frequent one, as a shift by one packet fits
 * hundreds of equal packets, but not the few of other lengths beside them.
 *
 * What is not sure is not paired: a false pair may make the bound too small. Equal packets in
 * quick succession are paired in their order if as many were sent as received, and else not at all.
 *
 * The result is the same in both orders of the machines, but for signs. It takes O(n log n) time
 * for n packets, and 40 bytes each, but no more than 200 MiB beside these: of lengths with
 * thousands of packets, those after the longest silence stand for all where clocks are compared.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "clock_fit.h"
#include "host_packets.h"

/* Indices in the log of the sender, and in that of the receiver. */
struct packet_pair {
	uint32_t sent, received;
};

/* The packets of one direction. */
struct packet_way {
	struct packet_pair *pair; /* by `sent`; no packet is in two */
	size_t count;
	/* sent, and received, while both machines were recorded, but not paired */
	size_t sent_alone, received_alone;
};

/* Set to zero before packet_pairs_find(), or released. */
struct packet_pairs {
	struct packet_way there; /* from the first machine to the second */
	struct packet_way back;
	struct clock_fit fit; /* the clock of the first machine by that of the second */
	uint64_t calls; /* so many calls are what `fit` is from; 0: it is from the pairs */
};

enum packet_pairs_result {
	PACKET_PAIRS_FOUND,
	PACKET_PAIRS_NONE, /* no talk both ways was found, or too little of it */
	PACKET_PAIRS_AMBIGUOUS, /* the talk repeats itself, and fits at several differences */
};

/* Where pairs are found, *ret is set, and to be released; by fit.line none of them is received
   before it is sent. */
enum packet_pairs_result packet_pairs_find(const struct host_packets *first,
                                           const struct host_packets *second,
                                           struct packet_pairs *ret);
void packet_pairs_release(struct packet_pairs *pairs);
