/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "route.h"

#include <string.h>

#define PROTOCOL_UDP 17
#define ROUTES_MAX   (1u << 14) /* the most tasks, and sockets, that are remembered */

void routes_begin(struct routes *routes)
{
	static const struct object_pool_setup setup = {
		.object_bytes = sizeof(struct route),
		.limit = ROUTES_MAX,
	};

	static const struct object_pool_setup key_setup = {
		.object_bytes = sizeof(uint64_t),
		.limit = ROUTES_MAX,
	};

	object_pool_init(&routes->by_track, &setup);
	object_pool_init(&routes->keys, &key_setup);
}

void routes_end(struct routes *routes)
{
	object_pool_release(&routes->by_track);
	object_pool_release(&routes->keys);
}

void routes_forget(struct routes *routes)
{
	object_pool_clear(&routes->by_track);
	object_pool_clear(&routes->keys);
}

/* Whether this is the same socket's lookup once more, now that the kernel has chosen its own
   address. */
static bool route_is_for(const struct route *route, const struct endpoint *peer,
                         const struct endpoint *local)
{
	return route->is_set && route->local.port == local->port &&
	       memcmp(&route->peer, peer, sizeof(*peer)) == 0;
}

void routes_note(const struct machine *machine, struct routes *routes, const struct cpu *cpu,
                 const struct socket_event *event)
{
	struct endpoint peer, local;
	struct route *route;
	uint32_t track = cpu_doer(cpu);

	if (track == TRACK_NONE || event->state != PROTOCOL_UDP || event->peer_port == 0 ||
	    !endpoint_read(&event->peer, event->peer_port, &peer) ||
	    !endpoint_read(&event->local, event->local_port, &local))
		return;
	route = object_pool_put(&routes->by_track, track);
	if (route->time < machine->task[track].since)
		route->fresh = 0;
	if (route->fresh == 0)
		route->fresh = 1;
	else if (!route_is_for(route, &peer, &local))
		route->fresh = 2;
	route->peer = peer;
	route->local = local;
	route->time = machine->now;
	route->is_set = true;
}

static void connection_learn(struct connection *connection, const struct route *route)
{
	if (memcmp(&connection->peer, &route->peer, sizeof(route->peer)) != 0) {
		connection->has_many_peers |= connection->peer.port != 0;
		connection->peer = route->peer;
		connection->name = 0;
	}
	connection->local_port = route->local.port;
	if (!endpoint_is_any(&route->local)) {
		connection->local = route->local;
		connection->has_local = true;
	}
	connection->is_blank = false;
}

void routes_claim(struct routes *routes, const struct cpu *cpu, uint64_t socket,
                  struct connection *connection)
{
	uint32_t track = cpu_doer(cpu);
	struct route *route =
		track == TRACK_NONE ? NULL : object_pool_find(&routes->by_track, track);

	if (!route || route->fresh == 0)
		return;
	if (connection->local_port ? connection->local_port != route->local.port
	                           : route->fresh > 1)
		return;
	route->fresh = 0;
	connection_learn(connection, route);
	*(uint64_t *)object_pool_put(&routes->keys, socket) = object_pool_key(connection);
}

void routes_check(struct routes *routes, uint64_t socket, uint64_t key)
{
	if (routes_key(routes, socket) != key)
		(void)object_pool_take(&routes->keys, socket);
}

uint64_t routes_key(const struct routes *routes, uint64_t socket)
{
	const uint64_t *key = object_pool_find(&routes->keys, socket);

	return key ? *key : socket;
}
