/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store of connections, by sock: socket_tracker.c fills it, other trackers look up what is
 * known of a sock.
 */
#pragma once

#include "connection.h"
#include "route.h"
#include "stream_ends.h"

/* The most closed socks that are kept, as events of them may still follow (INTERVAL_AFTERWORD).
   Most addresses are reused or freed soon. */
#define CLOSED_MAX (1u << 12)

struct sockets {
	/* struct connection, by the address of the sock or connection_key(); until it closes */
	struct object_pool by_key;
	/* Closed ones, already reported, by the address of the sock; until it is reused. */
	struct object_pool closed;
	struct routes routes;
	struct stream_ends own_ends; /* used unless machines share one: ends_of() */
	struct port_set listening; /* when the recording began */
	uint32_t named;
	bool has_lost;  /* events were lost */
	bool has_ready; /* this kernel has an event for every socket that becomes readable */
};

static inline struct sockets *sockets_of(const struct machine *machine)
{
	return machine->own[TRACKER_SOCKET];
}

static inline struct stream_ends *ends_of(const struct machine *machine)
{
	return machine->setup.ends ? machine->setup.ends : &sockets_of(machine)->own_ends;
}

/* The open connection of that sock, if its ends are known; else NULL. */
struct connection *socket_find(const struct machine *machine, uint64_t socket);
/* The connection of that key; a new one if there is none. */
struct connection *sockets_put(struct machine *machine, uint64_t key);
/* Emits a turn of the connection that has ended. */
void socket_emit_exchange(struct machine *machine, struct connection *connection,
                          const struct ended_exchange *ended);
/* Removes a connection that has closed: nothing more is reported of it. */
void sockets_drop_closed(struct machine *machine, struct connection *connection);
/* Names the ends, before the connection is reported. */
void connection_name_ends(struct machine *machine, struct connection *connection);
/* Describes the connection in a cause of the kind net. */
void connection_describe(const struct machine *machine, struct connection *connection,
                         struct cause_note *cause);
/* Finds the connection and its other end; false: one of them is not known. */
bool socket_find_ends(const struct machine *machine, uint64_t key,
                      const struct connection **ret_one, const struct connection **ret_other);

/* The progress of opening a connection. */
struct opening {
	uint32_t peer; /* id in names */
	uint16_t local_port;
	uint32_t retransmits;
	nsec_t retransmitted; /* last; 0: never */
};

/* Returns false if no connection of that socket is known. */
bool socket_opening(const struct machine *machine, uint64_t socket, struct opening *ret);
/* Adds the ends of the connection to a cause of the kind net; false: they are not known. The key is
   the sock's address; for connectionless protocols each process has a key of its own. */
bool socket_describe(const struct machine *machine, uint64_t key, struct cause_note *cause);
/* Which end of the connection this one is, as far as known. */
enum net_end socket_end(const struct machine *machine, uint64_t key);
/* The task that read last at the other end; TRACK_NONE: not known. */
uint32_t socket_reader(const struct machine *machine, uint64_t key);
/* The task that wrote its unread incoming bytes; TRACK_NONE: not known. */
uint32_t socket_writer(const struct machine *machine, uint64_t key);
