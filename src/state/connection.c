/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "connection.h"

#include <string.h>

static struct connection_interval connection_as_interval(const struct connection *connection,
                                                         uint64_t socket)
{
	return (struct connection_interval){
		.socket = socket,
		.peer = connection->has_many_peers ? 0 : connection->name,
		.local = connection->local_name,
		.local_port = connection->local_port,
		.retransmits = connection->retransmits,
		.resets = connection->resets,
		.sent = connection->sent,
		.received = connection->received,
		.protocol = connection->protocol,
		.is_passive = connection->is_passive,
		.is_partial = connection->is_partial,
	};
}

enum stall_kind connection_resend_stall(const struct connection *connection,
                                        const struct event *event)
{
	bool is_opening = connection && connection->opened != NSEC_NEVER &&
	                  connection->established == NSEC_NEVER;

	return is_opening || event->socket.socket == 0 ? STALL_SYN_RETRY : STALL_RETRANSMISSION;
}

#define EPHEMERAL_FIRST 32768u

void port_set_add(struct port_set *set, uint16_t port)
{
	set->word[port / 64] |= UINT64_C(1) << (port % 64);
}

static bool port_is_in(const struct port_set *set, uint16_t port)
{
	return set->word[port / 64] >> (port % 64) & 1;
}

static bool peer_is_here(const struct connection *connection, const struct endpoint *local)
{
	return endpoint_is_loopback(&connection->peer) ||
	       (local && memcmp(local->address, connection->peer.address,
	                        sizeof(local->address)) == 0);
}

/* Guesses by the size of the port numbers. */
static enum net_end ports_guess(uint16_t local, uint16_t peer)
{
	bool is_ephemeral = local >= EPHEMERAL_FIRST;

	if (!local || !peer || is_ephemeral == (peer >= EPHEMERAL_FIRST))
		return NET_END_UNKNOWN;
	return is_ephemeral ? NET_END_ACTIVE : NET_END_PASSIVE;
}

void connection_judge_ports(struct connection *connection, const struct port_set *listening,
                            const struct endpoint *local)
{
	uint16_t port = connection->local_port, peer_port = connection->peer.port;
	bool is_server = port_is_in(listening, port);
	bool is_client = port_is_in(listening, peer_port) && peer_is_here(connection, local);

	connection->is_guess = false;
	if (port && peer_port && is_server != is_client) {
		connection->port_end = is_server ? NET_END_PASSIVE : NET_END_ACTIVE;
		return;
	}
	connection->port_end = (uint8_t)ports_guess(port, peer_port);
	connection->is_guess = connection->port_end != NET_END_UNKNOWN;
}

enum net_end connection_end(const struct connection *connection)
{
	if (connection->is_active)
		return NET_END_ACTIVE;
	if (connection->is_passive)
		return NET_END_PASSIVE;
	return connection->peer.port ? (enum net_end)connection->port_end : NET_END_UNKNOWN;
}

bool connection_is_guess(const struct connection *connection)
{
	return connection->is_guess && connection->peer.port && !connection->is_active &&
	       !connection->is_passive;
}

bool connection_has_interval(const struct connection *connection)
{
	if (!connection->is_blank && connection->peer.port == 0)
		return false;
	return connection->is_followed || connection->retransmits || connection->sent ||
	       connection->received;
}

void connection_emit(struct machine *machine, const struct connection *connection,
                     uint64_t socket, nsec_t end, bool is_open)
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
		.connection = connection_as_interval(connection, socket),
	};

	machine_emit_interval(machine, &interval);
}

void connection_emit_exchange(struct machine *machine, const struct connection *connection,
                              const struct ended_exchange *ended)
{
	struct interval interval = {
		.kind = INTERVAL_EXCHANGE,
		.cpu = connection->cpu,
		.end = ended->end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.other = TRACK_NONE,
	};

	if (!exchange_interval(ended->exchange, &interval))
		return;
	interval.exchange.of = connection_as_interval(connection, ended->socket);
	interval.exchange.of.is_passive =
		connection->is_asked || connection_end(connection) == NET_END_PASSIVE;
	interval.exchange.is_active = connection_end(connection) == NET_END_ACTIVE;
	interval.exchange.is_guess = connection_is_guess(connection);
	machine_emit_interval(machine, &interval);
}

void connection_emit_unanswered(struct machine *machine, const struct span *wait,
                                const struct cause_note *cause)
{
	bool is_opening = !cause->as.net.is_request && !cause->as.net.is_retried;
	struct interval interval = {
		.kind = INTERVAL_UNANSWERED,
		.cpu = machine->task[wait->track].cpu,
		.begin = wait->begin,
		.end = wait->end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = wait->track,
		.other = TRACK_NONE,
		.connection = {
			.peer = cause->as.net.peer,
			/* the kernel may not have chosen one yet */
			.local_port = is_opening ? 0 : cause->as.net.local_port,
		},
	};

	if (!cause->as.net.peer || !machine_wants(machine, INTERVAL_UNANSWERED))
		return;
	if (is_opening || interval.connection.local_port)
		machine_emit_interval(machine, &interval);
}

void connection_emit_afterword(struct machine *machine, const struct cpu *cpu,
                               const struct connection_interval *added)
{
	struct interval interval = {
		.kind = INTERVAL_AFTERWORD,
		.cpu = cpu->number,
		.begin = machine->now,
		.end = machine->now,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = TRACK_NONE,
		.other = TRACK_NONE,
		.connection = *added,
	};

	machine_emit_interval(machine, &interval);
}

uint64_t connection_key(const struct endpoint *peer, uint64_t local_port)
{
	uint64_t words[2];

	memcpy(words, peer->address, sizeof(words));
	return hash_mix(hash_mix(words[0], words[1]), (uint64_t)peer->port << 16 | local_port);
}

void connection_add_bytes(struct connection *connection, uint64_t sent, uint64_t received)
{
	if (connection->protocol != PROTOCOL_TCP && !connection->sent && !connection->received)
		connection->is_asked = received > 0;
	connection->sent += sent;
	connection->received += received;
}

bool connection_has_turns(const struct connection *connection)
{
	return connection->protocol == PROTOCOL_TCP || connection->is_asked;
}

static void connection_begin(struct machine *machine, const struct cpu *cpu,
                             struct connection *connection, const struct event *event)
{
	bool is_active = event->socket.state == STATE_SYN_SENT;
	bool is_passive = event->socket.state == STATE_SYN_RECV;
	uint32_t opener = is_active ? cpu_doer(cpu) : TRACK_NONE;
	bool is_new = is_active || is_passive;

	connection->is_followed = true;
	connection->is_active = is_active;
	connection->is_passive = is_passive;
	if (is_new) {
		connection->track = opener;
		connection->begin = machine->now;
		connection->retransmits = connection->resets = 0;
		connection->retransmitted = 0;
		connection->sent = connection->received = 0;
		connection->is_partial = false;
		exchange_begin(&connection->exchange, NSEC_NEVER);
		connection->end = (struct stream_end){.writer = TRACK_NONE, .reader = TRACK_NONE};
	}
	connection->opened = is_new ? machine->now : NSEC_NEVER;
	connection->established = NSEC_NEVER;
	connection->is_opening = opener != TRACK_NONE && connection->name;
}

void connection_follow(struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, const struct event *event)
{
	uint64_t state = event->socket.state;

	connection->is_opening = false;
	if (state == STATE_SYN_SENT || state == STATE_SYN_RECV || !connection->is_followed)
		connection_begin(machine, cpu, connection, event);
	connection->cpu = cpu->number;
	if (event->socket.local.length) {
		connection->has_local =
			endpoint_read(&event->socket.local, 0, &connection->local);
		connection->local_name = 0;
	}
	if (state == STATE_ESTABLISHED) {
		connection->established = machine->now;
		exchange_begin(&connection->exchange, machine->now);
	}
}
