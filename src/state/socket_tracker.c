/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections: which sock has which peer, and which of them is being served. Refines a wait for the
 * network: of the packet whose reception ended it, the socket that it belongs to.
 *
 * A connection is learned when its state changes and whenever a segment comes in for it, so that
 * one older than the trace is known from its first segment on. It is forgotten when it closes. Of
 * other protocols than TCP and its relatives no tracepoint tells the peer.
 *
 * Packets are received in batches, and taken in only then. Kernels before 6.3 do not tell for whom
 * a packet of another protocol is: while such a one may be left in the batch, what is said of the
 * connection served last is of medium confidence.
 */
#include "socket_tracker.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "connect_tracker.h"
#include "net_tracker.h"

/* include/net/tcp_states.h of the kernel */
#define STATE_ESTABLISHED 1
#define STATE_SYN_SENT 2
#define STATE_SYN_RECV 3
#define STATE_CLOSE    7
#define STATE_LISTEN   10

#define ADDRESS_BYTES 16
/* "[" an IPv6 address "]:65535" */
#define PEER_TEXT_BYTES (INET6_ADDRSTRLEN + 9)
/* Peers that get a name, as a server can have any number in the course of a long trace. */
#define PEER_NAMES_MAX (1u << 18)

struct endpoint {
	uint8_t address[ADDRESS_BYTES]; /* of IPv4: mapped into IPv6 */
	uint16_t port;                  /* 0: none, the socket listens */
};

struct connection {
	struct endpoint peer;
	uint16_t local_port;
	uint32_t name; /* of the peer, id in names; 0: not made yet */
	/* Its life as struct interval has it, once its state has changed. */
	bool is_followed, is_passive;
	bool is_opening; /* by the line, and nobody has answered yet */
	uint32_t cpu;  /* where it was seen last */
	uint32_t line; /* who opened it; LINE_NONE */
	struct endpoint local; /* its port is in local_port */
	bool has_local;
	uint32_t retransmits, resets;
	nsec_t retransmitted; /* last; 0: never */
	nsec_t begin, opened, established;
};

struct sockets {
	/* struct connection, by the address of the sock or connection_key(); until it closes */
	struct object_pool by_key;
	uint32_t named;
	bool has_ready; /* this kernel tells of every socket that is served */
};

static struct sockets *sockets_of(const struct machine *machine)
{
	return machine->own[TRACKER_SOCKET];
}

static struct connection *socket_find(const struct machine *machine, uint64_t socket)
{
	return object_pool_find(&sockets_of(machine)->by_key, socket);
}

/* The connection that is being served on the CPU. */
static struct sighting *cpu_served(const struct machine *machine, const struct cpu *cpu)
{
	return tracker_cpu(machine, cpu, TRACKER_SOCKET);
}

void socket_leave(const struct machine *machine, const struct cpu *cpu)
{
	cpu_served(machine, cpu)->activation = 0;
}

/* False where the bytes are no address of the internet. */
static bool endpoint_read(const struct text *text, uint64_t port, struct endpoint *ret)
{
	const uint8_t *at = (const uint8_t *)text->at;
	size_t length = text->length;
	/* the family of a struct sockaddr is a small number, in either byte order */
	int family = length > ADDRESS_BYTES ? at[0] | at[1] : AF_INET6;
	size_t offset = length > ADDRESS_BYTES ? 8 : 0;

	*ret = (struct endpoint){.port = (uint16_t)port};
	if (family == AF_INET) {
		ret->address[10] = 0xff;
		ret->address[11] = 0xff;
		memcpy(ret->address + 12, at + 4, 4);
		return true;
	}
	if (family != AF_INET6 || length < offset + ADDRESS_BYTES)
		return false;
	memcpy(ret->address, at + offset, ADDRESS_BYTES);
	return true;
}

/* For kernels that do not tell the sock: the connection stands for itself. */
static uint64_t connection_key(const struct endpoint *peer, uint64_t local_port)
{
	uint64_t words[2];

	memcpy(words, peer->address, sizeof(words));
	return hash_mix(hash_mix(words[0], words[1]), (uint64_t)peer->port << 16 | local_port);
}

/* The connection as the event tells it; NULL where that is nothing of use. */
static struct connection *sockets_learn(struct sockets *sockets, const struct event *event)
{
	struct connection *connection;
	struct endpoint peer;
	uint64_t key;

	if (!endpoint_read(&event->socket.peer, event->socket.peer_port, &peer))
		return NULL;
	key = event->socket.socket ? event->socket.socket
	                           : connection_key(&peer, event->socket.local_port);
	connection = object_pool_put(&sockets->by_key, key);
	if (memcmp(&connection->peer, &peer, sizeof(peer)) != 0) {
		connection->peer = peer;
		connection->name = 0;
	}
	connection->local_port = (uint16_t)event->socket.local_port;
	return connection;
}

/* Its segments may have been told without the sock. */
static void sockets_forget_closed(struct sockets *sockets, const struct event *event)
{
	struct endpoint peer;

	(void)object_pool_take(&sockets->by_key, event->socket.socket);
	if (endpoint_read(&event->socket.peer, event->socket.peer_port, &peer))
		(void)object_pool_take(&sockets->by_key,
		                       connection_key(&peer, event->socket.local_port));
}

static uint32_t endpoint_name(struct machine *machine, const struct endpoint *endpoint)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	bool is_v4 = memcmp(endpoint->address, mapped, sizeof(mapped)) == 0;
	char address[INET6_ADDRSTRLEN], text[PEER_TEXT_BYTES];
	const char *done;
	int length;

	if (sockets_of(machine)->named == PEER_NAMES_MAX)
		return 0;
	sockets_of(machine)->named++;
	done = inet_ntop(is_v4 ? AF_INET : AF_INET6,
	                 endpoint->address + (is_v4 ? sizeof(mapped) : 0), address,
	                 sizeof(address));
	assert(done);
	length = snprintf(text, sizeof(text), is_v4 ? "%s:%u" : "[%s]:%u", address, endpoint->port);
	return intern_add(&machine->timeline->names, text, (size_t)length);
}

/* What follows on this CPU is for that connection; NULL: for one that is not known. */
static void cpu_serve(struct machine *machine, const struct cpu *cpu,
                      struct connection *connection, enum confidence confidence)
{
	struct cause_note note;

	if (!connection) {
		socket_leave(machine, cpu);
		return;
	}
	/* the one that listens has been told of the connection that was served just now */
	if (connection->peer.port == 0)
		return;
	if (connection->name == 0)
		connection->name = endpoint_name(machine, &connection->peer);
	cause_note_init(&note, CAUSE_NET, confidence);
	note.as.net.peer = connection->name;
	note.as.net.local_port = connection->local_port;
	cpu_sight(cpu, cpu_served(machine, cpu), &note);
}

/* Whatever comes of it, it is not being opened any more. */
static void connection_end_opening(struct machine *machine, struct connection *connection,
                                   uint64_t socket)
{
	if (connection->is_opening)
		connect_note_opened(machine, connection->line, socket);
	connection->is_opening = false;
}

static void connection_begin(struct machine *machine, const struct cpu *cpu,
                             struct connection *connection, const struct event *event)
{
	bool is_active = event->socket.state == STATE_SYN_SENT;
	bool is_passive = event->socket.state == STATE_SYN_RECV;
	bool is_by_task = is_active && cpu_is_in_task(cpu) && cpu->current != cpu->idle;

	connection->is_followed = true;
	connection->is_passive = is_passive;
	connection->line = is_by_task ? cpu->current : LINE_NONE;
	connection->retransmits = 0;
	connection->resets = 0;
	connection->retransmitted = 0;
	connection->begin = machine->now;
	connection->opened = is_active || is_passive ? machine->now : NSEC_NEVER;
	connection->established = NSEC_NEVER;
	connection->is_opening = is_by_task && connection->name;
	if (connection->is_opening)
		connect_note_opening(machine, cpu->current, event->socket.socket);
}

static void connection_follow(struct machine *machine, const struct cpu *cpu,
                              struct connection *connection, const struct event *event)
{
	uint64_t state = event->socket.state;

	connection_end_opening(machine, connection, event->socket.socket);
	if (state == STATE_SYN_SENT || state == STATE_SYN_RECV || !connection->is_followed)
		connection_begin(machine, cpu, connection, event);
	connection->cpu = cpu->number;
	if (event->socket.local.length)
		connection->has_local =
			endpoint_read(&event->socket.local, 0, &connection->local);
	if (state == STATE_ESTABLISHED)
		connection->established = machine->now;
}

bool socket_opening(const struct machine *machine, uint64_t socket, struct opening *ret)
{
	const struct connection *connection = socket_find(machine, socket);

	if (!connection)
		return false;
	*ret = (struct opening){
		.peer = connection->name,
		.local_port = connection->local_port,
		.retransmits = connection->retransmits,
		.retransmitted = connection->retransmitted,
	};
	return true;
}

/* It has closed, or the trace ends before. */
static void connection_tell(struct machine *machine, struct connection *connection,
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
		.connection = {
			.socket = socket,
			.local_port = connection->local_port,
			.retransmits = connection->retransmits,
			.resets = connection->resets,
			.is_passive = connection->is_passive,
		},
	};

	if (connection->name == 0)
		connection->name = endpoint_name(machine, &connection->peer);
	interval.connection.peer = connection->name;
	connection->local.port = connection->local_port;
	if (connection->has_local)
		interval.connection.local = endpoint_name(machine, &connection->local);
	machine_tell_interval(machine, &interval);
}

/* Those that listen have no peer. */
static void sockets_close(struct machine *machine, nsec_t end)
{
	const struct object_pool *pool = &sockets_of(machine)->by_key;
	struct connection *connection;

	OBJECT_POOL_EACH(pool, connection)
		if (connection->is_followed && connection->peer.port)
			connection_tell(machine, connection, object_pool_key(connection), end,
			                /* is_open= */ true);
}

/* A segment was not answered in time. */
static void on_socket_retransmit(struct machine *machine, struct cpu *cpu,
                                 const struct event *event)
{
	struct connection *connection = socket_find(machine, event->socket.socket);

	(void)cpu;
	if (!connection)
		return;
	connection->retransmits++;
	connection->retransmitted = machine->now;
	/* it had none yet when it was begun */
	if (event->socket.local_port)
		connection->local_port = (uint16_t)event->socket.local_port;
}

static void on_socket_reset(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct connection *connection = socket_find(machine, event->socket.socket);

	(void)cpu;
	if (connection && connection->peer.port)
		connection->resets++;
}

static void on_socket_state(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct connection *connection = sockets_learn(sockets_of(machine), event);

	if (connection && event->socket.state == STATE_LISTEN)
		connection->peer.port = 0;
	cpu_serve(machine, cpu, connection, CONFIDENCE_HIGH);
	if (connection)
		connection_follow(machine, cpu, connection, event);
	if (event->socket.state != STATE_CLOSE)
		return;
	if (connection && connection->peer.port && machine_wants(machine, INTERVAL_CONNECTION))
		connection_tell(machine, connection, event->socket.socket, machine->now,
		                /* is_open= */ false);
	sockets_forget_closed(sockets_of(machine), event);
}

static void on_socket_receive(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	bool is_certain;

	is_certain = !net_take_packet(machine, cpu) || sockets_of(machine)->has_ready;
	cpu_serve(machine, cpu, sockets_learn(sockets_of(machine), event),
	          is_certain ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM);
}

static void on_socket_ready(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	sockets_of(machine)->has_ready = true;
	cpu_serve(machine, cpu, socket_find(machine, event->socket.socket), CONFIDENCE_HIGH);
}

/* A wake-up while a socket is served, of whose packet nothing was recorded. */
static bool socket_explain(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	const struct sighting *served = cpu_served(machine, wake->cpu);

	if (!cpu_sees(wake->cpu, served))
		return false;
	*ret = served->note;
	return true;
}

static void socket_refine(const struct machine *machine, const struct wake *wake,
                          struct cause_note *cause)
{
	const struct sighting *served = cpu_served(machine, wake->cpu);

	if (cause->kind != CAUSE_NET || !cpu_sees(wake->cpu, served))
		return;
	cause->as.net.peer = served->note.as.net.peer;
	cause->as.net.local_port = served->note.as.net.local_port;
	if (cause->confidence > served->note.confidence)
		cause->confidence = served->note.confidence;
}

static const struct object_pool_setup connection_pool = {
	.object_bytes = sizeof(struct connection),
	.limit = OBJECTS_MAX,
	.kind = "connections",
};

static void sockets_begin(struct machine *machine)
{
	machine_begin_pool(machine, &sockets_of(machine)->by_key, &connection_pool);
}

static void sockets_forget(struct machine *machine)
{
	object_pool_clear(&sockets_of(machine)->by_key);
}

static void sockets_end(struct machine *machine)
{
	object_pool_release(&sockets_of(machine)->by_key);
}

static const struct handler_row socket_handlers[] = {
	{EVENT_SOCKET_STATE, on_socket_state},
	{EVENT_SOCKET_RECEIVE, on_socket_receive},
	{EVENT_SOCKET_READY, on_socket_ready},
	{EVENT_SOCKET_RETRANSMIT, on_socket_retransmit},
	{EVENT_SOCKET_RESET, on_socket_reset},
};

const struct tracker socket_tracker = {
	.name = "socket",
	.handlers = socket_handlers,
	.handler_count = ARRAY_SIZE(socket_handlers),
	.explain = socket_explain,
	.explains = 1u << LEVEL_SOFT,
	.refine = socket_refine,
	.refines_causes = 1u << CAUSE_NET,
	.own_bytes = sizeof(struct sockets),
	.cpu_bytes = sizeof(struct sighting),
	.begin = sockets_begin,
	.close = sockets_close,
	.forget = sockets_forget,
	.end = sockets_end,
};
