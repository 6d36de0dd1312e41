/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_ends.h"

#include <string.h>

#include "net_tracker.h"

/* Bytes before the network's own header: it is not counted where a packet is received. */
#define DEVICE_HEADER 14

/* Socks of the two ends; 0: not known. */
struct stream_pair {
	uint64_t active, passive;
	bool is_ambiguous;
};

void stream_ends_begin(struct stream_ends *ends)
{
	static const struct object_pool_setup setup = {
		.object_bytes = sizeof(struct stream_pair),
		.limit = OBJECTS_MAX,
	};

	object_pool_init(&ends->by_addresses, &setup);
}

void stream_ends_release(struct stream_ends *ends)
{
	object_pool_release(&ends->by_addresses);
}

void stream_ends_forget(struct stream_ends *ends)
{
	object_pool_clear(&ends->by_addresses);
}

static bool connection_is_end(const struct connection *connection)
{
	return connection->is_active != connection->is_passive && connection->has_local &&
	       connection->local_port && connection->peer.port;
}

/* The key of both ends' addresses: that of the active end comes first, whichever end it is. */
static uint64_t pair_key(const struct connection *connection)
{
	struct endpoint local = connection->local, peer = connection->peer;
	uint64_t own, other;

	local.port = connection->local_port;
	own = connection_key(&local, 0);
	other = connection_key(&peer, 0);
	return connection->is_active ? hash_mix(own, other) : hash_mix(other, own);
}

static bool are_ends(const struct connection *one, const struct connection *other)
{
	return connection_is_end(one) && connection_is_end(other) &&
	       one->is_active == other->is_passive && one->local_port == other->peer.port &&
	       one->peer.port == other->local_port &&
	       memcmp(one->local.address, other->peer.address, ADDRESS_BYTES) == 0 &&
	       memcmp(one->peer.address, other->local.address, ADDRESS_BYTES) == 0;
}

/* Whether a sock other than the one that was found is such an end, too. */
static bool is_taken(const struct object_pool *sockets, uint64_t by, const struct connection *same)
{
	const struct connection *connection = by ? object_pool_find(sockets, by) : NULL;

	return connection && connection != same && connection_is_end(connection) &&
	       connection->is_active == same->is_active && pair_key(connection) == pair_key(same);
}

static void pair_part(const struct object_pool *sockets, struct stream_pair *pair)
{
	struct connection *active = object_pool_find(sockets, pair->active);
	struct connection *passive = object_pool_find(sockets, pair->passive);

	if (active)
		active->end.other = 0;
	if (passive)
		passive->end.other = 0;
	pair->is_ambiguous = true;
}

void stream_ends_join(struct stream_ends *ends, const struct object_pool *sockets, uint64_t socket)
{
	struct connection *connection = object_pool_find(sockets, socket), *other;
	struct stream_pair *pair;
	uint64_t *place;

	if (!connection || !connection_is_end(connection))
		return;
	pair = object_pool_put(&ends->by_addresses, pair_key(connection));
	place = connection->is_active ? &pair->active : &pair->passive;
	if (*place != socket && is_taken(sockets, *place, connection)) {
		pair_part(sockets, pair);
		return;
	}
	*place = socket;
	other = object_pool_find(sockets, connection->is_active ? pair->passive : pair->active);
	if (pair->is_ambiguous || !other || !are_ends(connection, other))
		return;
	connection->end.other = connection->is_active ? pair->passive : pair->active;
	other->end.other = socket;
}

void stream_ends_leave(struct stream_ends *ends, const struct connection *connection,
                       uint64_t socket)
{
	struct stream_pair *pair;
	uint64_t key;

	if (!connection_is_end(connection))
		return;
	key = pair_key(connection);
	pair = object_pool_find(&ends->by_addresses, key);
	if (!pair)
		return;
	if (pair->active == socket)
		pair->active = 0;
	if (pair->passive == socket)
		pair->passive = 0;
	if (!pair->active && !pair->passive)
		(void)object_pool_take(&ends->by_addresses, key);
}

const struct connection *stream_other(const struct object_pool *sockets,
                                      const struct connection *connection)
{
	const struct connection *other =
		connection->end.other ? object_pool_find(sockets, connection->end.other) : NULL;

	/* the sock's address may have been reused */
	return other && are_ends(connection, other) ? other : NULL;
}

void stream_note_ready(const struct machine *machine, struct connection *connection)
{
	connection->end.ready = machine->now;
	if (connection->end.arrived == 0)
		connection->end.arrived = machine->now;
}

void stream_note_write(const struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, uint64_t bytes)
{
	struct given_packet given = net_take_given(machine, cpu, bytes);
	struct stream_end *end = &connection->end;

	if (!connection->exchange.has_sent)
		end->asked = end->ready;
	end->writer = cpu_doer(cpu);
	end->written = machine->now;
	end->written_from = connection->sent;
	end->device = given.track == TRACK_NONE ? 0 : given.device;
	end->queued = given.time;
	end->resent = 0;
}

void stream_note_resent(const struct machine *machine, const struct cpu *cpu,
                        struct connection *connection)
{
	uint64_t bytes = net_sent_bytes(machine, cpu);

	if (bytes > connection->end.resent)
		connection->end.resent = bytes;
}

/* When the answer left. Only the return of its first write is recorded: the client may have read it
   before. */
static nsec_t answer_left(const struct connection *connection, const struct connection *other)
{
	nsec_t arrived = connection->end.arrived ? connection->end.arrived : NSEC_NEVER;

	return other->exchange.has_sent ? nsec_min(other->exchange.first_sent, arrived) : arrived;
}

/*
 * Data that arrived at the other end before this end's last read do not belong to the present
 * request. On a loopback device the request arrives before the write returns, and the wait begins
 * only when the write returns.
 */
void stream_divide_wait(struct connection *connection, const struct connection *other,
                        const struct exchange *last)
{
	struct exchange *turn = &connection->exchange;
	nsec_t asked_after = last->has_received ? last->last_received : last->since;
	nsec_t landed = other->exchange.has_sent ? other->end.asked : other->end.ready;
	nsec_t left = answer_left(connection, other);

	if (!connection->is_active || asked_after == NSEC_NEVER || landed < asked_after ||
	    left == NSEC_NEVER || left < landed)
		return;
	turn->landed = nsec_min(nsec_max(landed, turn->since), turn->first_received);
	turn->left = nsec_min(nsec_max(left, turn->landed), turn->first_received);
}

uint32_t stream_writer(const struct connection *connection, const struct connection *other)
{
	bool is_of_last = connection->received >= other->end.written_from &&
	                  connection->received < other->sent;

	return is_of_last && !connection->is_partial && !other->is_partial ? other->end.writer
	                                                                   : TRACK_NONE;
}

void stream_name_writer(const struct machine *machine, const struct cpu *cpu,
                        const struct connection *connection, const struct connection *other,
                        struct cause_note *note)
{
	uint32_t writer = stream_writer(connection, other);
	nsec_t cut = net_cut_at(machine, cpu);

	if (writer == TRACK_NONE)
		return;
	note->originator = writer;
	note->origin = other->end.device ? other->end.queued : other->end.written;
	/* a retransmission was queued later; if not larger than this one, it was not cut */
	if (cut == NSEC_NEVER || !other->end.device ||
	    other->end.resent > note->as.net.bytes + DEVICE_HEADER ||
	    !net_has_queued(cut - other->end.queued))
		return;
	note->as.net.queue = other->end.device;
	note->as.net.queue_time = time_between(other->end.queued, cut);
}
