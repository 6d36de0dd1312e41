/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What socket_tracker.c keeps of a connection, and how that becomes an interval. */
#pragma once

#include "words/endpoint.h"
#include "exchange.h"
#include "state/core/tracker.h"

/* The sock of an end, and the machine that it is on; 0: not known. */
struct stream_place {
	uint64_t socket;
	uint32_t host;
};

/* One end of a stream. An instant is 0 if what it stands for never happened. */
struct stream_end {
	struct stream_place other; /* the other end (stream_ends.h) */
	/* when data to read arrived: ready: last; arrived: first since this end's last read; asked:
	   last before this end's first write of the turn */
	nsec_t ready, arrived, asked;
	/* Its last write: the writer's track, when the write returned, and the bytes written before
	   it. If a single packet carried all of the write: the name of the packet's device, and
	   when the device got the packet. */
	uint32_t writer;
	uint32_t reader; /* track of the last task that read; TRACK_NONE */
	nsec_t written;
	uint64_t written_from;
	uint32_t device;
	nsec_t queued;
	uint64_t resent; /* bytes of the largest packet that was retransmitted since */
};

struct connection {
	struct endpoint peer;
	uint16_t local_port;
	uint32_t name, local_name; /* of the ends, ids in names; 0: not made yet */
	bool is_set;
	bool is_blank;  /* only its bytes are known so far */
	bool is_closed; /* its interval was emitted */
	bool is_asked;  /* connectionless: it received before it sent */
	uint16_t protocol; /* once it has sent or received */
	/* is_followed: its state has changed once, so that struct interval can describe its life */
	bool is_followed, is_active, is_passive;
	/* while neither active nor passive: what the ports show, see connection_judge_ports() */
	uint8_t port_end; /* enum net_end */
	bool is_guess;    /* port_end is guessed from the size of the port numbers */
	bool is_opening; /* `track` is opening it, and the peer has not answered yet */
	uint32_t cpu;   /* where it was seen last */
	uint32_t track; /* task that opened it; TRACK_NONE: not known */
	struct endpoint local; /* its port is in local_port */
	bool has_local;
	uint32_t retransmits, resets;
	nsec_t retransmitted; /* last; 0: never */
	nsec_t timed_out;     /* last retransmission by a timer; 0: never */
	uint8_t stall;        /* enum stall_kind of that retransmission */
	nsec_t begin, opened, established;
	uint64_t sent, received; /* bytes */
	bool is_partial;         /* events that count these bytes may have been lost */
	bool has_many_peers;     /* connectionless: it has sent to several */
	struct exchange exchange;
	struct stream_end end;
};

/* A turn that has ended, to be emitted as an interval: its sock, and when it ended. */
struct ended_exchange {
	const struct exchange *exchange;
	uint64_t socket;
	nsec_t end;
};

/* The key of a connection in events that do not have its sock. */
uint64_t connection_key(const struct endpoint *peer, uint64_t local_port);
/* The kind of stall that it is if a timer retransmits a segment of the connection. connection is
   NULL if it is not known: the event of a retransmitted SYN-ACK has no sock. */
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
/* Whether connection_end() is only a guess from the ports. */
bool connection_is_guess(const struct connection *connection);

/* Whether a connection that is open when the trace ends gets an interval. Listening sockets have
   none, as they have no peer; older connections than the trace have one if they were used. */
bool connection_has_interval(const struct connection *connection);
/* More was sent or received. */
void connection_add_bytes(struct connection *connection, uint64_t sent, uint64_t received);
/* Whether both ends talk in turns, as far as this end shows it. Of connectionless sockets only
   those of servers do, where requests come one at a time. */
bool connection_has_turns(const struct connection *connection);
/* Follows a change of the connection's state. */
void connection_follow(struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, const struct event *event);
/* Emits the connection's interval: it has closed, or the trace ends first. */
void connection_emit(struct machine *machine, const struct connection *connection,
                     uint64_t socket, nsec_t end, bool is_open);
/* Emits that the wait was for the peer that `cause` has, without an answer. The interval's port is
   0 while the connection is being opened. */
void connection_emit_unanswered(struct machine *machine, const struct span *wait,
                                const struct cause_note *cause);
/* Emits the interval of a turn; does nothing for a turn without reads and writes. */
void connection_emit_exchange(struct machine *machine, const struct connection *connection,
                              const struct ended_exchange *ended);
/* Emits what is added to a connection that has closed. `added` without a peer: it belongs to no
   known connection. */
void connection_emit_afterword(struct machine *machine, const struct cpu *cpu,
                               const struct connection_interval *added);
