/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ends of TCP connections that a machine has, as its programs' calls show them. Bytes are
 * counted from the connection's begin, which was recorded; so a byte has the same number at both
 * ends, whatever the network did to the packets that carried it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "words/endpoint.h"

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
