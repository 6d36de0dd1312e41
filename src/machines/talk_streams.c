/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "talk_streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

#define TASKS_MAX    65536
#define PACKETS_MAX  8     /* of a task between two calls */
#define STREAMS_MAX  (1u << 20)
/* Full packets are longer, headers not counted: they carry 524 bytes at least. */
#define LARGE_BYTES  500
#define ONCE_BYTES   16384 /* a call of more may copy its data piece by piece, and wait between */

#define INTERRUPT_FLAGS (EVENT_HARDIRQ | EVENT_SOFTIRQ | EVENT_NMI)

#define IPV4_BYTES   20u
#define IPV6_BYTES   40u
#define TCP_BYTES    20u
#define TCP_STAMPS   12    /* bytes of the option that most connections use */

struct queued_packet {
	nsec_t time;
	uint64_t bytes; /* without the link header */
};

struct task_packets {
	struct queued_packet packet[PACKETS_MAX];
	uint32_t count;
	nsec_t last; /* when its last call returned; 0: not known */
};

void talk_streams_begin(struct talk_streams *streams)
{
	static const struct object_pool_setup setup = {
		.object_bytes = sizeof(struct task_packets),
		.limit = TASKS_MAX,
	};

	*streams = (struct talk_streams){0};
	map_init(&streams->by_socket);
	object_pool_init(&streams->packets, &setup);
}

/* The stream that the sock has now; MAP_NONE: none that is followed. */
static uint32_t stream_find(const struct talk_streams *streams, uint64_t socket)
{
	uint32_t number = map_get(&streams->by_socket, socket);

	return number == STREAM_OLDER ? MAP_NONE : number;
}

static uint32_t stream_add(struct talk_streams *streams, uint64_t socket)
{
	uint32_t number = (uint32_t)streams->count;

	if (streams->count == STREAMS_MAX) {
		(void)map_take(&streams->by_socket, socket);
		return MAP_NONE;
	}
	ARRAY_GROW(streams->stream, streams->count, streams->capacity);
	ARRAY_GROW(streams->state, streams->count, streams->state_capacity);
	streams->stream[number] = (struct host_stream){0};
	streams->state[number] = (struct stream_state){0};
	streams->count++;
	map_put(&streams->by_socket, socket, number);
	return number;
}

/* Programs may read what is left of a closed connection. */
static void stream_close(struct talk_streams *streams, uint64_t socket)
{
	uint32_t number = stream_find(streams, socket);

	if (number == MAP_NONE || streams->stream[number].local.port == 0)
		(void)map_take(&streams->by_socket, socket);
}

/* A connection that its machine opens is followed from its first packet, which may have data. One
   that was used before it is established is not followed: the first calls were not counted. */
static void take_open(struct talk_streams *streams, const struct event *event)
{
	const struct socket_event *socket = &event->socket;
	bool opens = socket->state == STATE_SYN_SENT;
	uint32_t number = map_get(&streams->by_socket, socket->socket);
	struct endpoint local, peer;
	struct host_stream *stream;

	if (!opens && number == STREAM_OLDER)
		return;
	if (opens || number == MAP_NONE || streams->stream[number].local.port)
		number = stream_add(streams, socket->socket);
	if (number == MAP_NONE)
		return;
	stream = &streams->stream[number];
	stream->is_active |= opens;
	if (opens || !endpoint_read(&socket->local, socket->local_port, &local) ||
	    !endpoint_read(&socket->peer, socket->peer_port, &peer))
		return;
	stream->local = local;
	stream->peer = peer;
	stream->established = event->time;
}

static void take_state(struct talk_streams *streams, const struct event *event)
{
	uint32_t number = stream_find(streams, event->socket.socket);
	struct host_stream none, *stream = number == MAP_NONE ? &none : &streams->stream[number];

	switch (event->socket.state) {
	case STATE_SYN_SENT:
	case STATE_ESTABLISHED:
		take_open(streams, event);
		break;
	case STATE_FIN_WAIT1:
		stream->closed = event->time;
		break;
	case STATE_FIN_WAIT2:
		stream->close_acked = event->time;
		break;
	case STATE_CLOSE_WAIT:
		stream->peer_closed = event->time;
		break;
	case STATE_CLOSE:
		stream_close(streams, event->socket.socket);
		break;
	default:
		break;
	}
}

/* An interrupt may queue packets of any connection in the context of the task. */
static void take_packet(struct talk_streams *streams, const struct event *event)
{
	struct task_packets *packets;

	if (event->tid == 0 || (event->flags & INTERRUPT_FLAGS) ||
	    net_event_is_loopback(&event->net) || event->net.bytes < LINK_HEADER_BYTES)
		return;
	packets = object_pool_put(&streams->packets, (uint64_t)event->tid);
	if (packets->count < PACKETS_MAX)
		packets->packet[packets->count++] = (struct queued_packet){
			event->time, event->net.bytes - LINK_HEADER_BYTES};
}

/* The first packet that is as long as if it carried all of the call; NULL: there is none. */
static const struct queued_packet *packet_of_call(const struct task_packets *packets,
                                                  const struct host_stream *stream,
                                                  uint64_t bytes)
{
	bytes += TCP_BYTES + (endpoint_is_ipv4(&stream->peer) ? IPV4_BYTES : IPV6_BYTES);
	for (uint32_t i = 0; i < packets->count; i++)
		if (packets->packet[i].bytes == bytes ||
		    packets->packet[i].bytes == bytes + TCP_STAMPS)
			return &packets->packet[i];
	return NULL;
}

static const struct queued_packet *packet_first(const struct task_packets *packets, uint64_t least)
{
	for (uint32_t i = 0; i < packets->count; i++)
		if (packets->packet[i].bytes >= least)
			return &packets->packet[i];
	return NULL;
}

/* Two tasks may send at once, and which of them was first is not known: forgets what is known of
   the calls that returned while one of another task may have been going on, which began after
   `since`. Returns whether there are any. Goes past those that it forgot last. */
static bool stream_part_overlapping(struct host_stream *stream, struct stream_state *state,
                                    nsec_t since)
{
	size_t count = stream->sent_count, i = count;

	while (i > 0 && stream->sent[i - 1].returned > since) {
		if (i > state->forgotten_begin && i <= state->forgotten_end) {
			i = state->forgotten_begin;
			continue;
		}
		i--;
		stream->sent[i].time = 0;
		stream->sent[i].taken = 0;
	}
	if (i == count)
		return false;
	if (i != state->forgotten_end)
		state->forgotten_begin = i;
	state->forgotten_end = count;
	return true;
}

static void stream_note_sent(struct host_stream *stream, struct stream_state *state,
                             const struct task_packets *packets, const struct event *event)
{
	uint64_t bytes = (uint64_t)event->transfer.result;
	const struct queued_packet *packet = packet_of_call(packets, stream, bytes);
	bool is_once = packet && bytes <= ONCE_BYTES;
	struct stream_sent sent = {
		.from = stream->sent_bytes,
		.taken = state->taker == event->tid ? stream->taken_bytes : 0,
		.returned = event->time,
		.sender = (int32_t)event->tid,
		.is_large = bytes > LARGE_BYTES && (!is_once || state->has_unsent),
	};

	if (!packet && bytes > LARGE_BYTES)
		packet = packet_first(packets, LARGE_BYTES);
	if (stream_part_overlapping(stream, state, is_once ? packet->time : packets->last)) {
		sent.taken = 0;
		is_once = false;
	} else if (packet) {
		sent.time = packet->time;
	}
	ARRAY_ADD(stream->sent, stream->sent_count, stream->sent_capacity) = sent;
	stream->sent_bytes += bytes;
	state->has_unsent |= !is_once;
}

static void stream_note_taken(struct host_stream *stream, struct stream_state *state,
                              const struct event *event)
{
	ARRAY_ADD(stream->taken, stream->taken_count, stream->taken_capacity) =
		(struct stream_taken){stream->taken_bytes,
	                              state->ready ? state->ready : event->time, event->time};
	stream->taken_bytes += (uint64_t)event->transfer.result;
	state->ready = 0;
	state->taker = event->tid;
}

static void take_call(struct talk_streams *streams, const struct event *event,
                      const struct task_packets *packets)
{
	const struct transfer_event *transfer = &event->transfer;
	uint32_t number = map_get(&streams->by_socket, transfer->socket);

	if (transfer->protocol != PROTOCOL_TCP || !transfer_counts(transfer) ||
	    number == STREAM_OLDER)
		return;
	if (number == MAP_NONE)
		map_put(&streams->by_socket, transfer->socket, STREAM_OLDER);
	else if (event->kind == EVENT_SOCKET_SEND)
		stream_note_sent(&streams->stream[number], &streams->state[number], packets,
		                 event);
	else if (!transfer_is_look(transfer))
		stream_note_taken(&streams->stream[number], &streams->state[number], event);
}

static void take_transfer(struct talk_streams *streams, const struct event *event)
{
	struct task_packets *packets = object_pool_put(&streams->packets, (uint64_t)event->tid);

	take_call(streams, event, packets);
	packets->count = 0;
	packets->last = event->time;
}

static void take_ready(struct talk_streams *streams, const struct event *event)
{
	uint32_t number = stream_find(streams, event->socket.socket);

	if (number != MAP_NONE && streams->state[number].ready == 0)
		streams->state[number].ready = event->time;
}

void talk_streams_take(struct talk_streams *streams, const struct event *event)
{
	if (event->time < streams->lost_until)
		return;
	if (event->kind == EVENT_SOCKET_STATE)
		take_state(streams, event);
	else if (event->kind == EVENT_NET_QUEUE)
		take_packet(streams, event);
	else if (event->kind == EVENT_SOCKET_SEND || event->kind == EVENT_SOCKET_TAKE)
		take_transfer(streams, event);
	else if (event->kind == EVENT_SOCKET_READY)
		take_ready(streams, event);
}

static void time_cut(nsec_t *time, nsec_t begin)
{
	if (*time >= begin)
		*time = 0;
}

/* Forgets the calls that returned, and the states, from `begin` on. */
static void stream_cut(struct host_stream *stream, nsec_t begin)
{
	size_t sent = stream->sent_count, taken = stream->taken_count;

	while (sent > 0 && stream->sent[sent - 1].returned >= begin)
		stream->sent_bytes = stream->sent[--sent].from;
	while (taken > 0 && stream->taken[taken - 1].time >= begin)
		stream->taken_bytes = stream->taken[--taken].from;
	stream->sent_count = sent;
	stream->taken_count = taken;
	stream->is_cut = true;
	time_cut(&stream->established, begin);
	time_cut(&stream->closed, begin);
	time_cut(&stream->close_acked, begin);
	time_cut(&stream->peer_closed, begin);
}

/* The time since which the task may be in a call that will not be seen to return; NSEC_NEVER: not
   known. It need not have queued a packet: if it waits for room, interrupts send its bytes. */
static nsec_t call_begin(const struct talk_streams *streams, int32_t tid)
{
	const struct task_packets *packets = object_pool_find(&streams->packets, (uint64_t)tid);

	return packets ? packets->last : NSEC_NEVER;
}

/* Forgets what is known of calls while another task that uses the socket may have been in one: if
   that does not return, its bytes are not counted, and later ones have wrong numbers. */
static void stream_part_open(const struct talk_streams *streams, size_t number)
{
	struct host_stream *stream = &streams->stream[number];
	struct stream_state *state = &streams->state[number];
	nsec_t since = call_begin(streams, (int32_t)state->taker);

	for (size_t i = 0; i < stream->sent_count; i++)
		if (i == 0 || stream->sent[i].sender != stream->sent[i - 1].sender)
			since = nsec_min(since, call_begin(streams, stream->sent[i].sender));
	(void)stream_part_overlapping(stream, state, since);
}

void talk_streams_lose(struct talk_streams *streams, nsec_t begin, nsec_t end)
{
	/* Connections that an earlier loss has cut stay as they are, unless this loss began before
	   that one: a CPU that lost its first events reports this only with its first record. */
	size_t first = begin < streams->cut_from ? 0 : streams->cut_count;

	streams->lost_until = nsec_max(streams->lost_until, end);
	for (size_t i = first; i < streams->count; i++) {
		bool was_cut = streams->stream[i].is_cut;

		stream_cut(&streams->stream[i], begin);
		if (!was_cut)
			stream_part_open(streams, i);
	}
	streams->cut_count = streams->count;
	streams->cut_from = nsec_max(streams->cut_from, begin);
	map_clear(&streams->by_socket);
	object_pool_clear(&streams->packets);
}

static bool stream_is_whole(const struct host_stream *stream)
{
	return stream->local.port && stream->peer.port &&
	       memcmp(stream->local.address, stream->peer.address, ADDRESS_BYTES) != 0;
}

static void stream_release(struct host_stream *stream)
{
	free(stream->sent);
	free(stream->taken);
}

/* Keeps those with two different addresses: with one address both ends are on this machine. */
void talk_streams_end(struct talk_streams *streams)
{
	size_t kept = 0;

	for (size_t i = 0; i < streams->count; i++) {
		if (!stream_is_whole(&streams->stream[i])) {
			stream_release(&streams->stream[i]);
			continue;
		}
		if (!streams->stream[i].is_cut)
			stream_part_open(streams, i);
		streams->stream[kept++] = streams->stream[i];
	}
	streams->count = kept;
	map_release(&streams->by_socket);
	object_pool_release(&streams->packets);
}

void talk_streams_release(struct talk_streams *streams)
{
	for (size_t i = 0; i < streams->count; i++)
		stream_release(&streams->stream[i]);
	free(streams->stream);
	free(streams->state);
	*streams = (struct talk_streams){0};
}
