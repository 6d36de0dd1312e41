/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses of connectionless sockets. No tracepoint of a socket records them. But a task that
 * connects one, or sends on an unconnected one, makes the kernel look up a route to the address,
 * and that event has both ends' ports:
 *
 *	fib_table_lookup  :40000 -> 10.0.0.9:53    connect(), or sendto()
 *	sock_send_length  sk                       which is of that socket
 *
 * A socket without known addresses gets those of the task's lookup just before; after that its
 * local port must be the lookup's. If a task has made several lookups since it was put on its CPU,
 * and not sent yet, the address stays unknown.
 */
#pragma once

#include "connection.h"

struct route {
	struct endpoint peer, local; /* address of local: may be none */
	nsec_t time;
	uint8_t fresh; /* number of unclaimed lookups since the task was put on its CPU; 2: two or
	                  more */
	bool is_set;
};

struct routes {
	struct object_pool by_track; /* struct route */
	/* uint64_t, the key of the connection, by the address of the sock, for those whose
	   addresses are known */
	struct object_pool keys;
};

void routes_begin(struct routes *routes);
void routes_end(struct routes *routes);
void routes_forget(struct routes *routes);
/* The current task has made a route lookup for an address. */
void routes_note(const struct machine *machine, struct routes *routes, const struct cpu *cpu,
                 const struct socket_event *event);
/* The current task has sent on that socket; learns its addresses from a lookup, if any. */
void routes_claim(struct routes *routes, const struct cpu *cpu, uint64_t socket,
                  struct connection *connection);
/* The sock at that address now belongs to the connection of that key: an earlier sock at this
   address is gone. */
void routes_check(struct routes *routes, uint64_t socket, uint64_t key);
/* The key of the sock's connection: its address, except for a connectionless socket. */
uint64_t routes_key(const struct routes *routes, uint64_t socket);
