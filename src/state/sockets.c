/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sockets.h"

/* The most ends that get a name: in a long trace a server can have any number of peers. */
#define PEER_NAMES_MAX (1u << 18)

struct connection *socket_find(const struct machine *machine, uint64_t socket)
{
	struct connection *connection =
		object_pool_find(&sockets_of(machine)->by_key, socket);

	return connection && !connection->is_blank ? connection : NULL;
}

void sockets_drop_closed(struct machine *machine, struct connection *connection)
{
	uint64_t socket = object_pool_key(connection);

	socket_emit_exchange(machine, connection,
	                     &(struct ended_exchange){&connection->exchange, socket, machine->now});
	(void)object_pool_take(&sockets_of(machine)->closed, socket);
}

struct connection *sockets_put(struct machine *machine, uint64_t key)
{
	struct connection *closed;
	struct connection *connection = object_pool_put(&sockets_of(machine)->by_key, key);

	if (connection->is_set)
		return connection;
	closed = object_pool_find(&sockets_of(machine)->closed, key);
	if (closed)
		sockets_drop_closed(machine, closed);
	connection->is_set = true;
	connection->is_partial = sockets_of(machine)->has_lost;
	connection->track = TRACK_NONE;
	connection->begin = machine->now;
	connection->opened = connection->established = NSEC_NEVER;
	connection->end.writer = connection->end.reader = TRACK_NONE;
	exchange_begin(&connection->exchange, NSEC_NEVER);
	return connection;
}

/* PEER_NAMES_MAX does not count a name that exists already. */
static uint32_t endpoint_name(const struct machine *machine, const struct endpoint *endpoint)
{
	struct intern *names = &machine->timeline->names;
	size_t count = names->count;
	uint32_t name;

	if (sockets_of(machine)->named == PEER_NAMES_MAX)
		return 0;
	name = endpoint_intern(endpoint, names);
	sockets_of(machine)->named += names->count > count;
	return name;
}

void connection_describe(const struct machine *machine, struct connection *connection,
                         struct cause_note *cause)
{
	if (connection->name == 0)
		connection->name = endpoint_name(machine, &connection->peer);
	cause->as.net.peer = connection->name;
	cause->as.net.local_port = connection->local_port;
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

bool socket_opening(const struct machine *machine, uint64_t socket, struct opening *ret)
{
	const struct connection *connection = socket_find(machine, socket);

	if (!connection)
		return false;
	*ret = (struct opening){
		.peer = connection->name,
		.local_port = connection->local_port,
		.retransmits = connection->retransmits,
		.retransmitted = connection->retransmitted,
	};
	return true;
}

void connection_name_ends(struct machine *machine, struct connection *connection)
{
	if (connection->name == 0 && !connection->is_blank)
		connection->name = endpoint_name(machine, &connection->peer);
	connection->local.port = connection->local_port;
	if (connection->has_local && connection->local_name == 0)
		connection->local_name = endpoint_name(machine, &connection->local);
}

void socket_emit_exchange(struct machine *machine, struct connection *connection,
                          const struct ended_exchange *ended)
{
	if (!connection_has_turns(connection) || !machine_wants(machine, INTERVAL_EXCHANGE))
		return;
	connection_name_ends(machine, connection);
	connection_emit_exchange(machine, connection, ended);
}

bool socket_find_ends(const struct machine *machine, uint64_t key,
                      const struct connection **ret_one, const struct connection **ret_other)
{
	*ret_one = socket_find(machine, key);
	*ret_other = *ret_one ? stream_other(ends_of(machine), *ret_one) : NULL;
	return *ret_other != NULL;
}

uint32_t socket_reader(const struct machine *machine, uint64_t key)
{
	const struct connection *connection, *other;

	return socket_find_ends(machine, key, &connection, &other) ? other->end.reader : TRACK_NONE;
}

uint32_t socket_writer(const struct machine *machine, uint64_t key)
{
	const struct connection *connection, *other;

	return socket_find_ends(machine, key, &connection, &other)
	               ? stream_writer(connection, other)
	               : TRACK_NONE;
}
