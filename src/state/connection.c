/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "connection.h"

static struct connection_interval connection_as_told(const struct connection *connection,
                                                     uint64_t socket)
{
	return (struct connection_interval){
		.socket = socket,
		.peer = connection->name,
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

bool connection_is_told_open(const struct connection *connection)
{
	if (!connection->is_blank && connection->peer.port == 0)
		return false;
	return connection->is_followed || connection->retransmits || connection->sent ||
	       connection->received;
}

void connection_tell(struct machine *machine, const struct connection *connection,
                     uint64_t socket, nsec_t end, bool is_open)
{
	struct interval interval = {
		.kind = INTERVAL_CONNECTION,
		.cpu = connection->cpu,
		.begin = connection->begin,
		.end = end,
		.phase = {connection->opened, connection->established},
		.is_open = is_open,
		.task = connection->line,
		.other = LINE_NONE,
		.connection = connection_as_told(connection, socket),
	};

	machine_tell_interval(machine, &interval);
}

void connection_tell_exchange(struct machine *machine, const struct connection *connection,
                              const struct told_exchange *told)
{
	struct interval interval = {
		.kind = INTERVAL_EXCHANGE,
		.cpu = connection->cpu,
		.end = told->end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.other = LINE_NONE,
	};

	if (!exchange_interval(told->exchange, &interval))
		return;
	interval.exchange.of = connection_as_told(connection, told->socket);
	interval.exchange.is_active = connection->is_active;
	machine_tell_interval(machine, &interval);
}

void connection_tell_afterword(struct machine *machine, const struct cpu *cpu,
                               const struct connection_interval *added)
{
	struct interval interval = {
		.kind = INTERVAL_AFTERWORD,
		.cpu = cpu->number,
		.begin = machine->now,
		.end = machine->now,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = LINE_NONE,
		.other = LINE_NONE,
		.connection = *added,
	};

	machine_tell_interval(machine, &interval);
}
