/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks write to sockets and read from them: bytes, turns, requests. For a socket whose
 * addresses are not recorded this is all that is known.
 */
#include "socket_transfer.h"

#include "net_tracker.h"
#include "request_tracker.h"
#include "sockets.h"

/* By sock; for connectionless protocols also by process, since no event ends one. */
static uint64_t transfer_key(const struct machine *machine, const struct cpu *cpu,
                             const struct transfer_event *transfer)
{
	const struct line *line;

	if (transfer->protocol == PROTOCOL_TCP || !cpu_is_in_task(cpu))
		return transfer->socket;
	line = &machine->timeline->line[cpu->current];
	return hash_mix(transfer->socket, (uint64_t)(line->tgid > 0 ? line->tgid : line->tid));
}

static void connection_add(const struct machine *machine, const struct cpu *cpu,
                           struct connection *connection, uint64_t sent, uint64_t received)
{
	if (sent)
		stream_note_write(machine, cpu, connection, sent);
	connection_add_bytes(connection, sent, received);
}

/* `is_blank` marks a socket that no event has described yet. */
static struct connection *transfer_connection(struct machine *machine, const struct cpu *cpu,
                                              const struct transfer_event *transfer,
                                              uint64_t key)
{
	struct connection *connection = object_pool_find(&sockets_of(machine)->by_key, key);

	if (!connection)
		connection = object_pool_find(&sockets_of(machine)->closed, key);
	if (!connection) {
		connection = sockets_put(machine, key);
		connection->is_blank = true;
	}
	connection->protocol = (uint16_t)transfer->protocol;
	connection->cpu = cpu->number;
	if (connection->line == LINE_NONE && cpu_is_in_task(cpu))
		connection->line = cpu->current;
	return connection;
}

/* The other end may have closed after it had answered. */
static void connection_divide_wait(const struct machine *machine, struct connection *connection,
                                   const struct exchange *last)
{
	const struct sockets *sockets = sockets_of(machine);
	const struct connection *other = stream_other(&sockets->by_key, connection);

	if (!other)
		other = stream_other(&sockets->closed, connection);
	if (other)
		stream_divide_wait(connection, other, last);
}

static void transfer_add(struct machine *machine, const struct cpu *cpu,
                         const struct transfer_event *transfer, uint64_t key, bool is_send)
{
	struct connection *connection = transfer_connection(machine, cpu, transfer, key);
	uint64_t bytes = (uint64_t)transfer->result;
	struct connection_interval added = {
		.socket = transfer->socket,
		.peer = connection->name,
		.local_port = connection->local_port,
		.sent = is_send ? bytes : 0,
		.received = is_send ? 0 : bytes,
	};
	struct exchange last;
	struct ended_exchange ended = {&last, transfer->socket, machine->now};

	if (connection->is_closed)
		connection_emit_afterword(machine, cpu, &added);
	connection_add(machine, cpu, connection, added.sent, added.received);
	if (exchange_add(&connection->exchange, is_send, machine->now,
	                 cpu_is_in_task(cpu) ? cpu->current : LINE_NONE, &last)) {
		connection_divide_wait(machine, connection, &last);
		socket_emit_exchange(machine, connection, &ended);
	}
	if (!is_send)
		connection->end.arrived = 0;
}

/* If no view needs turns: only what stream_ends.h needs to find the writer. */
static void transfer_follow(struct machine *machine, const struct cpu *cpu,
                            const struct transfer_event *transfer, bool is_send)
{
	struct connection *connection = socket_find(machine, transfer->socket);
	uint64_t bytes = (uint64_t)transfer->result;

	if (connection)
		connection_add(machine, cpu, connection, is_send ? bytes : 0, is_send ? 0 : bytes);
}

/* The destination of a connectionless socket. */
static void transfer_note_address(struct machine *machine, const struct cpu *cpu,
                                  const struct transfer_event *transfer, uint64_t key)
{
	struct sockets *sockets = sockets_of(machine);
	struct connection *connection;

	if (transfer->protocol == PROTOCOL_TCP || object_pool_count(&sockets->routes.by_line) == 0)
		return;
	connection = transfer_connection(machine, cpu, transfer, key);
	routes_claim(&sockets->routes, cpu, transfer->socket, connection);
}

static void transfer_take(struct machine *machine, const struct cpu *cpu,
                          const struct transfer_event *transfer, bool is_send)
{
	struct sockets *sockets = sockets_of(machine);
	uint64_t key = transfer_key(machine, cpu, transfer);

	routes_check(&sockets->routes, transfer->socket, key);
	if (is_send) {
		transfer_note_address(machine, cpu, transfer, key);
		request_note_sent(machine, cpu, transfer, key);
	} else {
		request_note_taken(machine, cpu, transfer, key);
	}
	if (machine_wants(machine, INTERVAL_CONNECTION) ||
	    machine_wants(machine, INTERVAL_EXCHANGE))
		transfer_add(machine, cpu, transfer, key, is_send);
	else if (transfer->protocol == PROTOCOL_TCP)
		transfer_follow(machine, cpu, transfer, is_send);
}

void socket_on_send(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (transfer_counts(&event->transfer))
		transfer_take(machine, cpu, &event->transfer, /* is_send= */ true);
}

/* Data that is only peeked at will be taken later. */
void socket_on_take(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (transfer_counts(&event->transfer) && !transfer_is_look(&event->transfer))
		transfer_take(machine, cpu, &event->transfer, /* is_send= */ false);
}
