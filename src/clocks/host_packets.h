/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The packets of a recording, as the network stack of its machine saw them, and its connections. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "words/endpoint.h"

/*
 * The ends of TCP connections that a machine has, as its programs' calls show them. Bytes are
 * counted from the connection's begin, which was recorded; so a byte has the same number at both
 * ends, whatever the network did to the packets that carried it.
 */

/* A call that sent. Byte `from` and all later ones left the machine at `time` or later. */
struct stream_sent {
	uint64_t from;
	/* Bytes that the caller itself had received from the peer before the call; 0: not known, as
	   another task received the last ones. */
	uint64_t taken;
	nsec_t time;     /* 0: not known */
	nsec_t returned; /* when the call did */
	int32_t sender;  /* tid of the caller */
	bool is_large;   /* `time` holds only if the peer had received all bytes before `from` */
};

/* A call that received. Its first byte had arrived by `first`, all of them by `time`. */
struct stream_taken {
	uint64_t from;
	nsec_t first, time;
};

struct host_stream {
	struct endpoint local, peer; /* ports 0: not known */
	bool is_active; /* it opened the connection */
	bool is_cut;    /* events were lost: what came later is left out */
	/* When this end's handshake was done; when it began to close before its peer did, and its
	   peer acknowledged that; when its peer had closed first. 0: it did not, or not known. */
	nsec_t established, closed, close_acked, peer_closed;
	struct stream_sent *sent; /* by `from`, without gaps */
	size_t sent_count, sent_capacity;
	struct stream_taken *taken; /* by `from`, without gaps */
	size_t taken_count, taken_capacity;
	uint64_t sent_bytes, taken_bytes;
};

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
