/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/heap.h"
#include "ftwait/event.h"
#include "tcp_net.h"

#define STATE_LAST_ACK   9

#define DELAY_OF_ACK     (40 * MS)
#define TIMEOUT_LEAST    (200 * MS)
#define GSO_BYTES        64000u

enum pending_kind {
	PENDING_TASK,
	PENDING_PACKET,
	PENDING_TIMER,
	PENDING_DELAY,
};

struct net_pending {
	nsec_t time;
	uint32_t order;
	enum pending_kind kind;
	void *of; /* a task, or a side */
	uint32_t timer;
	struct net_packet packet;
};

static bool pending_is_before(const struct net_pending *a, const struct net_pending *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void net_add(struct net *net, struct net_pending pending)
{
	pending.order = net->order++;
	ARRAY_GROW(net->pending, net->pending_count, net->pending_capacity);
	net->pending[net->pending_count++] = pending;
	HEAP_SIFT_UP(net->pending, net->pending_count - 1, pending_is_before);
}

void net_see(struct net *net, struct net_context *context, enum net_event_kind kind,
             const struct net_side *side, int64_t value, unsigned flags)
{
	struct net_log *log = &net->log[context->machine];

	context->time += 100 + random_below(&net->random, 1500);
	ARRAY_GROW(log->event, log->count, log->capacity);
	log->event[log->count++] = (struct net_event_seen){
		.time = context->time,
		.order = net->order++,
		.kind = (uint8_t)kind,
		.cpu = (uint8_t)context->cpu,
		.task = (uint8_t)context->task,
		.is_softirq = context->is_softirq,
		.side = side,
		.address = side ? side->address : 0,
		.flags = (uint8_t)flags,
		.value = value,
	};
}

void net_wake_later(struct net *net, struct net_task *task, nsec_t time)
{
	net_add(net, (struct net_pending){.time = time, .kind = PENDING_TASK, .of = task});
}

/* Wakes the tasks that wait for that on the side. */
void net_wake(struct net *net, const struct net_side *side, enum net_wait waits, nsec_t time)
{
	for (unsigned i = 0; i < net->task_count[side->machine]; i++) {
		struct net_task *task = &net->task[side->machine][i];
		nsec_t latency = net_random(&net->random, 3 * US, 60 * US);

		if (task->waits != waits || task->at >= task->count ||
		    task->op[task->at].side != side)
			continue;
		task->waits = WAITS_NOT;
		if (task->is_late && random_chance(&net->random, 40))
			latency += net_random(&net->random, 0, 30 * MS);
		net_wake_later(net, task, time + latency);
	}
}

/* An interrupt on any CPU, once no other one uses the side. */
static struct net_context softirq_of(struct net *net, const struct net_side *side)
{
	unsigned cpu = random_below(&net->random, NET_CPUS);
	bool is_running = cpu < net->task_count[side->machine] &&
	                  net->task[side->machine][cpu].is_running;

	return (struct net_context){
		.machine = side->machine,
		.cpu = cpu,
		.task = is_running ? cpu + 1 : 0,
		.is_softirq = true,
		.time = nsec_max(net->now, side->busy),
	};
}

static unsigned header_bytes(const struct net_side *side)
{
	return (side->conn->is_ipv6 ? 40u : 20u) + 20 + (side->conn->has_stamps ? 12u : 0);
}

static nsec_t latency_of(struct net *net, const struct net_side *side)
{
	const struct net_conn *conn = side->conn;
	nsec_t latency = conn->latency + net_random(&net->random, 0, conn->jitter);

	if (random_below(&net->random, 1000) < net->reorder)
		latency += net_random(&net->random, 0, 20 * conn->jitter + MS);
	return latency;
}

static void marks_add(struct net_marks *marks, uint64_t to, nsec_t time, bool is_alone)
{
	ARRAY_GROW(marks->mark, marks->count, marks->capacity);
	marks->mark[marks->count++] = (struct net_mark){to, time, is_alone};
}

/* Where the peer's window ends. It is not moved if there is little room: silly windows. */
static uint64_t side_edge(struct net_side *side)
{
	uint64_t used = side->arrived - side->taken;
	uint64_t room = side->take_buffer > used ? side->take_buffer - used : 0;
	uint64_t least = side->conn->segment < side->take_buffer ? side->conn->segment
	                                                         : side->take_buffer;

	if (room >= least && side->arrived + room > side->promised)
		side->promised = side->arrived + room;
	return side->promised;
}

static void packet_send(struct net *net, struct net_side *side, nsec_t time,
                        struct net_packet packet)
{
	if (random_below(&net->random, 1000) < net->loss) {
		/* packets that open or close a connection are sent again */
		if (packet.kind == PACKET_DATA)
			return;
		time += SECOND;
	}
	net_add(net, (struct net_pending){.time = time + latency_of(net, side),
	                                  .kind = PENDING_PACKET,
	                                  .of = side->peer,
	                                  .packet = packet});
}

static struct net_packet packet_of(struct net_side *side, uint64_t from, uint64_t bytes)
{
	side->unanswered = 0;
	side->has_delay_timer = false;
	return (struct net_packet){PACKET_DATA, from, bytes, side->arrived, side_edge(side)};
}

/* Sends a packet; bytes 0: an acknowledgement. */
static void side_send(struct net *net, struct net_side *side, struct net_context *context,
                      uint64_t from, uint64_t bytes)
{
	struct net_packet packet = packet_of(side, from, bytes);
	uint64_t options = bytes == 0 && side->early_count ? 12 : 0;

	net_see(net, context, NET_QUEUE, side,
	        (int64_t)(LINK_HEADER_BYTES + header_bytes(side) + options + bytes), 0);
	do {
		/* some segments arrive as one packet */
		uint64_t segments = random_chance(&net->random, 60)
		                            ? 1 + random_below(&net->random, 20) : 1;
		uint64_t piece = segments * side->conn->segment;

		packet.bytes = piece < bytes ? piece : bytes;
		packet_send(net, side, context->time, packet);
		packet.from += packet.bytes;
		bytes -= packet.bytes;
	} while (bytes);
}

static void side_set_timer(struct net *net, struct net_side *side, nsec_t time)
{
	nsec_t timeout = TIMEOUT_LEAST << (side->backoff < 4 ? side->backoff : 4);

	net_add(net, (struct net_pending){.time = time + timeout,
	                                  .kind = PENDING_TIMER,
	                                  .of = side,
	                                  .timer = ++side->timer});
}

/* How many bytes one packet may carry now; 0: none. */
static uint64_t side_allowed(const struct net_side *side, bool has_more)
{
	uint64_t segment = side->conn->segment, flight = side->next - side->acked;
	uint64_t left = side->written - side->next, room = side->edge - side->next;
	uint64_t bytes = left;

	if (side->edge <= side->next || flight >= side->window)
		return 0;
	if (bytes > side->window - flight)
		bytes = side->window - flight;
	if (bytes > (side->has_gso ? GSO_BYTES : segment))
		bytes = side->has_gso ? GSO_BYTES : segment;
	if (bytes > room)
		bytes = room;
	if (bytes > segment &&
	    (bytes < left || has_more || (flight && !side->has_nodelay)))
		return bytes - bytes % segment;
	if (bytes < segment && bytes < left && flight)
		return 0;
	/* Nagle */
	if (bytes < segment && bytes == left && ((flight && !side->has_nodelay) || has_more))
		return 0;
	return bytes;
}

void side_push(struct net *net, struct net_side *side, struct net_context *context, bool has_more)
{
	uint64_t bytes;

	while (side->is_open && side->written > side->next &&
	       (bytes = side_allowed(side, has_more)) > 0) {
		bool is_alone = side->next == side->acked && !context->is_softirq &&
		                side->edge >= side->next + side->conn->segment;

		if (side->next == side->acked)
			side_set_timer(net, side, context->time);
		side_send(net, side, context, side->next, bytes);
		side->next += bytes;
		marks_add(&side->left, side->next, context->time, is_alone);
	}
	/* probes of a closed window */
	if (side->is_open && side->written > side->next && side->next == side->acked)
		side_set_timer(net, side, context->time);
	side->busy = nsec_max(side->busy, context->time);
}

static void side_resend(struct net *net, struct net_side *side, struct net_context *context)
{
	uint64_t bytes = side->next - side->acked;

	if (bytes > side->conn->segment)
		bytes = side->conn->segment;
	side_send(net, side, context, side->acked, bytes);
}

static void side_set_state(struct net *net, struct net_side *side, struct net_context *context,
                           int state)
{
	net_see(net, context, NET_STATE, side, state, 0);
}

static uint8_t address_take(struct net *net, const struct net_side *side)
{
	unsigned machine = side->machine;
	unsigned first = random_below(&net->random, NET_SOCKETS);

	for (unsigned i = 0; i < NET_SOCKETS; i++) {
		unsigned at = (first + i) % NET_SOCKETS;

		if (net->is_used[machine][at])
			continue;
		net->is_used[machine][at] = true;
		return (uint8_t)(at + 1);
	}
	return (uint8_t)(NET_SOCKETS + 1 + 2 * (side->conn - net->conn) + !side->is_active);
}

void side_open_start(struct net *net, struct net_side *side, struct net_context *context)
{
	side->address = address_take(net, side);
	side_set_state(net, side, context, STATE_SYN_SENT);
	net_see(net, context, NET_QUEUE, side, LINK_HEADER_BYTES + 60, 0);
	packet_send(net, side, context->time, (struct net_packet){.kind = PACKET_SYN});
}

static void side_open(struct net *net, struct net_side *side, struct net_context *context)
{
	if (!side->is_active) {
		side->address = address_take(net, side);
		side_set_state(net, side, context, STATE_SYN_RECV);
	}
	side_set_state(net, side, context, STATE_ESTABLISHED);
	side->is_open = true;
	net_wake(net, side, WAITS_OPEN, context->time);
}

/* The sock's address may be used again once its program and the kernel are done with it. */
static void side_free(struct net *net, struct net_side *side)
{
	if (side->is_gone && side->users == 0 && side->address && side->address <= NET_SOCKETS) {
		net->is_used[side->machine][side->address - 1] = false;
		side->is_gone = false;
	}
}

void side_drop_user(struct net *net, struct net_side *side)
{
	side->users--;
	side_free(net, side);
}

static void side_end(struct net *net, struct net_side *side, struct net_context *context)
{
	side_set_state(net, side, context, STATE_CLOSE);
	side->is_ended = true;
	side->is_gone = true;
	side_free(net, side);
}

void side_close(struct net *net, struct net_side *side, struct net_context *context)
{
	bool is_last = side->peer->is_closing;

	if (side->is_closing || !side->is_open)
		return;
	side->is_closing = true;
	side_set_state(net, side, context, is_last ? STATE_LAST_ACK : STATE_FIN_WAIT1);
	packet_send(net, side, context->time,
	            (struct net_packet){.kind = PACKET_FIN, .from = side->written});
}

static void take_fin(struct net *net, struct net_side *side, struct net_context *context,
                     const struct net_packet *packet)
{
	if (side->arrived < packet->from) {
		packet_send(net, side->peer, context->time + MS, *packet);
		return;
	}
	if (!side->is_closing)
		side_set_state(net, side, context, STATE_CLOSE_WAIT);
	side_send(net, side, context, side->next, 0);
	packet_send(net, side, context->time, (struct net_packet){.kind = PACKET_FINACK});
	if (side->is_closing)
		side_end(net, side, context);
}

static void take_ack(struct net *net, struct net_side *side, struct net_context *context,
                     const struct net_packet *packet)
{
	if (packet->edge > side->edge)
		side->edge = packet->edge;
	if (packet->ack > side->acked) {
		side->window += packet->ack - side->acked;
		side->acked = packet->ack;
		if (side->next < side->acked)
			side->next = side->acked;
		side->repeats = 0;
		side->backoff = 0;
		side->timer++;
		if (side->next > side->acked)
			side_set_timer(net, side, context->time);
		if (side->recover > side->acked)
			side_resend(net, side, context);
		else
			side->recover = 0;
		if (side->written - side->acked <= side->send_buffer * 2 / 3)
			net_wake(net, side, WAITS_SPACE, context->time);
	} else if (packet->bytes == 0 && packet->ack == side->acked && side->next > side->acked &&
	           ++side->repeats == 3 && !side->recover) {
		side->recover = side->next;
		side->window = side->window / 2 + side->conn->segment;
		side_resend(net, side, context);
	}
	side_push(net, side, context, false);
	if (side->is_closing && side->peer->is_closing && side->acked == side->written &&
	    !side->is_ended)
		side_end(net, side, context);
}

static void side_keep_early(struct net_side *side, uint64_t from, uint64_t to)
{
	if (side->early_count < NET_WAITING)
		side->early[side->early_count++] = (struct net_piece){from, to};
}

static void side_join_early(struct net_side *side)
{
	bool has_joined;

	do {
		has_joined = false;
		for (unsigned i = 0; i < side->early_count; i++) {
			const struct net_piece piece = side->early[i];

			if (piece.from > side->arrived)
				continue;
			if (piece.to > side->arrived)
				side->arrived = piece.to;
			side->early[i] = side->early[--side->early_count];
			has_joined = true;
		}
	} while (has_joined);
}

static void take_data(struct net *net, struct net_side *side, struct net_context *context,
                      const struct net_packet *packet)
{
	uint64_t before = side->arrived, to = packet->from + packet->bytes;

	if (to <= side->arrived || packet->from > side->arrived) {
		if (to > side->arrived)
			side_keep_early(side, packet->from, to);
		side_send(net, side, context, side->next, 0);
		return;
	}
	side->arrived = to;
	side_join_early(side);
	marks_add(&side->came, side->arrived, context->time, false);
	side->unanswered += side->arrived - before;
	net_see(net, context, NET_READY, side, 0, 0);
	net_wake(net, side, WAITS_DATA, context->time);
	if (side->unanswered >= 2 * side->conn->segment || side->early_count ||
	    random_chance(&net->random, 20)) {
		side_send(net, side, context, side->next, 0);
	} else if (!side->has_delay_timer) {
		side->has_delay_timer = true;
		net_add(net, (struct net_pending){.time = context->time + DELAY_OF_ACK,
		                                  .kind = PENDING_DELAY,
		                                  .of = side,
		                                  .timer = ++side->delay_timer});
	}
}

static void side_process(struct net *net, struct net_side *side, struct net_context *context,
                         const struct net_packet *packet)
{
	if (side->is_ended)
		return;
	if (packet->kind == PACKET_FIN) {
		take_fin(net, side, context, packet);
		return;
	}
	if (packet->kind == PACKET_FINACK) {
		if (side->is_closing)
			side_set_state(net, side, context, STATE_FIN_WAIT2);
		return;
	}
	if (packet->bytes)
		take_data(net, side, context, packet);
	take_ack(net, side, context, packet);
}

/* What came while a task had the lock is done by that task. */
void side_release(struct net *net, struct net_side *side, struct net_context *context)
{
	struct net_context backlog = *context;

	backlog.is_softirq = false;
	for (unsigned i = 0; i < side->backlog_count; i++)
		side_process(net, side, &backlog, &side->backlog[i]);
	side->backlog_count = 0;
	side->owner = NULL;
	context->time = backlog.time;
	side->busy = nsec_max(side->busy, context->time);
}

void side_taken(struct net *net, struct net_side *side, struct net_context *context)
{
	uint64_t promised = side->promised;

	if (side_edge(side) >= promised + 2 * side->conn->segment ||
	    (side->promised > promised && promised == side->arrived))
		side_send(net, side, context, side->next, 0);
	else
		side->promised = promised;
}

static void packet_arrive(struct net *net, struct net_side *side, const struct net_packet *packet)
{
	struct net_context context = softirq_of(net, side);

	net_see(net, &context, NET_RECEIVE, side, (int64_t)(header_bytes(side) + packet->bytes), 0);
	if (packet->kind == PACKET_SYN) {
		net_see(net, &context, NET_QUEUE, side, LINK_HEADER_BYTES + 60, 0);
		packet_send(net, side, context.time, (struct net_packet){.kind = PACKET_SYNACK});
	} else if (packet->kind == PACKET_SYNACK) {
		if (!side->is_open) {
			side->edge = side->peer->promised;
			side_open(net, side, &context);
		}
		side_send(net, side, &context, 0, 0);
	} else {
		if (!side->is_open) {
			side->edge = packet->edge;
			side_open(net, side, &context);
		}
		if (!side->owner)
			side_process(net, side, &context, packet);
		else if (side->backlog_count < NET_WAITING)
			side->backlog[side->backlog_count++] = *packet;
	}
	side->busy = nsec_max(side->busy, context.time);
}

static void timer_fire(struct net *net, struct net_side *side)
{
	struct net_context context = softirq_of(net, side);

	if (side->is_ended)
		return;
	if (side->owner) {
		side_set_timer(net, side, context.time + 10 * US);
		return;
	}
	side->backoff++;
	side->repeats = 0;
	if (side->next > side->acked) {
		side->recover = side->next;
		side->window = side->conn->segment;
		side_resend(net, side, &context);
		side_set_timer(net, side, context.time);
	} else if (side->written > side->next) {
		/* a probe of the window: an old byte, which is answered */
		net_see(net, &context, NET_QUEUE, side,
		        (int64_t)(LINK_HEADER_BYTES + header_bytes(side)), 0);
		if (side->next)
			packet_send(net, side, context.time, packet_of(side, side->next - 1, 1));
		else
			packet_send(net, side, context.time, packet_of(side, 0, 0));
		side_set_timer(net, side, context.time);
	}
	side->busy = nsec_max(side->busy, context.time);
}

static void delay_fire(struct net *net, struct net_side *side)
{
	struct net_context context = softirq_of(net, side);

	if (side->has_delay_timer && !side->owner && !side->is_ended)
		side_send(net, side, &context, side->next, 0);
	side->has_delay_timer = false;
	side->busy = nsec_max(side->busy, context.time);
}

void net_begin(struct net *net, uint64_t seed)
{
	*net = (struct net){.random = {seed}, .now = SECOND};
}

struct net_conn *net_connect(struct net *net, unsigned from, unsigned to, uint16_t port,
                             uint16_t peer_port)
{
	struct net_conn *conn = &net->conn[net->conn_count++];

	conn->segment = random_chance(&net->random, 85) ? 1448 : 536;
	conn->has_stamps = random_chance(&net->random, 80);
	conn->is_ipv6 = random_chance(&net->random, 20);
	conn->latency = net_random(&net->random, 5 * US, 200 * US);
	if (random_chance(&net->random, 10))
		conn->latency += net_random(&net->random, MS, 40 * MS);
	conn->jitter = net_random(&net->random, US, 100 * US);
	for (unsigned i = 0; i < 2; i++) {
		struct net_side *side = &conn->side[i];

		side->conn = conn;
		side->peer = &conn->side[!i];
		side->machine = i ? to : from;
		side->port = i ? peer_port : port;
		side->is_active = i == 0;
		side->has_nodelay = random_chance(&net->random, 60);
		side->has_gso = random_chance(&net->random, 70);
		side->window = 10 * (uint64_t)conn->segment;
		side->send_buffer = random_chance(&net->random, 70)
		                            ? 87040 : net_random(&net->random, 2304, 30000);
		side->take_buffer = random_chance(&net->random, 70)
		                            ? 65536 : net_random(&net->random, 1152, 20000);
		side->promised = side->take_buffer;
	}
	return conn;
}

void net_run(struct net *net, nsec_t end)
{
	net->end = end;
	for (unsigned machine = 0; machine < net->machines; machine++)
		for (unsigned i = 0; i < net->task_count[machine]; i++)
			net_wake_later(net, &net->task[machine][i],
			               net->now + random_below(&net->random, 1000));
	while (net->pending_count) {
		const struct net_pending next = net->pending[0];

		net->pending[0] = net->pending[--net->pending_count];
		HEAP_SIFT_DOWN(net->pending, net->pending_count, 0, pending_is_before);
		net->now = next.time;
		if (net->now > end || net->order > 60000)
			break;
		if (next.kind == PENDING_TASK)
			net_task_step(net, next.of);
		else if (next.kind == PENDING_PACKET)
			packet_arrive(net, next.of, &next.packet);
		else if (next.kind == PENDING_TIMER &&
		         next.timer == ((struct net_side *)next.of)->timer)
			timer_fire(net, next.of);
		else if (next.kind == PENDING_DELAY &&
		         next.timer == ((struct net_side *)next.of)->delay_timer)
			delay_fire(net, next.of);
	}
}

void net_release(struct net *net)
{
	for (unsigned i = 0; i < NET_MACHINES; i++)
		free(net->log[i].event);
	for (unsigned i = 0; i < NET_CONNS; i++)
		for (unsigned k = 0; k < 2; k++) {
			free(net->conn[i].side[k].left.mark);
			free(net->conn[i].side[k].came.mark);
		}
	free(net->pending);
}
