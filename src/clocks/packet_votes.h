/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long packets took from one machine to the other, with the difference of the clocks in it:
 * each two packets of one length, sent and received, vote for the difference of their times. Votes
 * of true pairs are close to each other, and those of false ones are spread over the time of both
 * recordings.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host_packets.h"

/* 32 bytes each */
#define PACKET_VOTES_MAX (1u << 19)

struct packet_vote {
	int64_t taken;   /* ns, from when it was sent to when it was received, each by its clock */
	int64_t at;      /* ns, on one of the clocks, from an origin */
	int64_t reach;   /* ns, half of what is between packets of that length on average */
	uint64_t weight; /* the true votes of n packets of a length sum up to about the root of n */
};

#define PACKET_VOTE_ONE (UINT64_C(1) << 20)

struct packet_votes {
	struct packet_vote *vote; /* in no order that matters */
	size_t count;
};

/* Packets of one direction as the two machines saw them. The origin is on the clock of the sender,
   or on that of the receiver; `at` likewise. *ret is to be released. */
void packet_votes_find(const struct packet_sight *sent, size_t sent_count,
                       const struct packet_sight *received, size_t received_count, nsec_t origin,
                       bool is_at_receipt, struct packet_votes *ret);
/* Leaves out votes for more than that, in either direction. */
void packet_votes_limit(struct packet_votes *votes, int64_t most);
void packet_votes_release(struct packet_votes *votes);
