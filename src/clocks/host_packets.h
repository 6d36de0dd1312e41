/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The packets of a recording, as the network stack of its machine saw them, and its connections. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "host_streams.h"

/* A clock that is so far ahead is none, and sums of its times may wrap. */
#define HOST_TIME_MAX (UINT64_C(1) << 61)

/* ns; by how much two clocks differ at most that were compared already: by half a round trip of a
   network, or by acknowledgements that a machine delays, up to 0.2 s. */
#define HOST_APART_MAX 1000000000

struct packet_sight {
	nsec_t time;
	uint32_t bytes; /* without the link header, at least 46, on both sides alike */
};

/* The packets of one machine, in order of time, on its clock; borrowed. Those that stay within the
   machine are left out. */
struct host_packets {
	const struct packet_sight *sent;
	size_t sent_count;
	const struct packet_sight *received;
	size_t received_count;
	nsec_t begin, end; /* of the recording */
	uint32_t same_clock; /* machines with the same number have one clock; 0: an own one */
	/* Recordings with the same number, other than 0, have times on one clock, to within
	   HOST_APART_MAX. */
	uint64_t near_clock;
	const struct host_stream *streams; /* in any order */
	size_t stream_count;
};
