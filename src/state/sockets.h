/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store of connections, by sock: socket_tracker.c and socket_transfer.c fill it, others ask
 * what is known of a sock.
 */
#pragma once

#include "connection.h"
#include "route.h"
#include "stream_ends.h"

/* Socks that have closed and are kept for afterwords: most are used again or freed soon. */
#define CLOSED_MAX (1u << 12)

struct sockets {
	/* struct connection, by the address of the sock or connection_key(); until it closes */
	struct object_pool by_key;
	/* Closed ones, already reported, by the address of the sock; until it is reused. */
	struct object_pool closed;
	struct routes routes;
	struct stream_ends ends;
	struct port_set listening; /* when the recording began */
	uint32_t named;
	bool has_lost; /* events */
	bool has_ready; /* this kernel has an event for every socket that becomes readable */
};

static inline struct sockets *sockets_of(const struct machine *machine)
{
	return machine->own[TRACKER_SOCKET];
}

/* An open one whose ends are known. */
struct connection *socket_find(const struct machine *machine, uint64_t socket);
struct connection *sockets_put(struct machine *machine, uint64_t key);
/* A turn of it has ended. */
void socket_emit_exchange(struct machine *machine, struct connection *connection,
                          const struct ended_exchange *ended);
/* One that has closed: nothing more will be reported of it. */
void sockets_drop_closed(struct machine *machine, struct connection *connection);
/* Names the ends, as the connection is to be reported. */
void connection_name_ends(struct machine *machine, struct connection *connection);
/* Describes the connection in a cause of the kind net. */
void connection_describe(const struct machine *machine, struct connection *connection,
                         struct cause_note *cause);
/* The connection and its other end; false: one of them is not known. */
bool socket_find_ends(const struct machine *machine, uint64_t key,
                      const struct connection **ret_one, const struct connection **ret_other);

/* How the opening of a connection goes. */
struct opening {
	uint32_t peer; /* id in names */
	uint16_t local_port;
	uint32_t retransmits;
	nsec_t retransmitted; /* last; 0: never */
};

/* False: no connection of that socket is known. */
bool socket_opening(const struct machine *machine, uint64_t socket, struct opening *ret);
/* What is known of the ends of the connection of that key, into a cause of the kind net; false:
   nothing. The key is the sock's address, for protocols without connections a process' own. */
bool socket_describe(const struct machine *machine, uint64_t key, struct cause_note *cause);
/* Which end of it this one is, as far as known. */
enum net_end socket_end(const struct machine *machine, uint64_t key);
/* The task that wrote its unread incoming bytes; LINE_NONE: not known. */
uint32_t socket_writer(const struct machine *machine, uint64_t key);
