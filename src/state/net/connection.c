/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "connection.h"

#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "net_trackers.h"

/* A turn begins. `since`: when the connection was made; NSEC_NEVER: not known. */
static void exchange_begin(struct exchange *exchange, nsec_t since)
{
	*exchange = (struct exchange){
		.received = {NSEC_NEVER, NSEC_NEVER},
		.sent = {NSEC_NEVER, NSEC_NEVER},
		.since = since,
		.landed = NSEC_NEVER,
		.left = NSEC_NEVER,
		.track = TRACK_NONE,
	};
}

bool exchange_add(struct exchange *exchange, bool is_send, nsec_t now, uint32_t track,
                  struct exchange *ret)
{
	struct exchange_side *side = is_send ? &exchange->sent : &exchange->received;
	bool is_next = !is_send && exchange->sent.first != NSEC_NEVER;

	if (is_next) {
		*ret = *exchange;
		exchange_begin(exchange, exchange->sent.last);
	}
	ASSUME(side->first == NSEC_NEVER || (side->first <= side->last && side->last <= now));
	if (side->first == NSEC_NEVER) {
		side->first = now;
		exchange->track = track;
	}
	side->last = now;
	return is_next;
}

static nsec_t phase_length(nsec_t begin, nsec_t end)
{
	ASSUME(begin == NSEC_NEVER || end == NSEC_NEVER || begin <= end);
	return begin == NSEC_NEVER || end == NSEC_NEVER ? NSEC_NEVER : end - begin;
}

/* Fills all of the turn except its end. False: nothing was read or written in it. */
static bool exchange_interval(const struct exchange *exchange, struct interval *ret)
{
	struct exchange_side received = exchange->received, sent = exchange->sent;

	ret->begin = nsec_min(received.first, sent.first);
	ret->task = exchange->track;
	ret->exchange = (struct exchange_interval){
		.answered = sent.first,
		.wait = phase_length(exchange->since, received.first),
		.way_out = phase_length(exchange->since, exchange->landed),
		.answering = phase_length(exchange->landed, exchange->left),
		.way_back = phase_length(exchange->left, received.first),
		.receive = phase_length(received.first, received.last),
		.work = phase_length(received.last, sent.first),
		.send = phase_length(sent.first, sent.last),
	};
	return ret->begin != NSEC_NEVER;
}

static enum net_end connection_end(const struct connection *connection)
{
	if (connection->is_active)
		return NET_END_ACTIVE;
	if (connection->shown.is_passive)
		return NET_END_PASSIVE;
	return connection->peer.port ? (enum net_end)connection->port_end : NET_END_UNKNOWN;
}

/* The most ends that get a name: in a long trace a server can have any number of peers. */
#define PEER_NAMES_MAX (1u << 18)

/* PEER_NAMES_MAX does not count a name that exists already. */
static uint32_t endpoint_name(const struct machine *machine, const struct endpoint *endpoint)
{
	struct intern *names = &machine->timeline->names;
	size_t count = names->count;
	uint32_t name;

	if (sockets_of(machine)->named == PEER_NAMES_MAX)
		return 0;
	ASSUME(sockets_of(machine)->named < PEER_NAMES_MAX);
	name = endpoint_intern(endpoint, names);
	sockets_of(machine)->named += names->count > count;
	return name;
}

/* What is reported of the connection, with the names of its ends. */
static struct connection_interval connection_show(const struct machine *machine,
                                                  struct connection *connection)
{
	struct connection_interval shown;

	if (connection->shown.peer == 0 && !connection->is_blank)
		connection->shown.peer = endpoint_name(machine, &connection->peer);
	connection->local.port = connection->shown.local_port;
	if (connection->has_local && connection->shown.local == 0)
		connection->shown.local = endpoint_name(machine, &connection->local);
	shown = connection->shown;
	if (connection->has_many_peers)
		shown.peer = 0;
	return shown;
}

void connection_emit(struct machine *machine, struct connection *connection, nsec_t end,
                     bool is_open)
{
	struct interval interval = {
		.kind = INTERVAL_CONNECTION,
		.cpu = connection->cpu,
		.begin = connection->begin,
		.end = end,
		.phase = {connection->opened, connection->established},
		.is_open = is_open,
		.task = connection->track,
		.other = TRACK_NONE,
		.connection = connection_show(machine, connection),
	};

	ASSUME(connection->begin <= end && is_open != connection->is_closed);
	machine_emit_interval(machine, &interval);
}

void connection_emit_exchange(struct machine *machine, struct connection *connection,
                              const struct exchange *exchange, nsec_t end)
{
	struct interval interval =
		interval_of(INTERVAL_EXCHANGE, connection->cpu, TRACK_NONE, 0, end);
	/* of connectionless sockets only those of servers talk in turns, where requests come one at
	   a time */
	bool has_turns = connection->shown.protocol == PROTOCOL_TCP || connection->is_asked;

	if (!has_turns || !machine_wants(machine, INTERVAL_EXCHANGE) ||
	    !exchange_interval(exchange, &interval))
		return;
	ASSUME(interval.begin <= interval.end);
	interval.exchange.of = connection_show(machine, connection);
	interval.exchange.of.is_passive =
		connection->is_asked || connection_end(connection) == NET_END_PASSIVE;
	interval.exchange.is_active = connection_end(connection) == NET_END_ACTIVE;
	/* connection_end() is only a guess from the ports */
	interval.exchange.is_guess = connection->is_guess && connection->peer.port &&
	                             !connection->is_active && !connection->shown.is_passive;
	machine_emit_interval(machine, &interval);
}

void connection_emit_unanswered(struct machine *machine, uint32_t track, nsec_t begin, nsec_t end,
                                const struct cause_note *cause)
{
	bool is_opening = !cause->as.net.is_request && !cause->as.net.is_retried;
	struct interval interval = interval_of(INTERVAL_UNANSWERED, machine->task[track].cpu, track,
	                                       begin, end);

	interval.connection = (struct connection_interval){
		.peer = cause->as.net.peer,
		.left = {.asked = cause->origin},
		/* the kernel may not have chosen one yet */
		.local_port = is_opening ? 0 : cause->as.net.local_port,
	};
	ASSUME(cause->kind == CAUSE_NET && begin <= end);
	if (!cause->as.net.peer || !machine_wants(machine, INTERVAL_UNANSWERED))
		return;
	if (is_opening || interval.connection.local_port)
		machine_emit_interval(machine, &interval);
}

uint64_t connection_key(const struct endpoint *peer, uint64_t local_port)
{
	uint64_t words[2];

	memcpy(words, peer->address, sizeof(words));
	return hash_mix(hash_mix(words[0], words[1]), (uint64_t)peer->port << 16 | local_port);
}

/* The connection is new now, opened by that track. */
static void connection_begin(const struct machine *machine, struct connection *connection,
                             uint32_t opener)
{
	connection->is_opening = opener != TRACK_NONE && connection->shown.peer;
	connection->track = opener;
	connection->begin = connection->opened = machine->now;
	connection->established = NSEC_NEVER;
	connection->shown.retransmits = connection->shown.resets = 0;
	connection->retransmitted = 0;
	connection->shown.sent = connection->shown.received = 0;
	connection->shown.is_partial = false;
	exchange_begin(&connection->exchange, NSEC_NEVER);
	connection->end = (struct stream_end){.writer = TRACK_NONE, .reader = TRACK_NONE};
}

void connection_follow(struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, const struct event *event)
{
	bool is_active = event->socket.state == STATE_SYN_SENT;
	bool is_passive = event->socket.state == STATE_SYN_RECV;

	connection->is_opening = false;
	connection->is_followed = true;
	if (is_active || is_passive) {
		connection->is_active = is_active;
		connection->shown.is_passive = is_passive;
		connection_begin(machine, connection, is_active ? cpu_doer(cpu) : TRACK_NONE);
	}
	connection->cpu = cpu->number;
	if (event->socket.local.length) {
		connection->has_local =
			endpoint_read(&event->socket.local, 0, &connection->local);
		connection->shown.local = 0;
	}
	if (event->socket.state == STATE_ESTABLISHED) {
		connection->established = machine->now;
		exchange_begin(&connection->exchange, machine->now);
	}
}

struct stream_pair {
	struct stream_place end[2]; /* 1: the active one */
	bool is_ambiguous;
};

void stream_ends_begin(struct stream_ends *ends)
{
	object_pool_init(&ends->by_addresses,
	                 &(struct object_pool_setup){.object_bytes = sizeof(struct stream_pair),
	                                             .limit = OBJECTS_MAX});
}

static bool connection_is_end(const struct connection *connection)
{
	return connection->is_active != connection->shown.is_passive && connection->has_local &&
	       connection->shown.local_port && connection->peer.port;
}

/* The key of both ends' addresses: that of the active end comes first, whichever end it is. A
   loopback address is another one on each machine. */
static uint64_t pair_key(const struct connection *connection, uint32_t host)
{
	struct endpoint local = connection->local, peer = connection->peer;
	uint32_t own_host = endpoint_is_loopback(&peer) ? host : 0;
	uint64_t own, other;

	ASSUME(connection_is_end(connection));
	local.port = connection->shown.local_port;
	own = connection_key(&local, own_host);
	other = connection_key(&peer, own_host);
	return connection->is_active ? hash_mix(own, other) : hash_mix(other, own);
}

static bool are_ends(const struct connection *one, const struct connection *other)
{
	return connection_is_end(one) && connection_is_end(other) &&
	       one->is_active == other->shown.is_passive &&
	       one->shown.local_port == other->peer.port &&
	       one->peer.port == other->shown.local_port &&
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

static bool place_is_same(struct stream_place a, struct stream_place b)
{
	return a.socket == b.socket && a.host == b.host;
}

void stream_ends_join(const struct machine *machine, struct connection *connection)
{
	const struct stream_place here = {connection->shown.socket, machine->setup.host};
	struct stream_ends *ends = ends_of(machine);
	struct stream_place *own, there;
	struct connection *other;
	struct stream_pair *pair;

	if (!connection_is_end(connection))
		return;
	pair = object_pool_put(&ends->by_addresses, pair_key(connection, here.host));
	own = &pair->end[connection->is_active];
	there = pair->end[!connection->is_active];
	other = stream_at(ends, there);
	if (!place_is_same(*own, here) && is_taken(ends, *own, connection, here)) {
		stream_at(ends, *own)->end.other.socket = 0;
		if (other)
			other->end.other.socket = 0;
		pair->is_ambiguous = true;
		return;
	}
	*own = here;
	if (pair->is_ambiguous || !other || !are_ends(connection, other) ||
	    hosts_bound(&machine->timeline->hosts, here.host, there.host) == NSEC_NEVER)
		return;
	ASSUME(are_ends(other, connection) && !place_is_same(here, there));
	connection->end.other = there;
	other->end.other = here;
}

void stream_ends_leave(const struct machine *machine, const struct connection *connection)
{
	const struct stream_place here = {connection->shown.socket, machine->setup.host};
	struct object_pool *pool = &ends_of(machine)->by_addresses;
	struct stream_pair *pair =
		connection_is_end(connection)
			? object_pool_find(pool, pair_key(connection, here.host)) : NULL;

	if (!pair)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(pair->end); i++)
		if (place_is_same(pair->end[i], here))
			pair->end[i].socket = 0;
	if (!pair->end[0].socket && !pair->end[1].socket)
		(void)object_pool_take(pool, object_pool_key(pair));
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

/* The other end of the connection; NULL: not known, or it has closed. */
static const struct connection *stream_other(const struct stream_ends *ends,
                                             const struct connection *connection)
{
	ASSUME(connection->end.other.host < HOSTS_MAX);
	return other_among(ends->open[connection->end.other.host], connection);
}

void stream_note_write(const struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, uint64_t bytes)
{
	struct given_packet given = net_take_given(machine, cpu, bytes);
	struct stream_end *end = &connection->end;

	ASSUME(end->ready <= machine->now && end->written <= machine->now);
	if (connection->exchange.sent.first == NSEC_NEVER)
		end->asked = end->ready;
	end->writer = cpu_doer(cpu);
	end->written = machine->now;
	end->written_from = connection->shown.sent;
	end->device = given.track == TRACK_NONE ? 0 : given.device;
	end->queued = given.time;
	end->resent = 0;
}

/*
 * Data that arrived at the other end before this end's last read do not belong to the present
 * request. On a loopback device the request arrives before the write returns, and the wait begins
 * only when the write returns.
 */
void stream_divide_wait(const struct machine *machine, struct connection *connection,
                        const struct exchange *last)
{
	const struct stream_ends *ends = ends_of(machine);
	const struct connection *other = stream_other(ends, connection);
	struct exchange *turn = &connection->exchange;
	bool has_read = last->received.first != NSEC_NEVER;
	nsec_t asked_after = has_read ? last->received.last : last->since;
	nsec_t arrived = connection->end.arrived ? connection->end.arrived : NSEC_NEVER;
	nsec_t landed, left;

	if (!other)
		other = other_among(ends->closed[connection->end.other.host], connection);
	if (!other || !connection->is_active || asked_after == NSEC_NEVER)
		return;
	landed = other->exchange.sent.first != NSEC_NEVER ? other->end.asked : other->end.ready;
	/* only the return of the answer's first write is recorded: this end may have read before */
	left = nsec_min(other->exchange.sent.first, arrived);
	if (landed < asked_after || left == NSEC_NEVER || left < landed)
		return;
	turn->landed = nsec_min(nsec_max(landed, turn->since), turn->received.first);
	turn->left = nsec_min(nsec_max(left, turn->landed), turn->received.first);
	ASSUME(turn->landed <= turn->left);
}

/* The task that wrote the unread bytes; TRACK_NONE: not known. */
static uint32_t stream_writer(const struct connection *connection, const struct connection *other)
{
	uint64_t read = connection->shown.received;
	bool is_partial = connection->shown.is_partial || other->shown.is_partial;

	ASSUME(other->end.written_from <= other->shown.sent);
	return read >= other->end.written_from && read < other->shown.sent && !is_partial
	               ? other->end.writer
	               : TRACK_NONE;
}

void stream_name_writer(const struct machine *machine, const struct cpu *cpu,
                        const struct connection *connection, const struct connection *other,
                        struct cause_note *note)
{
	uint32_t writer = stream_writer(connection, other);
	nsec_t cut = net_cut_at(machine, cpu);

	ASSUME(note->kind == CAUSE_NET);
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
	    cut - other->end.queued < QUEUED_LEAST)
		return;
	note->as.net.queue = other->end.device;
	note->as.net.queue_time = time_between(other->end.queued, cut);
}

struct connection *socket_find(const struct machine *machine, uint64_t socket)
{
	struct connection *connection =
		object_pool_find(&sockets_of(machine)->by_key, socket);

	return connection && !connection->is_blank ? connection : NULL;
}

void sockets_drop_closed(struct machine *machine, struct connection *connection)
{
	connection_emit_exchange(machine, connection, &connection->exchange, machine->now);
	ASSUME(connection->is_closed);
	(void)object_pool_take(&sockets_of(machine)->closed, object_pool_key(connection));
}

struct connection *sockets_put(struct machine *machine, uint64_t key)
{
	struct connection *closed;
	struct connection *connection = object_pool_put(&sockets_of(machine)->by_key, key);

	ASSUME(!connection->is_closed);
	if (connection->is_set)
		return connection;
	closed = object_pool_find(&sockets_of(machine)->closed, key);
	if (closed)
		sockets_drop_closed(machine, closed);
	connection->is_set = true;
	connection->shown.socket = key;
	connection_begin(machine, connection, TRACK_NONE);
	connection->opened = NSEC_NEVER; /* that is not known */
	connection->shown.is_partial = sockets_of(machine)->has_lost;
	return connection;
}

void connection_describe(const struct machine *machine, struct connection *connection,
                         struct cause_note *cause)
{
	ASSUME(cause->kind == CAUSE_NET);
	if (connection->shown.peer == 0)
		connection->shown.peer = endpoint_name(machine, &connection->peer);
	cause->as.net.peer = connection->shown.peer;
	cause->as.net.local_port = connection->shown.local_port;
	cause->as.net.end = (uint8_t)connection_end(connection);
}

bool socket_describe(const struct machine *machine, uint64_t key, struct cause_note *cause)
{
	struct connection *connection = socket_find(machine, key);

	if (!connection)
		return false;
	connection_describe(machine, connection, cause);
	return true;
}

enum net_end socket_end(const struct machine *machine, uint64_t key)
{
	const struct connection *connection = socket_find(machine, key);

	return connection ? connection_end(connection) : NET_END_UNKNOWN;
}

bool socket_find_ends(const struct machine *machine, uint64_t key,
                      const struct connection **ret_one, const struct connection **ret_other)
{
	*ret_one = socket_find(machine, key);
	*ret_other = *ret_one ? stream_other(ends_of(machine), *ret_one) : NULL;
	return *ret_other != NULL;
}

uint32_t socket_writer(const struct machine *machine, uint64_t key)
{
	const struct connection *connection, *other;

	return socket_find_ends(machine, key, &connection, &other)
	               ? stream_writer(connection, other)
	               : TRACK_NONE;
}
