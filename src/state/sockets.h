/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What socket_tracker.c and socket_transfer.c share. Private to them. */
#pragma once

#include "connection.h"
#include "route.h"
#include "stream_ends.h"

struct sockets {
	/* struct connection, by the address of the sock or connection_key(); until it closes */
	struct object_pool by_key;
	/* Closed ones, already reported, by the address of the sock; until it is reused. */
	struct object_pool closed;
	struct routes routes;
	struct stream_ends ends;
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
void socket_tell_exchange(struct machine *machine, struct connection *connection,
                          const struct told_exchange *told);
/* By the current task, over that connection; handlers of socket_tracker.c. */
void socket_on_send(struct machine *machine, struct cpu *cpu, const struct event *event);
void socket_on_take(struct machine *machine, struct cpu *cpu, const struct event *event);
