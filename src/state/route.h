/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses of sockets without connections. No tracepoint of a socket tells them, but who connects
 * one, or sends on one that is not connected, has the way to the address looked for, and that
 * tells both ends' ports:
 *
 *	fib_table_lookup  :40000 -> 10.0.0.9:53    connect(), or sendto()
 *	sock_send_length  sk                       which is of that socket
 *
 * The first time it is the task's own lookup just before that names the socket, later its port
 * does. Where a task has looked for several since it was put on its CPU and not sent yet, nothing
 * is said.
 */
#pragma once

#include "connection.h"

struct route {
	struct endpoint peer, local; /* address of local: may be none */
	nsec_t time;
	uint8_t fresh; /* looked for since the task runs and not claimed yet; 2: several */
	bool is_set;
};

struct routes {
	struct object_pool by_line; /* struct route */
	/* uint64_t, the key of the connection, by the address of the sock: of those whose addresses
	   are known */
	struct object_pool keys;
};

void routes_begin(struct routes *routes);
void routes_end(struct routes *routes);
void routes_forget(struct routes *routes);
/* The current task has the way to an address looked for. */
void routes_note(const struct machine *machine, struct routes *routes, const struct cpu *cpu,
                 const struct socket_event *event);
/* It has sent on that socket, whose addresses are learned where they are told. */
void routes_claim(struct routes *routes, const struct cpu *cpu, uint64_t socket,
                  struct connection *connection);
/* The sock at that address is that connection's: what another one had there is gone. */
void routes_check(struct routes *routes, uint64_t socket, uint64_t key);
/* The key of the sock's connection: its address, but for a socket without connections. */
uint64_t routes_key(const struct routes *routes, uint64_t socket);
