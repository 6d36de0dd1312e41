/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections: which sock has which peer, and for which of them packets are being processed.
 * Refines a wait for the network: adds the socket of the packet whose reception ended the wait.
 *
 * A connection is learned when its state changes and whenever a segment arrives for it, so one that
 * is older than the trace is known from its first segment on. Its interval is emitted when it
 * closes. Its sock lives on until the address is reused; what happens until then is reported as
 * INTERVAL_AFTERWORD: the reset that a close sends, reads after the other end has closed. For
 * protocols other than TCP and its relatives no tracepoint has the peer: only their bytes are
 * known, by sock and process, because the address may have belonged to another socket before.
 *
 * Packets are received in batches and processed afterwards. Kernels before 6.3 do not record the
 * receiving socket for packets of other protocols: while the batch may contain such a packet, the
 * connection that was processed last is named with medium confidence.
 */
#include <string.h>

#include "base/assume.h"
#include "connection.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "net_trackers.h"
#include "state/core/held_wait.h"
#include "state/tasks/task_call.h"
#include "state/trackers.h"

/* The sock of the TCP connection that the task wrote to last; NULL: it has written to none. */
TASK_DATA(task_written, uint64_t, SOCKET)

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

#define ROUTES_MAX (1u << 14) /* the most tasks, and sockets, that are remembered */

struct route {
	struct endpoint peer, local; /* address of local: may be none */
	nsec_t time;
	uint8_t fresh; /* number of unclaimed lookups since the task was put on its CPU; 2: two or
	                  more */
};

#define PROTOCOL_UDP 17

static void on_route(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct socket_event *lookup = &event->socket;
	uint32_t track = cpu_doer(cpu);
	struct endpoint peer, local;
	struct route *route;

	if (track == TRACK_NONE || lookup->state != PROTOCOL_UDP || lookup->peer_port == 0 ||
	    !endpoint_read(&lookup->peer, lookup->peer_port, &peer) ||
	    !endpoint_read(&lookup->local, lookup->local_port, &local))
		return;
	route = object_pool_put(&sockets_of(machine)->routes, track);
	if (route->time < machine->task[track].since || route->fresh == 0)
		route->fresh = 1;
	/* else it may be the same socket's lookup once more, now that the kernel has chosen its own
	   address */
	else if (route->local.port != local.port || memcmp(&route->peer, &peer, sizeof(peer)) != 0)
		route->fresh = 2;
	route->peer = peer;
	route->local = local;
	route->time = machine->now;
}

/* The current task has sent on that socket; learns its addresses from a lookup, if any. */
static void routes_claim(const struct machine *machine, const struct cpu *cpu, uint64_t socket,
                         struct connection *connection)
{
	struct sockets *sockets = sockets_of(machine);
	struct route *route = object_pool_find(&sockets->routes, cpu_doer(cpu));

	if (!route || route->fresh == 0)
		return;
	if (connection->shown.local_port ? connection->shown.local_port != route->local.port
	                                 : route->fresh > 1)
		return;
	ASSUME(route->fresh <= 2 && route->time <= machine->now);
	route->fresh = 0;
	if (memcmp(&connection->peer, &route->peer, sizeof(route->peer)) != 0) {
		connection->has_many_peers |= connection->peer.port != 0;
		connection->peer = route->peer;
		connection->shown.peer = 0;
	}
	connection->shown.local_port = route->local.port;
	if (!endpoint_is_any(&route->local)) {
		connection->local = route->local;
		connection->has_local = true;
	}
	connection->is_blank = false;
	*(uint64_t *)object_pool_put(&sockets->keys, socket) = object_pool_key(connection);
}

/* The key of the sock's connection: its address, except for a connectionless socket. */
static uint64_t routes_key(const struct machine *machine, uint64_t socket)
{
	const uint64_t *key = object_pool_find(&sockets_of(machine)->keys, socket);

	return key ? *key : socket;
}

/* The sock at that address now belongs to the connection of that key: an earlier sock at this
   address is gone. */
static void routes_check(const struct machine *machine, uint64_t socket, uint64_t key)
{
	if (routes_key(machine, socket) != key)
		(void)object_pool_take(&sockets_of(machine)->keys, socket);
}

/* Emits what is added to a connection that has closed. `added` without a peer: it belongs to no
   known connection. */
static void connection_emit_afterword(struct machine *machine, const struct cpu *cpu,
                                      const struct connection_interval *added)
{
	struct interval interval = interval_of(INTERVAL_AFTERWORD, cpu->number, TRACK_NONE,
	                                       machine->now, machine->now);

	interval.connection = *added;
	machine_emit_interval(machine, &interval);
}

/*
 * What tasks write to sockets and read from them: bytes, turns, requests. For a socket whose
 * addresses are not recorded this is all that is known.
 */

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
	ASSUME(connection->is_set && (connection->is_closed || connection->shown.socket == key));
	connection->shown.protocol = (uint16_t)transfer->protocol;
	connection->cpu = cpu->number;
	if (connection->track == TRACK_NONE && cpu_is_in_task(cpu))
		connection->track = cpu->current;
	return connection;
}

/* `is_wanted`: false if no view needs turns: follows only what struct stream_ends needs to find the
   writer, and whether the reader has read. */
static void transfer_add(struct machine *machine, const struct cpu *cpu,
                         const struct transfer_event *transfer,
                         struct connection *connection, bool is_send, bool is_wanted)
{
	struct connection_interval *shown = &connection->shown;
	uint64_t bytes = (uint64_t)transfer->result;
	struct connection_interval added = {
		.socket = transfer->socket,
		.peer = shown->peer,
		.local_port = shown->local_port,
		.sent = is_send ? bytes : 0,
		.received = is_send ? 0 : bytes,
	};
	struct exchange last;

	ASSUME(transfer->result >= 0 && connection->is_set);
	if (connection->is_closed)
		connection_emit_afterword(machine, cpu, &added);
	if (is_send)
		stream_note_write(machine, cpu, connection, bytes);
	else
		connection->end.reader = cpu_doer(cpu);
	if (shown->protocol != PROTOCOL_TCP && !shown->sent && !shown->received)
		connection->is_asked = !is_send;
	shown->sent += added.sent;
	shown->received += added.received;
	if (is_wanted && exchange_add(&connection->exchange, is_send, machine->now,
	                              cpu_is_in_task(cpu) ? cpu->current : TRACK_NONE, &last)) {
		stream_divide_wait(machine, connection, &last);
		connection_emit_exchange(machine, connection, &last, machine->now);
	}
	if (!is_send)
		connection->end.arrived = 0;
}

/* Whether anybody wants what happened on connections; the last turn ends with its connection. */
static bool sockets_are_wanted(const struct machine *machine)
{
	return machine_wants(machine, INTERVAL_CONNECTION) ||
	       machine_wants(machine, INTERVAL_EXCHANGE);
}

static void transfer_take(struct machine *machine, const struct cpu *cpu,
                          const struct transfer_event *transfer, bool is_send)
{
	uint64_t key = transfer->socket;
	bool is_tcp = transfer->protocol == PROTOCOL_TCP;
	bool is_wanted = sockets_are_wanted(machine);
	struct connection *connection = NULL;

	/* no event shows the end of a connectionless socket: each process has another key */
	if (!is_tcp && cpu_is_in_task(cpu))
		key = hash_mix(key, (uint64_t)track_process(machine, cpu->current));
	routes_check(machine, transfer->socket, key);
	if (is_send) {
		if (is_tcp && cpu_is_in_task(cpu))
			*(uint64_t *)tracker_keep_task(machine, TRACKER_SOCKET, cpu->current) =
				transfer->socket;
		if (!is_tcp && object_pool_count(&sockets_of(machine)->routes))
			routes_claim(machine, cpu, transfer->socket,
			             transfer_connection(machine, cpu, transfer, key));
		request_note_sent(machine, cpu, transfer, key);
	} else {
		request_note_taken(machine, cpu, transfer, key);
	}
	if (is_wanted)
		connection = transfer_connection(machine, cpu, transfer, key);
	else if (is_tcp)
		connection = socket_find(machine, key);
	if (connection)
		transfer_add(machine, cpu, transfer, connection, is_send, is_wanted);
}

#define FAMILY_UNIX   1
#define FLAG_DONTWAIT 0x40

/* Whether it was a call at a local socket that waited, as far as known, and then failed. */
static bool transfer_is_in_vain(const struct transfer_event *transfer)
{
	return transfer->result < 0 && transfer->family == FAMILY_UNIX &&
	       !(transfer->flags & FLAG_DONTWAIT);
}

/* A call at a local socket fails: the limit that has just ended the task's sleep was of that call.
   No other event shows such sockets. */
static void transfer_give_up(const struct machine *machine, const struct cpu *cpu, uint8_t call,
                             uint8_t purpose)
{
	struct held_wait *held = cpu_is_in_task(cpu) ? machine->task[cpu->current].held : NULL;

	if (!held || held->span.kind != SEGMENT_WAIT || !cause_note_is_own_timer(&held->cause) ||
	    (held->cause.as.timer.call != CALL_NONE && held->cause.as.timer.call != call))
		return;
	ASSUME(held->cause.kind == CAUSE_TIMER);
	held->cause.as.timer.call = call;
	cause_add_purpose(&held->cause, purpose);
}

static void on_socket_send(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (transfer_counts(&event->transfer))
		transfer_take(machine, cpu, &event->transfer, /* is_send= */ true);
	else if (transfer_is_in_vain(&event->transfer))
		transfer_give_up(machine, cpu, CALL_SEND, PURPOSE_UNIX_SEND);
}

/* Data that is only peeked at will be taken later. */
static void on_socket_take(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (transfer_counts(&event->transfer) && !transfer_is_look(&event->transfer))
		transfer_take(machine, cpu, &event->transfer, /* is_send= */ false);
	else if (transfer_is_in_vain(&event->transfer))
		transfer_give_up(machine, cpu, CALL_RECEIVE, PURPOSE_UNIX_RECEIVE);
}

#define EPHEMERAL_FIRST 32768u

static bool port_is_in(const uint64_t *listening, uint16_t port)
{
	return listening[port / 64] >> (port % 64) & 1;
}

/*
 * If the opening of a connection was not seen, the ports show its ends: the server's end has a port
 * that was listened on at the begin, and the other has not. The peer's port only counts if the peer
 * is on this machine: its address is a loopback one, or that of this end (`local`, NULL: unknown).
 * Where neither port shows it, it is a guess: the kernel gives clients ports from
 * ip_local_port_range, by default from 32768 on, and servers have lower ones.
 */
static void connection_judge_ports(struct connection *connection, const uint64_t *listening,
                                   const struct endpoint *local)
{
	uint16_t port = connection->shown.local_port, peer_port = connection->peer.port;
	bool is_server = port_is_in(listening, port);
	bool is_here = endpoint_is_loopback(&connection->peer) ||
	               (local && memcmp(local->address, connection->peer.address,
	                                sizeof(local->address)) == 0);
	bool is_client = port_is_in(listening, peer_port) && is_here;

	connection->is_guess = is_server == is_client;
	if (connection->is_guess) {
		is_server = port < EPHEMERAL_FIRST;
		is_client = peer_port < EPHEMERAL_FIRST;
	}
	if (port && peer_port && is_server != is_client) {
		connection->port_end = is_server ? NET_END_PASSIVE : NET_END_ACTIVE;
		return;
	}
	connection->port_end = NET_END_UNKNOWN;
	connection->is_guess = false;
}

/* Updates or adds the connection from the event; NULL: the event has no usable peer. */
static struct connection *sockets_learn(struct machine *machine, const struct event *event)
{
	struct connection *connection;
	struct endpoint peer, local;
	bool has_local;
	uint64_t key;

	if (!endpoint_read(&event->socket.peer, event->socket.peer_port, &peer))
		return NULL;
	key = event->socket.socket ? event->socket.socket
	                           : connection_key(&peer, event->socket.local_port);
	connection = sockets_put(machine, key);
	ASSUME(connection->is_set && !connection->is_closed);
	connection->is_blank = false;
	if (memcmp(&connection->peer, &peer, sizeof(peer)) != 0) {
		connection->peer = peer;
		connection->shown.peer = 0;
	}
	connection->shown.local_port = (uint16_t)event->socket.local_port;
	has_local = event->socket.local.length && endpoint_read(&event->socket.local, 0, &local);
	connection_judge_ports(connection, sockets_of(machine)->listening,
	                       has_local ? &local : NULL);
	return connection;
}

/* The connection, if it is known, has closed: its interval is emitted, and it is kept for what may
   still follow. Segments of it may be stored under connection_key(), as their events had no
   sock. */
static void socket_close(struct machine *machine, struct connection *connection,
                         const struct event *event, struct request_left left)
{
	struct sockets *sockets = sockets_of(machine);
	struct object_pool *closed = &sockets->closed;
	uint64_t socket = event->socket.socket;
	const struct connection *gone;
	struct endpoint peer;

	if (connection && connection->peer.port && sockets_are_wanted(machine)) {
		connection->is_closed = true;
		connection->shown.left = left;
		connection_emit(machine, connection, machine->now, /* is_open= */ false);
		if (object_pool_count(closed) == CLOSED_MAX)
			sockets_drop_closed(machine, object_pool_at(closed, closed->oldest));
		*(struct connection *)object_pool_put(closed, socket) = *connection;
	}
	ASSUME(object_pool_count(closed) <= CLOSED_MAX);
	gone = object_pool_take(&sockets->by_key, socket);
	if (gone)
		stream_ends_leave(machine, gone);
	if (endpoint_read(&event->socket.peer, event->socket.peer_port, &peer))
		(void)object_pool_take(&sockets->by_key,
		                       connection_key(&peer, event->socket.local_port));
}

/* The wake-ups that follow on this CPU are for that connection; NULL: for an unknown one. */
static void cpu_serve(struct machine *machine, const struct cpu *cpu,
                      struct connection *connection, enum confidence confidence, bool is_ready)
{
	struct cpu_served *served = cpu_served(machine, cpu);
	struct cause_note note;

	if (!connection) {
		socket_leave(machine, cpu);
		return;
	}
	/* a listening socket: its wake-up is for the connection that was served just now */
	if (connection->peer.port == 0)
		return;
	cause_note_init(&note, CAUSE_NET, confidence);
	connection_describe(machine, connection, &note);
	note.as.net.stall = connection->stall;
	note.as.net.is_ready = is_ready;
	ASSUME(connection->timed_out <= machine->now);
	served->is_accepted = false;
	served->timed_out = connection->timed_out;
	served->ready = 0;
	cpu_sight(cpu, &served->sighting, &note);
}

static void sockets_close(struct machine *machine, nsec_t end)
{
	const struct sockets *sockets = sockets_of(machine);
	struct connection *connection;

	OBJECT_POOL_EACH(&sockets->closed, connection)
		connection_emit_exchange(machine, connection, &connection->exchange, end);
	OBJECT_POOL_EACH(&sockets->by_key, connection) {
		connection_emit_exchange(machine, connection, &connection->exchange, end);
		ASSUME(!connection->is_closed);
		connection->shown.left = request_left(machine, object_pool_key(connection));
		/* listening sockets have no peer; older connections than the trace count if they
		   were used */
		if ((connection->is_blank || connection->peer.port) &&
		    (connection->is_followed || connection->shown.retransmits ||
		     connection->shown.sent || connection->shown.received))
			connection_emit(machine, connection, end, /* is_open= */ true);
	}
}

/*
 * A segment was not answered in time. The event may introduce a connection that is older than the
 * trace. It has no sock for a connection that is still being accepted.
 */
static void on_socket_retransmit(struct machine *machine, struct cpu *cpu,
                                 const struct event *event)
{
	struct connection *connection = socket_find(machine, event->socket.socket);
	bool is_opening = event->socket.socket == 0 ||
	                  (connection && connection->opened != NSEC_NEVER &&
	                   connection->established == NSEC_NEVER);
	enum stall_kind stall = is_opening ? STALL_SYN_RETRY : STALL_RETRANSMISSION;
	bool is_timed_out = net_note_resent(machine, cpu, stall);

	if (event->socket.socket == 0) {
		connection_emit_afterword(machine, cpu,
		                          &(struct connection_interval){.retransmits = 1});
		return;
	}
	if (!connection && event->socket.local_port && event->socket.peer_port)
		connection = sockets_learn(machine, event);
	if (!connection)
		return;
	connection->shown.retransmits++;
	ASSUME(connection->retransmitted <= machine->now);
	connection->retransmitted = machine->now;
	if (net_sent_bytes(machine, cpu) > connection->end.resent)
		connection->end.resent = net_sent_bytes(machine, cpu);
	if (is_timed_out) {
		connection->timed_out = machine->now;
		connection->stall = (uint8_t)stall;
	}
	/* the connection had no port yet when its opening began */
	if (!event->socket.local_port)
		return;
	connection->shown.local_port = (uint16_t)event->socket.local_port;
	connection->shown.local = 0;
}

/*
 * A close() with unread data first closes, then sends the reset. An aborted connection may answer
 * late segments with another reset, which aborts nothing.
 */
static void on_socket_reset(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint64_t socket = event->socket.socket;
	struct connection *connection = socket_find(machine, socket);
	struct connection *closed = object_pool_find(&sockets_of(machine)->closed, socket);
	struct connection_interval added = {.socket = socket, .resets = 1};

	if (connection && connection->peer.port) {
		connection->shown.resets++;
		return;
	}
	ASSUME(!closed || closed->is_closed);
	if (closed && closed->shown.resets)
		return;
	if (closed) {
		closed->shown.resets = 1;
		added.peer = closed->shown.peer;
		added.local_port = closed->shown.local_port;
	}
	connection_emit_afterword(machine, cpu, &added);
}

static void socket_follow(struct machine *machine, const struct cpu *cpu,
                          struct connection *connection, const struct event *event)
{
	const struct connection_interval *shown = &connection->shown;
	bool was_opening = connection->is_opening;
	bool is_accepted = event->socket.state == STATE_ESTABLISHED;
	uint32_t opener = connection->track;

	ASSUME(!was_opening || opener != TRACK_NONE);
	connection_follow(machine, cpu, connection, event);
	if (was_opening && is_accepted)
		request_note_opened(machine, event->socket.socket);
	if (was_opening)
		connect_note_attempt(machine, opener,
		                     &(struct attempt){shown->peer, shown->local_port,
		                                       is_accepted     ? ATTEMPT_ACCEPTED
		                                       : shown->resets ? ATTEMPT_REFUSED
		                                                       : ATTEMPT_FAILED});
	if (connection->is_opening)
		request_note_opening(machine, connection->track, event->socket.socket);
}

static void on_socket_state(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct sockets *sockets = sockets_of(machine);
	uint64_t socket = event->socket.socket;
	struct request_left left = request_left(machine, socket);
	struct connection *connection;

	routes_check(machine, socket, socket);
	if (event->socket.state == STATE_CLOSE)
		request_note_closed(machine, socket);
	if (event->socket.state == STATE_CLOSE && !object_pool_find(&sockets->by_key, socket) &&
	    object_pool_find(&sockets->closed, socket))
		return;
	connection = sockets_learn(machine, event);
	if (connection && event->socket.state == STATE_LISTEN)
		connection->peer.port = 0;
	if (event->socket.state == STATE_LISTEN && cpu_doer(cpu) != TRACK_NONE)
		answer_note_listen(machine, cpu->current);
	cpu_serve(machine, cpu, connection, CONFIDENCE_HIGH, /* is_ready= */ true);
	if (connection) {
		socket_follow(machine, cpu, connection, event);
		cpu_served(machine, cpu)->is_accepted =
			connection->shown.is_passive && event->socket.state == STATE_ESTABLISHED;
		if (event->socket.state == STATE_ESTABLISHED)
			stream_ends_join(machine, connection);
	}
	if (event->socket.state == STATE_CLOSE)
		socket_close(machine, connection, event, left);
}

static void on_socket_receive(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	bool is_certain = !net_take_packet(machine, cpu) || sockets_of(machine)->has_ready;

	cpu_serve(machine, cpu, sockets_learn(machine, event),
	          is_certain ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	          /* is_ready= */ !sockets_of(machine)->has_ready);
}

static void on_socket_ready(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint64_t socket = event->socket.socket;
	struct connection *connection = socket_find(machine, routes_key(machine, socket));
	struct cpu_served *served = cpu_served(machine, cpu);
	struct cause_note note;

	sockets_of(machine)->has_ready = true;
	if (connection) {
		connection->end.ready = machine->now;
		if (connection->end.arrived == 0)
			connection->end.arrived = machine->now;
	}
	request_note_ready(machine, cpu, socket);
	if (request_socket_serves(machine, socket)) {
		cause_note_init(&note, CAUSE_NET, CONFIDENCE_HIGH);
		note.as.net.end = NET_END_PASSIVE;
		note.as.net.is_ready = true;
		cpu_sight(cpu, &served->sighting, &note);
	/* otherwise it may be a listening socket that is older than the trace */
	} else if (connection || !served->is_accepted) {
		cpu_serve(machine, cpu, connection, CONFIDENCE_HIGH, /* is_ready= */ true);
	}
	served->ready = connection ? object_pool_key(connection) : 0;
}

/* Explains a wake-up while a socket is served whose packet was not recorded. */
static bool socket_explain(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	const struct sighting *served = &cpu_served(machine, wake->cpu)->sighting;

	if (!cpu_sees(wake->cpu, served))
		return false;
	ASSUME(served->note.kind == CAUSE_NET);
	*ret = served->note;
	ret->as.net.stall = STALL_NONE;
	return true;
}

static void socket_refine(const struct machine *machine, const struct wake *wake,
                          struct cause_note *cause)
{
	const struct cpu_served *served = cpu_served(machine, wake->cpu);
	const struct cause_note *note = &served->sighting.note;
	nsec_t since = machine->task[wake->wakee].since;
	const struct connection *connection, *other;

	if (cause->kind != CAUSE_NET || !cpu_sees(wake->cpu, &served->sighting))
		return;
	ASSUME(note->kind == CAUSE_NET && since <= machine->now);
	cause->as.net.peer = note->as.net.peer;
	cause->as.net.local_port = note->as.net.local_port;
	cause->as.net.end = note->as.net.end;
	cause->as.net.is_ready = note->as.net.is_ready;
	/* if most of the wait was for a retransmission by a timer of this end */
	cause->as.net.stall =
		machine->now - since > 2 * (nsec_max(served->timed_out, since) - since)
			? STALL_NONE : note->as.net.stall;
	/* the packet has no known sender */
	if (cause->originator == TRACK_NONE && served->ready &&
	    socket_find_ends(machine, served->ready, &connection, &other))
		stream_name_writer(machine, wake->cpu, connection, other, cause);
	if (cause->confidence > note->confidence)
		cause->confidence = note->confidence;
}

/*
 * A timer of TCP probes a receiver that has no room, or sends what the receiver keeps back: some of
 * the sender's own memory becomes free then, and ends its sleep. If the receiver does not read, the
 * sender waits for it all the same:
 *
 *	sender    write  WAIT(tcp_write_timer)  write  WAIT(packet)
 *	receiver  -------------- does not read ------------| read
 *
 * Without a retransmission the timer sends only if the receiver has no room.
 */
static bool sender_waits_for_reader(const struct connection *connection,
                                    const struct connection *other,
                                    const struct cause_note *cause, nsec_t since)
{
	bool is_probe = cause->as.timer.stall == STALL_NONE && connection->timed_out < since &&
	                connection->shown.sent > other->shown.received;

	ASSUME(cause->kind == CAUSE_TIMER);
	/* or the receiver has read nothing of what arrived since then, or before */
	return is_probe || (other->end.arrived && other->end.arrived <= since);
}

static void socket_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	const uint64_t *written = task_written(machine, track);
	nsec_t since = machine->task[track].since;
	const struct connection *connection, *other;
	struct cause_note note;

	if (!written || !net_is_timer(machine, cause->name) ||
	    !socket_find_ends(machine, *written, &connection, &other) ||
	    other->end.reader == track ||
	    !sender_waits_for_reader(connection, other, cause, since))
		return;
	ASSUME(connection != other && connection->is_active == other->shown.is_passive);
	cause_note_init(&note, CAUSE_NET, CONFIDENCE_MEDIUM);
	(void)socket_describe(machine, *written, &note);
	note.originator = other->end.reader;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){since, machine->now, CAUSE_NONE, AIM_ANSWER, AIM_LIMIT},
	                 &note);
}

static void sockets_begin(struct machine *machine)
{
	const struct source *source = machine->setup.source;

	for (size_t i = 0; source && i < source->notes.listening.count; i++) {
		uint16_t port = source->notes.listening.item[i];

		sockets_of(machine)->listening[port / 64] |= UINT64_C(1) << (port % 64);
	}
	stream_ends_begin(&sockets_of(machine)->own_ends);
	ends_of(machine)->open[machine->setup.host] = &sockets_of(machine)->by_key;
	ends_of(machine)->closed[machine->setup.host] = &sockets_of(machine)->closed;
}

static void sockets_forget(struct machine *machine)
{
	object_pool_clear(&ends_of(machine)->by_addresses);
	sockets_of(machine)->has_lost = true;
}

static void sockets_end(struct machine *machine)
{
	ends_of(machine)->open[machine->setup.host] = NULL;
	ends_of(machine)->closed[machine->setup.host] = NULL;
	object_pool_release(&sockets_of(machine)->own_ends.by_addresses);
}

const struct tracker socket_tracker = {
	.handlers = HANDLERS(
		{EVENT_NET_ROUTE, on_route},
		{EVENT_SOCKET_STATE, on_socket_state},
		{EVENT_SOCKET_RECEIVE, on_socket_receive},
		{EVENT_SOCKET_READY, on_socket_ready},
		{EVENT_SOCKET_RETRANSMIT, on_socket_retransmit},
		{EVENT_SOCKET_RESET, on_socket_reset},
		{EVENT_SOCKET_SEND, on_socket_send},
		{EVENT_SOCKET_TAKE, on_socket_take}),
	.explain = {socket_explain, 1u << LEVEL_SOFT, 0},
	.refine = {socket_refine, 1u << CAUSE_NET, 0},
	.conclude = {socket_conclude, 1u << CAUSE_TIMER, 0},
	.own_bytes = sizeof(struct sockets),
	.stores = STORES(
		POOL_AT(offsetof(struct sockets, by_key),
		        struct connection, OBJECTS_MAX, "connections", NULL),
		POOL_AT(offsetof(struct sockets, closed),
		        struct connection, CLOSED_MAX, NULL, NULL),
		POOL_AT(offsetof(struct sockets, routes),
		        struct route, ROUTES_MAX, NULL, NULL),
		POOL_AT(offsetof(struct sockets, keys), uint64_t, ROUTES_MAX, NULL, NULL)),
	.task_bytes = sizeof(uint64_t),
	.cpu_bytes = sizeof(struct cpu_served),
	.begin = sockets_begin,
	.close = sockets_close,
	.forget = sockets_forget,
	.end = sockets_end,
};
