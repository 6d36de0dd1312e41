/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What clocks are compared by: the packets that a recording shows to have left its machine, or to
 * have come there, in order of time, and the ends of its connections. It reads all of the source,
 * but keeps nothing else of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clocks/packet_pairs.h"
#include "ftwait/source.h"
#include "talk_streams.h"

/* Which packet it is: ftwait/host_messages.h; the CPU is numbered by its own machine. */
struct talk_place {
	uint32_t cpu, number;
};

struct talk_way {
	struct packet_sight *packet;
	struct talk_place *place; /* of the packet of the same index */
	size_t count, capacity, place_capacity;
};

struct talk_log {
	struct talk_way sent, received;
	struct talk_streams streams;
	bool has_any;      /* events, of whatever kind */
	nsec_t begin, end; /* of the recording; 0: it has no events */
};

/* The source is used up, but stays open. */
void talk_log_read(struct source *source, struct talk_log *ret);
void talk_log_release(struct talk_log *log);
