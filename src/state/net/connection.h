/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of connections, by their socks: socket_tracker.c fills it, other trackers look up
 * what is known of a sock. How that becomes an interval; which two connections are the ends of one
 * stream.
 */
#pragma once

#include "graph/timeline/interval.h"
#include "net_trackers.h"
#include "state/core/tracker.h"
#include "words/endpoint.h"

/*
 * Which of two ends talks when, by the reads and writes of one end: it waits for the other,
 * receives, works, sends, and waits again. Each phase begins where a read or write has returned, so
 * the first write of an answer is a part of the work, and the last read of a request belongs to
 * receiving.
 *
 *	write    read read      write write      read
 *	     wait    |  | work      |     |  wait    |
 *	          receive            send
 *
 * Where both ends are recorded, a client's wait has three parts: until the request arrives at the
 * server, until the server has answered, until the answer is read (struct stream_ends).
 */
struct exchange {
	struct exchange_side {
		nsec_t first, last; /* in this turn; NSEC_NEVER: there was none */
	} received, sent;
	nsec_t since; /* since when the other end is expected to send; NSEC_NEVER: not known */
	/* On a client: when its request arrived, and when the server had answered; NSEC_NEVER: not
	   known. */
	nsec_t landed, left;
	uint32_t track; /* task that answered, or has received so far; TRACK_NONE */
};

/* The sock of an end, and the machine that it is on; 0: not known. */
struct stream_place {
	uint64_t socket;
	uint32_t host;
};

/* One end of a stream. An instant is 0 if what it stands for never happened. */
struct stream_end {
	struct stream_place other; /* the other end */
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
	/* names of the ends: 0: not made yet; left: as it closes */
	struct connection_interval shown;
	bool is_set;
	bool is_blank;  /* only its bytes are known so far */
	bool is_closed; /* its interval was emitted */
	bool is_asked;  /* connectionless: it received before it sent */
	/* is_followed: its state has changed once, so that struct interval can describe its life */
	bool is_followed, is_active;
	/* while neither active nor passive: what the ports show, see connection_judge_ports() */
	uint8_t port_end; /* enum net_end */
	bool is_guess;    /* port_end is guessed from the size of the port numbers */
	bool is_opening; /* `track` is opening it, and the peer has not answered yet */
	uint32_t cpu;   /* where it was seen last */
	uint32_t track; /* task that opened it; TRACK_NONE: not known */
	struct endpoint local; /* its port is in shown.local_port */
	bool has_local;
	nsec_t retransmitted; /* last; 0: never */
	nsec_t timed_out;     /* last retransmission by a timer; 0: never */
	uint8_t stall;        /* enum stall_kind of that retransmission */
	nsec_t begin, opened, established;
	bool has_many_peers;  /* connectionless: it has sent to several */
	struct exchange exchange;
	struct stream_end end;
};

/* The key of a connection in events that do not have its sock. */
uint64_t connection_key(const struct endpoint *peer, uint64_t local_port);
void connection_follow(struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, const struct event *event);
/* Emits the connection's interval: it has closed, or the trace ends first. */
void connection_emit(struct machine *machine, struct connection *connection, nsec_t end,
                     bool is_open);
/* Emits a turn of the connection that has ended, if anything was read or written in it. */
void connection_emit_exchange(struct machine *machine, struct connection *connection,
                              const struct exchange *exchange, nsec_t end);
/* Emits that the track's wait was for the peer that `cause` has, without an answer. The interval's
   port is 0 while the connection is being opened. */
void connection_emit_unanswered(struct machine *machine, uint32_t track, nsec_t begin, nsec_t end,
                                const struct cause_note *cause);
/* The task has read or written something. Returns true if that began another turn; *ret is then the
   turn before. */
bool exchange_add(struct exchange *exchange, bool is_send, nsec_t now, uint32_t track,
                  struct exchange *ret);

/*
 * Connections both ends of which are on a recorded machine, found by their addresses and ports:
 *
 *	active   10.0.0.6:45000 -> 10.0.0.9:80      sk1 --.
 *	passive  10.0.0.9:80    <- 10.0.0.6:45000   sk2 <-'
 *
 * Only those whose opening was recorded at both ends are known. Several networks may use the same
 * addresses: if several ends match, the pair stays unknown. If there are several machines, they
 * share one struct stream_ends, and ends on two of them are a pair if the clocks of these were
 * compared.
 *
 * Both ends together show how a client's wait is divided. They also show which task wrote incoming
 * data whose packet has no known sender, because a queue cut it from a larger packet, or the kernel
 * sent it later by itself. The position in the stream decides: if all unread bytes belong to the
 * other end's last write, the writer is known.
 */

struct stream_ends {
	struct object_pool by_addresses; /* struct stream_pair */
	/* by machine: its connections by sock, and those that have closed */
	const struct object_pool *open[HOSTS_MAX], *closed[HOSTS_MAX];
};

void stream_ends_begin(struct stream_ends *ends);
/* stream_ends_join(): the connection is established; stream_ends_leave(): it closes. */
void stream_ends_join(const struct machine *machine, struct connection *connection);
void stream_ends_leave(const struct machine *machine, const struct connection *connection);
/* The current task writes `bytes` bytes, which the connection's counts do not include yet. */
void stream_note_write(const struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, uint64_t bytes);
/* Divides the wait that ends with the first read of a turn; `last` is the turn before. The other
   end may have closed after it had answered. */
void stream_divide_wait(const struct machine *machine, struct connection *connection,
                        const struct exchange *last);
/* Adds the writer to the note of the packet that the CPU receives, which names no sender. */
void stream_name_writer(const struct machine *machine, const struct cpu *cpu,
                        const struct connection *connection, const struct connection *other,
                        struct cause_note *note);

/* The most closed socks that are kept, as events of them may still follow (INTERVAL_AFTERWORD).
   Most addresses are reused or freed soon. */
#define CLOSED_MAX (1u << 12)

struct sockets {
	/* struct connection, by the address of the sock or connection_key(); until it closes */
	struct object_pool by_key;
	/* Closed ones, already reported, by the address of the sock; until it is reused. */
	struct object_pool closed;
	struct object_pool routes; /* struct route, by track */
	/* by the address of the sock: uint64_t, the key of its connection; without connections
	   that have no known addresses */
	struct object_pool keys;
	struct stream_ends own_ends; /* used unless machines share one: ends_of() */
	/* ports that sockets of this machine listened on when the recording began, a bit each */
	uint64_t listening[(UINT16_MAX + 1) / 64];
	uint32_t named;
	bool has_lost;  /* events were lost */
	bool has_ready; /* this kernel has an event for every socket that becomes readable */
};

OWN_DATA(sockets_of, struct sockets, SOCKET)

static inline struct stream_ends *ends_of(const struct machine *machine)
{
	return machine->setup.ends ? machine->setup.ends : &sockets_of(machine)->own_ends;
}

/* The open connection of that sock, if its ends are known; else NULL. */
struct connection *socket_find(const struct machine *machine, uint64_t socket);
/* The connection of that key; a new one if there is none. */
struct connection *sockets_put(struct machine *machine, uint64_t key);
/* Removes a connection that has closed: nothing more is reported of it. */
void sockets_drop_closed(struct machine *machine, struct connection *connection);
void connection_describe(const struct machine *machine, struct connection *connection,
                         struct cause_note *cause);
/* Finds the connection and its other end; false: one of them is not known. */
bool socket_find_ends(const struct machine *machine, uint64_t key,
                      const struct connection **ret_one, const struct connection **ret_other);

/* Adds the ends of the connection to a cause of the kind net; false: they are not known. The key is
   the sock's address; for connectionless protocols each process has a key of its own. */
bool socket_describe(const struct machine *machine, uint64_t key, struct cause_note *cause);
/* Which end of the connection this one is, as far as known. */
enum net_end socket_end(const struct machine *machine, uint64_t key);
/* The task that wrote its unread incoming bytes; TRACK_NONE: not known. */
uint32_t socket_writer(const struct machine *machine, uint64_t key);
