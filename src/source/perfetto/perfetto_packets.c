/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_packets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "source/source_notes.h"

#define TRIPS_MAX 1024 /* Perfetto compares two clocks each 30 s */

enum {
	CLOCK_REALTIME_ID = 1,
	CLOCK_MONOTONIC_ID = 3,
	CLOCK_MONOTONIC_RAW_ID = 5,
	CLOCK_BOOTTIME_ID = 6,
	CLOCK_FTRACE_ID = 64, /* ftwait's name for the clock of ftrace events */
	CLOCK_IDS = 65,
};

/* Clocks that were read at the same instant; 0: not read. */
struct perfetto_instant {
	nsec_t time[CLOCK_IDS];
};

/* The clocks of a machine, and just after that those of the host. */
struct perfetto_round_trip {
	struct perfetto_instant own, host;
};

void perfetto_clocks_release(struct perfetto_clocks *clocks)
{
	free(clocks->instant);
	free(clocks->trip);
	free(clocks->reading);
}

static void instant_read(struct wire snapshot, struct perfetto_instant *ret)
{
	struct wire_field field, part;

	*ret = (struct perfetto_instant){0};
	while (wire_next(&snapshot, &field)) {
		struct wire clock = wire_of(&field);
		uint64_t id = 0, time = 0;

		while (field.number == 1 && field.type == WIRE_BYTES && wire_next(&clock, &part))
			*(part.number == 1 ? &id : &time) = part.number <= 2 ? part.value : 0;
		if (id < CLOCK_IDS && time <= REALTIME_MAX)
			ret->time[id] = time;
	}
}

void perfetto_clocks_see(struct perfetto_clocks *clocks, struct wire snapshot)
{
	if (clocks->instant_count == REALTIME_PAIRS_MAX || snapshot.at == snapshot.end)
		return;
	instant_read(snapshot, &LIST_ADD(clocks->instant, struct perfetto_instant));
}

/* RemoteClockSync: synced_clocks 1 with client_clocks 2, host_clocks 3 */
void perfetto_clocks_sync(struct perfetto_clocks *clocks, struct wire sync)
{
	struct wire_field field, part[4];

	while (wire_next(&sync, &field)) {
		struct perfetto_round_trip *trip;

		if (field.number != 1 || field.type != WIRE_BYTES ||
		    clocks->trip_count == TRIPS_MAX)
			continue;
		(void)wire_read(wire_of(&field), part, ARRAY_SIZE(part));
		trip = &LIST_ADD(clocks->trip, struct perfetto_round_trip);
		instant_read(wire_of(&part[2]), &trip->own);
		instant_read(wire_of(&part[3]), &trip->host);
	}
}

static void realtime_describe(const struct perfetto_clocks *clocks, uint32_t id,
                              struct realtime *real)
{
	for (size_t i = 0; i < clocks->instant_count; i++) {
		const nsec_t *time = clocks->instant[i].time;

		if (time[id] && time[CLOCK_REALTIME_ID] &&
		    (real->count == 0 || time[id] > real->pair[real->count - 1].time))
			real->pair[real->count++] = (struct realtime_pair){
				.time = time[id], .real = time[CLOCK_REALTIME_ID]};
	}
}

static void readings_describe(struct perfetto_clocks *clocks, uint32_t id, struct source *source)
{
	clocks->reading = xcalloc(clocks->trip_count, sizeof(*clocks->reading));
	source->readings = clocks->reading;
	for (size_t i = 0; i < clocks->trip_count; i++) {
		const struct perfetto_round_trip *trip = &clocks->trip[i];

		if (trip->own.time[id] && trip->host.time[id])
			clocks->reading[source->reading_count++] = (struct clock_reading){
				.own = trip->own.time[id], .common = trip->host.time[id]};
	}
}

/* Perfetto names the clocks of ftrace, of which "global" may stand for one that a snapshot has the
   same time of. */
void perfetto_clocks_describe(struct perfetto_clocks *clocks, uint32_t ftrace_clock,
                              struct source *source)
{
	static const char *const names[] = {"boot", NULL, "global", "local", "mono_raw"};
	static const struct {
		uint32_t id;
		const char *name;
	} same[] = {{CLOCK_MONOTONIC_ID, "mono"}, {CLOCK_MONOTONIC_RAW_ID, "mono_raw"}};
	const nsec_t *first = clocks->instant_count ? clocks->instant[0].time : NULL;
	uint32_t id = ftrace_clock == 0 ? CLOCK_BOOTTIME_ID : 0;

	if (ftrace_clock < ARRAY_SIZE(names))
		source->clock = names[ftrace_clock];
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (ftrace_clock == 2 && first && first[CLOCK_FTRACE_ID] &&
		    first[CLOCK_FTRACE_ID] == first[same[i].id]) {
			source->clock = same[i].name;
			id = same[i].id;
		}
	if (id) {
		realtime_describe(clocks, id, &source->notes.realtime);
		readings_describe(clocks, id, source);
	}
}

/* The round of a sequence. */
struct perfetto_round {
	uint32_t number, cpu;
	bool has_names;
};

void perfetto_rounds_init(struct perfetto_rounds *rounds)
{
	*rounds = (struct perfetto_rounds){0};
	map_init(&rounds->by_sequence);
}

void perfetto_rounds_release(struct perfetto_rounds *rounds)
{
	map_release(&rounds->by_sequence);
	free(rounds->round);
}

static struct perfetto_round *round_of(struct perfetto_rounds *rounds, uint32_t sequence)
{
	uint32_t at = map_get(&rounds->by_sequence, sequence);

	if (at == MAP_NONE) {
		at = (uint32_t)rounds->count;
		map_put(&rounds->by_sequence, sequence, at);
		LIST_ADD(rounds->round, struct perfetto_round) =
			(struct perfetto_round){.number = ++rounds->last};
	}
	return &rounds->round[at];
}

uint32_t perfetto_rounds_see(struct perfetto_rounds *rounds, uint32_t sequence, uint32_t cpu,
                             bool is_cleared)
{
	struct perfetto_round *round = round_of(rounds, sequence);

	if (cpu < round->cpu || (is_cleared && round->has_names))
		*round = (struct perfetto_round){.number = ++rounds->last};
	round->cpu = cpu;
	return round->number;
}

void perfetto_rounds_name(struct perfetto_rounds *rounds, uint32_t sequence)
{
	round_of(rounds, sequence)->has_names = true;
}

#define UNPACKED_BYTES (512u << 10) /* most compressed packets make less */

enum {
	TRACE_PACKET = 1,
	PACKET_FTRACE = 1,
	PACKET_TREE = 2,
	PACKET_CLOCKS = 6,
	PACKET_SEQUENCE = 10,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_SYSTEM = 45,
	PACKET_COMPRESSED = 50,
	PACKET_MACHINE = 98,
	PACKET_SYNC = 107,
	PACKET_COMPRESSED_ZSTD = 133,
	FLAG_CLEARED = 1,
};

/* A compressed packet's bytes. */
struct packed {
	enum stream_packer packer; /* PACKER_NONE: it is not compressed */
	struct wire left;
};

void perfetto_packets_init(struct perfetto_packets *packets, const struct input_file *file)
{
	*packets = (struct perfetto_packets){.file = *file, .wrong = UINT64_MAX};
}

void perfetto_packets_release(struct perfetto_packets *packets)
{
	free(packets->unpacked);
	packets->store = spool_store_free(packets->store);
	input_file_release(&packets->file);
}

void perfetto_packets_rewind(struct perfetto_packets *packets)
{
	struct input_file file = packets->file;

	free(packets->unpacked);
	(void)spool_store_free(packets->store);
	perfetto_packets_init(packets, &file);
}

static bool packet_parse(struct wire wire, struct perfetto_packet *ret, struct packed *ret_packed)
{
	struct wire_field field;

	*ret = (struct perfetto_packet){0};
	*ret_packed = (struct packed){0};
	while (wire_next(&wire, &field)) {
		bool is_bytes = field.type == WIRE_BYTES;

		if (is_bytes && field.number == PACKET_FTRACE)
			ret->ftrace = wire_of(&field);
		else if (is_bytes && field.number == PACKET_TREE)
			ret->tree = wire_of(&field);
		else if (is_bytes && field.number == PACKET_CLOCKS)
			ret->clocks = wire_of(&field);
		else if (is_bytes && field.number == PACKET_INTERNED)
			ret->interned = wire_of(&field);
		else if (is_bytes && field.number == PACKET_SYSTEM)
			ret->system = wire_of(&field);
		else if (is_bytes && field.number == PACKET_SYNC)
			ret->sync = wire_of(&field);
		else if (is_bytes && field.number == PACKET_COMPRESSED)
			*ret_packed = (struct packed){PACKER_ZLIB, wire_of(&field)};
		else if (is_bytes && field.number == PACKET_COMPRESSED_ZSTD)
			*ret_packed = (struct packed){PACKER_ZSTD, wire_of(&field)};
		else if (field.number == PACKET_SEQUENCE)
			ret->sequence = (uint32_t)field.value;
		else if (field.number == PACKET_FLAGS)
			ret->is_cleared = field.value & FLAG_CLEARED;
		else if (field.number == PACKET_MACHINE)
			ret->machine = (uint32_t)field.value;
	}
	return !wire.is_bad;
}

static ssize_t packed_read(void *state, uint8_t *to, size_t size)
{
	struct packed *packed = state;
	size_t left = (size_t)(packed->left.end - packed->left.at);

	size = size < left ? size : left;
	memcpy(to, packed->left.at, size);
	packed->left.at += size;
	return (ssize_t)size;
}

/* Returns how many bytes it makes. What is before any damage counts. */
static size_t packed_unpack(struct perfetto_packets *packets, struct packed *packed)
{
	struct unpack_stream *stream = unpack_stream_new(packed->packer, packed_read, packed);
	_cleanup_(buffer_release) struct buffer damage = buffer_of(256);
	size_t have = 0;
	ssize_t got = 1;

	if (!stream) {
		packets->unread++;
		return 0;
	}
	while (got > 0 && have < PERFETTO_PACKET_MAX) {
		if (have == packets->room) {
			packets->room = packets->room ? packets->room * 2 : UNPACKED_BYTES;
			packets->unpacked = xrealloc(packets->unpacked, packets->room);
		}
		got = unpack_stream_read(stream, packets->unpacked + have, packets->room - have);
		have += got > 0 ? (size_t)got : 0;
	}
	packets->damaged += got > 0 || unpack_stream_damage(stream, &damage);
	(void)unpack_stream_free(stream);
	return have;
}

/* Compressed packets contain none that are compressed in turn. */
static void packed_see(struct perfetto_packets *packets, struct packed *packed,
                       perfetto_packet_take take, void *state)
{
	struct perfetto_packet packet;
	struct wire_field field;
	struct packed nested;
	struct wire trace;
	size_t bytes;

	/* so much of so little was made to fill memory and disks */
	if (packets->unpacked_bytes > UNPACK_FREE_BYTES &&
	    packets->unpacked_bytes / UNPACK_RATIO_MAX > packets->packed_bytes) {
		packets->unread++;
		return;
	}
	packets->packed_bytes += (uint64_t)(packed->left.end - packed->left.at);
	bytes = packed_unpack(packets, packed);
	packets->unpacked_bytes += bytes;
	if (bytes == 0)
		return;
	packets->is_in_packed = true;
	trace = (struct wire){packets->unpacked, packets->unpacked + bytes, false};
	while (wire_next(&trace, &field))
		if (field.number == TRACE_PACKET && field.type == WIRE_BYTES &&
		    packet_parse(wire_of(&field), &packet, &nested) &&
		    nested.packer == PACKER_NONE)
			take(state, &packet);
		else
			packets->bad++;
	packets->bad += trace.is_bad;
	packets->is_in_packed = false;
}

static bool cursor_number(struct cursor *cursor, uint64_t *ret)
{
	uint8_t bytes[10];
	size_t count = 0;
	const uint8_t *byte;

	do {
		byte = cursor_take(cursor, 1);
		if (!byte)
			return false;
		bytes[count++] = *byte;
	} while (*byte & 0x80 && count < sizeof(bytes));
	return wire_number(&(struct wire){.at = bytes, .end = bytes + count}, ret);
}

/* The next packet's bytes; false: none is there. */
static bool packet_find(struct perfetto_packets *packets, struct cursor *cursor, struct wire *ret)
{
	uint64_t tag, length;

	if (!cursor_number(cursor, &tag) || tag != (TRACE_PACKET << 3 | WIRE_BYTES) ||
	    !cursor_number(cursor, &length) || length > PERFETTO_PACKET_MAX ||
	    length > cursor_left(cursor))
		return false;
	packets->offset = cursor->offset;
	packets->begin = length > 0 ? cursor_take(cursor, length) : (const uint8_t *)"";
	if (!packets->begin)
		return false;
	*ret = (struct wire){packets->begin, packets->begin + length, false};
	return true;
}

void perfetto_packets_read(struct perfetto_packets *packets, perfetto_packet_take take,
                           void *state)
{
	struct perfetto_packet packet;
	struct packed packed;
	struct cursor cursor;
	struct wire wire;

	cursor_init_file(&cursor, &packets->file, 0, UINT64_MAX, false);
	while (cursor_left(&cursor) > 0 && packets->wrong == UINT64_MAX) {
		uint64_t at = cursor.offset;

		if (!packet_find(packets, &cursor, &wire))
			packets->wrong = at;
		else if (!packet_parse(wire, &packet, &packed))
			packets->bad++;
		else if (packed.packer == PACKER_NONE)
			take(state, &packet);
		else
			packed_see(packets, &packed, take, state);
	}
	cursor_release(&cursor);
}

int perfetto_packets_keep(struct perfetto_packets *packets, struct wire message,
                          struct perfetto_place *ret, struct buffer *why)
{
	size_t bytes = (size_t)(message.end - message.at);

	*ret = (struct perfetto_place){.bytes = (uint32_t)bytes};
	if (!packets->is_in_packed) {
		ret->offset = packets->offset + (uint64_t)(message.at - packets->begin);
		return 0;
	}
	if (!packets->store)
		packets->store = spool_store_new(why);
	if (!packets->store)
		return -ENOSPC;
	ret->is_unpacked = true;
	return spool_store_append(packets->store, message.at, bytes, &ret->offset, why);
}

bool perfetto_packets_load(const struct perfetto_packets *packets,
                           const struct perfetto_place *place, uint8_t *to)
{
	if (place->is_unpacked)
		return spool_store_read(packets->store, place->offset, to, place->bytes) == 0;
	return input_file_read(&packets->file, place->offset, to, place->bytes) == 0;
}
