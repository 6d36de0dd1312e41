/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_ends.h"

#include <string.h>

#include "net_tracker.h"

struct stream_pair {
	struct stream_place active, passive;
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

/* The key of both ends' addresses: that of the active end comes first, whichever end it is. A
   loopback address is another one on each machine. */
static uint64_t pair_key(const struct connection *connection, uint32_t host)
{
	struct endpoint local = connection->local, peer = connection->peer;
	uint32_t own_host = endpoint_is_loopback(&peer) ? host : 0;
	uint64_t own, other;

	local.port = connection->local_port;
	own = connection_key(&local, own_host);
	other = connection_key(&peer, own_host);
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

static struct connection *stream_at(const struct stream_ends *ends, struct stream_place place)
{
	const struct object_pool *open = ends->open[place.host];

	return place.socket && open ? object_pool_find(open, place.socket) : NULL;
}

/* Whether a sock other than the one that was found, which is `here`, is such an end, too. */
static bool is_taken(const struct stream_ends *ends, struct stream_place by,
                     const struct connection *same, struct stream_place here)
{
	const struct connection *connection = stream_at(ends, by);

	return connection && connection != same && connection_is_end(connection) &&
	       connection->is_active == same->is_active &&
	       pair_key(connection, by.host) == pair_key(same, here.host);
}

static void pair_part(const struct stream_ends *ends, struct stream_pair *pair)
{
	struct connection *active = stream_at(ends, pair->active);
	struct connection *passive = stream_at(ends, pair->passive);

	if (active)
		active->end.other.socket = 0;
	if (passive)
		passive->end.other.socket = 0;
	pair->is_ambiguous = true;
}

static bool place_is_same(struct stream_place a, struct stream_place b)
{
	return a.socket == b.socket && a.host == b.host;
}

void stream_ends_join(struct stream_ends *ends, const struct machine *machine, uint64_t socket)
{
	const struct stream_place here = {socket, machine->setup.host};
	struct connection *connection = stream_at(ends, here), *other;
	struct stream_place *place, there;
	struct stream_pair *pair;

	if (!connection || !connection_is_end(connection))
		return;
	pair = object_pool_put(&ends->by_addresses, pair_key(connection, here.host));
	place = connection->is_active ? &pair->active : &pair->passive;
	if (!place_is_same(*place, here) && is_taken(ends, *place, connection, here)) {
		pair_part(ends, pair);
		return;
	}
	*place = here;
	there = connection->is_active ? pair->passive : pair->active;
	other = stream_at(ends, there);
	if (pair->is_ambiguous || !other || !are_ends(connection, other) ||
	    hosts_bound(&machine->timeline->hosts, here.host, there.host) == NSEC_NEVER)
		return;
	connection->end.other = there;
	other->end.other = here;
}

void stream_ends_leave(struct stream_ends *ends, const struct machine *machine,
                       const struct connection *connection, uint64_t socket)
{
	const struct stream_place here = {socket, machine->setup.host};
	struct stream_pair *pair;
	uint64_t key;

	if (!connection_is_end(connection))
		return;
	key = pair_key(connection, here.host);
	pair = object_pool_find(&ends->by_addresses, key);
	if (!pair)
		return;
	if (place_is_same(pair->active, here))
		pair->active.socket = 0;
	if (place_is_same(pair->passive, here))
		pair->passive.socket = 0;
	if (!pair->active.socket && !pair->passive.socket)
		(void)object_pool_take(&ends->by_addresses, key);
}

/* The other end, if it is among these; a sock's address may have been reused. */
static const struct connection *other_among(const struct object_pool *sockets,
                                            const struct connection *connection)
{
	const struct connection *other =
		connection->end.other.socket && sockets
			? object_pool_find(sockets, connection->end.other.socket) : NULL;

	return other && are_ends(connection, other) ? other : NULL;
}

const struct connection *stream_other(const struct stream_ends *ends,
                                      const struct connection *connection)
{
	return other_among(ends->open[connection->end.other.host], connection);
}

const struct connection *stream_closed_other(const struct stream_ends *ends,
                                             const struct connection *connection)
{
	return other_among(ends->closed[connection->end.other.host], connection);
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
	/* by the clock of another machine it may have been later than its arrival */
	note->origin = nsec_min(other->end.device ? other->end.queued : other->end.written,
	                        machine->now);
	note->as.net.clock_bound = machine_clock_bound(machine, connection->end.other.host);
	/* a retransmission was queued later; if not larger than this one, it was not cut */
	if (cut == NSEC_NEVER || !other->end.device ||
	    other->end.resent > note->as.net.bytes + LINK_HEADER_BYTES ||
	    !net_has_queued(cut - other->end.queued))
		return;
	note->as.net.queue = other->end.device;
	note->as.net.queue_time = time_between(other->end.queued, cut);
}
