/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of one direction between two machines, most of which are paired, and packets of others
 * among them: how many of those that packet_rest.h finds between the pairs are false, by kind.
 */
#pragma once

#include <stdint.h>

enum rest_kind {
	REST_SLOW,   /* one packet, as it was sent */
	REST_CUT,    /* a piece of a packet */
	REST_JOINED, /* several packets that arrived as one */
	REST_KINDS,
};

struct rest_count {
	uint64_t there[REST_KINDS]; /* not paired, while both are between the same two pairs */
	uint64_t found[REST_KINDS], wrong[REST_KINDS];
};

extern const char *const rest_kind_name[REST_KINDS];

/* One direction; NULL where all holds, else what does not. */
const char *rest_talk_check(uint64_t seed, struct rest_count *count);
