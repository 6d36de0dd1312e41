/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packets of a Perfetto trace, with those that compressed ones contain. Where a message of a
 * packet is can be kept, to read the message again: those of compressed packets are copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "source/file/input_file.h"
#include "source/stream/spool.h"
#include "wire.h"

#define PERFETTO_PACKET_MAX (UINT64_C(64) << 20) /* Perfetto writes some hundred KiB */

/* What a packet contains. */
struct perfetto_packet {
	uint32_t sequence, machine;
	bool is_cleared; /* what the sequence said before is over */
	struct wire ftrace, tree, clocks, interned, system, sync;
};

/* Where a message is. */
struct perfetto_place {
	uint64_t offset;
	uint32_t bytes;
	bool is_unpacked; /* in the store of unpacked messages, not in the file */
};

struct perfetto_packets {
	struct input_file file;
	struct spool *store;      /* NULL: nothing was kept of compressed packets */
	uint8_t *unpacked;        /* the compressed packet that is read */
	size_t room;
	uint64_t packed_bytes, unpacked_bytes;
	uint64_t bad;             /* packets that make no sense */
	uint64_t damaged, unread; /* compressed packets: read in part; not read */
	uint64_t wrong;           /* where the packets end early; UINT64_MAX: they do not */
	const uint8_t *begin;     /* the bytes that are at `offset` */
	uint64_t offset;
	bool is_in_packed;
};

typedef void (*perfetto_packet_take)(void *state, const struct perfetto_packet *packet);

/* Takes over the file. */
void perfetto_packets_init(struct perfetto_packets *packets, const struct input_file *file);
void perfetto_packets_release(struct perfetto_packets *packets);
/* Forgets what was read and kept. */
void perfetto_packets_rewind(struct perfetto_packets *packets);
/* Reads all packets; the bytes of a packet are valid during the call for it. */
void perfetto_packets_read(struct perfetto_packets *packets, perfetto_packet_take take,
                           void *state);
/* Call while the packet with the message is read. Returns 0 or -errno, with a phrase in `why`. */
int perfetto_packets_keep(struct perfetto_packets *packets, struct wire message,
                          struct perfetto_place *ret, struct buffer *why);
/* Reads the message; false: it cannot be read. */
bool perfetto_packets_load(const struct perfetto_packets *packets,
                           const struct perfetto_place *place, uint8_t *to);

/*
 * Perfetto reads the buffers of all CPUs in rounds, and numbers pointers anew in each. Rounds have
 * no marks of their own: the CPUs of a round are in order, and the first packet of a round with
 * names of functions says that the names before it are over.
 */

struct perfetto_rounds {
	struct map by_sequence; /* sequence -> index */
	struct perfetto_round *round;
	size_t count;
	uint32_t last; /* the number that was given last */
};

void perfetto_rounds_init(struct perfetto_rounds *rounds);
void perfetto_rounds_release(struct perfetto_rounds *rounds);
/* The round of the sequence's next bundle, which is of the CPU; not 0. */
uint32_t perfetto_rounds_see(struct perfetto_rounds *rounds, uint32_t sequence, uint32_t cpu,
                             bool is_cleared);
/* Notes that the round of the sequence's last bundle has names. */
void perfetto_rounds_name(struct perfetto_rounds *rounds, uint32_t sequence);

/*
 * The clocks of one machine of a Perfetto trace: which one its events are on, its time of day, and
 * how it relates to the host's, if Perfetto compared the two (RemoteClockSync).
 */

struct perfetto_instant;
struct perfetto_round_trip;

struct perfetto_clocks {
	struct perfetto_instant *instant;
	size_t instant_count;
	struct perfetto_round_trip *trip;
	size_t trip_count;
	struct clock_reading *reading;
};

void perfetto_clocks_release(struct perfetto_clocks *clocks);
/* Reads a ClockSnapshot. */
void perfetto_clocks_see(struct perfetto_clocks *clocks, struct wire snapshot);
/* Reads a RemoteClockSync. */
void perfetto_clocks_sync(struct perfetto_clocks *clocks, struct wire sync);
/* Sets the clock of the source, of which FtraceEventBundle says `ftrace_clock`, its time of day,
   and its readings. */
void perfetto_clocks_describe(struct perfetto_clocks *clocks, uint32_t ftrace_clock,
                              struct source *source);
