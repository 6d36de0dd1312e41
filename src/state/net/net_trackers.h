/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What trackers ask those of sockets and packets, by the tracker that answers; see trackers.h.
 */
#pragma once

#include "state/core/tracker.h"

/* request_tracker.c: requests of tasks on their sockets that are not answered yet, and connections
   that they open. */

/* The track opens a connection on that socket. */
void request_note_opening(struct machine *machine, uint32_t track, uint64_t socket);
/* The peer has answered it. */
void request_note_opened(struct machine *machine, uint64_t socket);
/* The current task has sent; `key` is that of the connection, see socket_describe(). */
void request_note_sent(struct machine *machine, const struct cpu *cpu,
                       const struct transfer_event *transfer, uint64_t key);
/* The current task has received: that was the answer, if it had made a request. */
void request_note_taken(struct machine *machine, const struct cpu *cpu,
                        const struct transfer_event *transfer, uint64_t key);
void request_note_ready(struct machine *machine, const struct cpu *cpu, uint64_t socket);
/* Whether the socket is a connectionless one that received before it sent. */
bool request_socket_serves(const struct machine *machine, uint64_t socket);
/* What was sent last on the socket without an answer. */
struct request_left request_left(const struct machine *machine, uint64_t socket);
/* The socket has closed: there will be no answer. */
void request_note_closed(struct machine *machine, uint64_t socket);
void request_note_exit(const struct machine *machine, uint32_t track);
/* Whether the track had an unanswered request when it went to sleep last. */
bool request_is_awaited(const struct machine *machine, uint32_t track);

/* net_tracker.c: packets. */

/* A connection takes in a packet. Returns whether other packets of this activation are left. */
bool net_take_packet(const struct machine *machine, const struct cpu *cpu);
/* The sender of the packet that is being received on the CPU; TRACK_NONE: not known. */
uint32_t net_sender(const struct machine *machine, const struct cpu *cpu);
/* The last packet that the task on the CPU gave to a device, if it holds all the data of one
   write. */
struct given_packet {
	uint32_t track; /* TRACK_NONE: there is none */
	uint32_t device; /* name */
	nsec_t time;
	uint64_t bytes;
};

/* Takes the packet that holds a write of that many bytes. Each packet is returned once, as it
   belongs to one write. */
struct given_packet net_take_given(const struct machine *machine, const struct cpu *cpu,
                                   uint64_t bytes);
/* When the packet that is being received on the CPU left a queue that had cut it from a larger
   packet; NSEC_NEVER: no queue had cut it, or that is not known. */
nsec_t net_cut_at(const struct machine *machine, const struct cpu *cpu);
/* Bytes of the last packet that was sent on the CPU, with all headers. */
uint64_t net_sent_bytes(const struct machine *machine, const struct cpu *cpu);
/* Whether the function, id in names, is that of a timer by which TCP sends packets. */
bool net_is_timer(const struct machine *machine, uint32_t function);
/* A device without a queue takes up to that long to hand a packet on. */
#define QUEUED_LEAST 50000u
/* TCP records that the last packet sent on the CPU was a retransmission. Returns true if a timer
   made TCP send it: then it shows that stall. */
bool net_note_resent(const struct machine *machine, const struct cpu *cpu, enum stall_kind stall);

/* The connection that is being served on one CPU, found by socket_tracker.c. */
struct cpu_served {
	struct sighting sighting;
	nsec_t timed_out; /* as in struct connection; the stall is in the sighting's note */
	uint64_t ready;   /* sock for which data came in just now; 0: none */
	bool is_accepted; /* the connection has just been accepted: the next event names the
			     listener */
};

CPU_DATA(cpu_served, struct cpu_served, SOCKET)

/* What follows on this CPU is not for a known connection. */
static inline void socket_leave(const struct machine *machine, const struct cpu *cpu)
{
	cpu_served(machine, cpu)->sighting.activation = 0;
}
