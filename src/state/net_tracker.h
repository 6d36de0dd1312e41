/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets; see net_tracker.c. */
#pragma once

#include "state/core/tracker.h"

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
/* Whether the time is long enough to count as a stay in a queue. */
bool net_has_queued(nsec_t time);
/* TCP records that the last packet sent on the CPU was a retransmission. Returns true if a timer
   made TCP send it: then it shows that stall. */
bool net_note_resent(const struct machine *machine, const struct cpu *cpu, enum stall_kind stall);
