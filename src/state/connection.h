/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What socket_tracker.c keeps of a connection, and how it is told of. */
#pragma once

#include "endpoint.h"
#include "exchange.h"
#include "state/core/tracker.h"

/* include/net/tcp_states.h of the kernel */
#define STATE_ESTABLISHED 1
#define STATE_SYN_SENT 2
#define STATE_SYN_RECV 3
#define STATE_CLOSE    7
#define STATE_LISTEN   10

/* of a struct transfer_event */
#define PROTOCOL_TCP 6

/*
 * Of an end of a stream. Instants: 0, it was never; something to read came in last, for the first
 * time since it read, and before it wrote first in this turn.
 */
struct stream_end {
	uint64_t other; /* sock of the other end (stream_ends.h); 0: not known to be here */
	nsec_t ready, arrived, asked;
	/* Its last write: the writer's line, when the write returned, how much was written before;
	   and if one packet took all of it, the name of its device, and when it got that. */
	uint32_t writer;
	nsec_t written;
	uint64_t written_from;
	uint32_t device;
	nsec_t queued;
	uint64_t resent; /* bytes of the largest packet of those sent again since */
};

struct connection {
	struct endpoint peer;
	uint16_t local_port;
	uint32_t name, local_name; /* of the ends, ids in names; 0: not made yet */
	bool is_set;
	bool is_blank;  /* nothing is known of it but its bytes, so far */
	bool is_closed; /* it has been told of */
	bool is_asked;  /* no connection: it was received from before anything was sent */
	uint16_t protocol; /* once it has sent or received */
	/* Its life as struct interval has it, once its state has changed. */
	bool is_followed, is_active, is_passive;
	/* While neither active nor passive: what the ports show, see connection_judge_ports(). */
	uint8_t port_end; /* enum net_end */
	bool is_guess;    /* only by how large they are */
	bool is_opening; /* by the line, and nobody has answered yet */
	uint32_t cpu;  /* where it was seen last */
	uint32_t line; /* who opened it; LINE_NONE */
	struct endpoint local; /* its port is in local_port */
	bool has_local;
	uint32_t retransmits, resets;
	nsec_t retransmitted; /* last; 0: never */
	nsec_t timed_out;     /* the same, where a timer made that; 0: never */
	uint8_t stall;        /* enum stall_kind that this was */
	nsec_t begin, opened, established;
	uint64_t sent, received; /* bytes */
	bool is_partial;         /* there may have been more, before events were lost */
	bool has_many_peers;     /* without connections: it has sent to several */
	struct exchange exchange;
	struct stream_end end;
};

/* A turn that is told of: of which sock, and when that is. */
struct ended_exchange {
	const struct exchange *exchange;
	uint64_t socket;
	nsec_t end;
};

/* For kernels that do not tell the sock: the connection stands for itself. */
uint64_t connection_key(const struct endpoint *peer, uint64_t local_port);
/* What it is if a timer sends a segment of it again: of a SYN-ACK no sock is told. NULL: of one
   that is not known. */
enum stall_kind connection_resend_stall(const struct connection *connection,
                                        const struct event *event);
/* Ports that sockets of this machine listen on, a bit each. */
struct port_set {
	uint64_t word[(UINT16_MAX + 1) / 64];
};

void port_set_add(struct port_set *set, uint16_t port);

/*
 * If the opening of a connection was not seen, the ports show its ends: the server's end has a port
 * that was listened on at the begin, and the other has not. The peer's port only counts if the peer
 * is on this machine: its address is a loopback one, or that of this end (`local`, NULL: unknown).
 * Where neither port shows it, it is a guess: the kernel gives clients ports from
 * ip_local_port_range, by default from 32768 on, and servers have lower ones.
 */
void connection_judge_ports(struct connection *connection, const struct port_set *listening,
                            const struct endpoint *local);
enum net_end connection_end(const struct connection *connection);
/* Whether that end is only a guess by the ports. */
bool connection_is_guess(const struct connection *connection);

/* Those that listen have no peer; of one older than the trace there is something if it was used. */
bool connection_has_interval(const struct connection *connection);
/* More was sent or received. */
void connection_add_bytes(struct connection *connection, uint64_t sent, uint64_t received);
/* Whether both ends talk in turns as far as this one tells: of sockets without connections only
   those of servers do, where requests come one at a time. */
bool connection_has_turns(const struct connection *connection);
/* Errors are none of the peer's. */
bool transfer_counts(const struct transfer_event *transfer);
/* What is only looked at will be taken later. */
bool transfer_is_look(const struct transfer_event *transfer);
/* Its state has changed. */
void connection_follow(struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, const struct event *event);
void connection_emit(struct machine *machine, const struct connection *connection,
                     uint64_t socket, nsec_t end, bool is_open);
/* Nothing is told of one without reads and writes. */
void connection_emit_exchange(struct machine *machine, const struct connection *connection,
                              const struct ended_exchange *ended);
/* What is added to a closed one, or, without a peer, belongs to none that is known. */
void connection_emit_afterword(struct machine *machine, const struct cpu *cpu,
                               const struct connection_interval *added);
