/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines that talk by TCP over a network that delays, loses and reorders packets, as far as the
 * kernel's events show it: calls that send and receive, packets that are queued and received,
 * states, notifications. What is modelled: send and receive buffers, windows, slow start, Nagle's
 * algorithm, segmentation and merging of packets by devices, delayed and lost acknowledgements,
 * retransmission, the lock of a socket with its backlog, interrupts on the CPU of any task.
 *
 * All times are true ones in ns; a machine's clock is applied where its events are written down.
 *
 * Order of calls: net_begin(); net_connect() and tasks with their scripts; net_run(); the log of
 * each machine; net_release().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "random.h"

#define US     UINT64_C(1000)
#define MS     UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

#define NET_MACHINES 3u
#define NET_CONNS    10u
#define NET_TASKS    12u /* of a machine; task i has CPU i for itself */
#define NET_CPUS     NET_TASKS
#define NET_OPS      160u
#define NET_SOCKETS  6u  /* addresses of socks that a machine has; they are used again */
#define NET_WAITING  64u

enum net_event_kind {
	NET_STATE,   /* value: the new one */
	NET_QUEUE,   /* value: bytes with the link header */
	NET_RECEIVE, /* value: bytes without */
	NET_SEND,    /* value: result */
	NET_TAKE,    /* value: result */
	NET_READY,
	NET_OTHER,   /* a datagram that the task sends; value: result */
};

struct net_event_seen {
	nsec_t time;
	uint32_t order;
	uint8_t kind, cpu, task; /* task: its number + 1; 0: idle */
	bool is_softirq;
	const struct net_side *side;
	uint8_t address; /* of the sock */
	uint8_t flags;   /* MSG_* */
	int64_t value;
};

enum net_op_kind {
	OP_CONNECT,
	OP_THINK,
	OP_SEND,
	OP_TAKE,
	OP_PASS,  /* the turn goes to the next task */
	OP_TURN,  /* waits until it is the turn of number `value` */
	OP_CLOSE,
	OP_SHUTDOWN,
};

struct net_op {
	enum net_op_kind kind;
	struct net_side *side;
	uint64_t value; /* bytes, or ns, or a turn */
};

enum net_phase {
	AT_NEXT,
	AT_OPENING,
	AT_LOCK,
	AT_WORK,    /* has the lock */
	AT_UNLOCK,
	AT_RETURN,
};

enum net_wait {
	WAITS_NOT,
	WAITS_OPEN,
	WAITS_SPACE,
	WAITS_DATA,
	WAITS_TURN,
};

struct net_task {
	unsigned machine, number;
	bool is_running, is_nonblocking, is_late, has_peeked, waits_for_all;
	unsigned preempted; /* percent of its calls, before they return */
	struct net_op op[NET_OPS];
	unsigned count, at;
	enum net_phase phase;
	enum net_wait waits;
	uint64_t left;
	int64_t done; /* bytes of this call */
};

/* What a packet or several merged ones carry. */
struct net_packet {
	enum { PACKET_SYN, PACKET_SYNACK, PACKET_DATA, PACKET_FIN, PACKET_FINACK } kind;
	uint64_t from, bytes; /* of data */
	uint64_t ack, edge;   /* all before these are received, may be sent */
};

struct net_piece {
	uint64_t from, to;
};

/* When all bytes before `to` had first left, or arrived. */
struct net_mark {
	uint64_t to;
	nsec_t time;
	/* a call sent them itself, with nothing before them on the way and room for a segment */
	bool is_alone;
};

struct net_marks {
	struct net_mark *mark; /* by both */
	size_t count, capacity;
};

/* One end of a connection. Bytes are counted from its begin. */
struct net_side {
	struct net_conn *conn;
	struct net_side *peer;
	unsigned machine;
	uint8_t address; /* index + 1 of its sock; 0: none */
	uint16_t port;
	bool is_active, is_open, is_closing, is_ended, is_shared, is_gone;
	bool has_nodelay, has_gso;
	uint64_t written, next, acked, edge, window; /* window: of congestion */
	uint64_t send_buffer, take_buffer;
	uint64_t arrived, taken, promised; /* promised: the edge that the peer was told */
	uint64_t have; /* taken by the reader beyond what its last op wanted */
	uint64_t unanswered;               /* bytes that no acknowledgement was sent for */
	struct net_piece early[NET_WAITING];
	unsigned early_count, repeats, users;
	uint64_t recover; /* end of what was sent when loss was noticed; 0: not recovering */
	uint32_t timer, delay_timer; /* those with another number are stopped */
	bool has_delay_timer;
	unsigned backoff;
	struct net_marks left, came;
	nsec_t busy; /* until then something else is done with it */
	uint64_t turn;
	/* by task: when its first call on this side sent something, and when one first returned */
	nsec_t entered[NET_TASKS], seen[NET_TASKS];
	struct net_task *owner;
	struct net_packet backlog[NET_WAITING];
	unsigned backlog_count;
};

struct net_conn {
	struct net_side side[2]; /* the first one opens it */
	uint32_t segment;        /* bytes of data in a packet */
	bool is_ipv6, has_stamps;
	nsec_t latency, jitter;
};

struct net_log {
	struct net_event_seen *event;
	size_t count, capacity;
};

struct net_pending;

struct net {
	struct random random;
	nsec_t now, end;
	unsigned machines;
	unsigned loss, reorder; /* in a thousand */
	struct net_log log[NET_MACHINES];
	struct net_conn conn[NET_CONNS];
	unsigned conn_count;
	struct net_task task[NET_MACHINES][NET_TASKS];
	unsigned task_count[NET_MACHINES];
	bool is_used[NET_MACHINES][NET_SOCKETS];
	struct net_pending *pending;
	size_t pending_count, pending_capacity;
	uint32_t order;
};

void net_begin(struct net *net, uint64_t seed);
struct net_conn *net_connect(struct net *net, unsigned from, unsigned to, uint16_t port,
                             uint16_t peer_port);
struct net_task *net_task_add(struct net *net, unsigned machine);
void net_task_do(struct net_task *task, enum net_op_kind kind, struct net_side *side,
                 uint64_t value);
void net_run(struct net *net, nsec_t end);
void net_release(struct net *net);

/* Between tcp_net.c and tcp_tasks.c. */

/* In whose context the kernel does something, and when. */
struct net_context {
	unsigned machine, cpu, task; /* task: its number + 1; 0: idle */
	bool is_softirq;
	nsec_t time;
};

static inline nsec_t net_random(struct random *random, nsec_t least, nsec_t most)
{
	return least + random_next(random) % (most - least + 1);
}

void net_see(struct net *net, struct net_context *context, enum net_event_kind kind,
             const struct net_side *side, int64_t value, unsigned flags);
void net_wake_later(struct net *net, struct net_task *task, nsec_t time);
void net_wake(struct net *net, const struct net_side *side, enum net_wait waits, nsec_t time);
void net_task_step(struct net *net, struct net_task *task);
void side_open_start(struct net *net, struct net_side *side, struct net_context *context);
void side_close(struct net *net, struct net_side *side, struct net_context *context);
/* Sends what may be sent; a partial segment waits if more is written at once. */
void side_push(struct net *net, struct net_side *side, struct net_context *context, bool has_more);
void side_release(struct net *net, struct net_side *side, struct net_context *context);
/* After bytes were taken: tells the peer of the room. */
void side_taken(struct net *net, struct net_side *side, struct net_context *context);
void side_drop_user(struct net *net, struct net_side *side);
