/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets; see net_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* A connection takes in a packet: whether others of this activation are left. */
bool net_take_packet(const struct machine *machine, const struct cpu *cpu);
/* Who sent the packet that is being received on the CPU; LINE_NONE: it is not known. */
uint32_t net_sender(const struct machine *machine, const struct cpu *cpu);
/* The packet that the task on the CPU gave a device last, if it took all of such a write. */
struct given_packet {
	uint32_t line; /* LINE_NONE: there is none */
	uint32_t device; /* name */
	nsec_t time;
	uint64_t bytes;
};

/* Returns each packet once: it belongs to one write. */
struct given_packet net_take_given(const struct machine *machine, const struct cpu *cpu,
                                   uint64_t bytes);
/* When what is being received there left a queue that had made it of a larger packet; NSEC_NEVER:
   it did not, or it is not known. */
nsec_t net_cut_at(const struct machine *machine, const struct cpu *cpu);
/* Of the packet that was sent last there, with all headers. */
uint64_t net_sent_bytes(const struct machine *machine, const struct cpu *cpu);
/* Whether that is long enough to count as a stay in a queue. */
bool net_has_queued(nsec_t time);
/* TCP says that the packet which was sent last on the CPU was a repetition. True if a timer made it
   send: then that is the stall. */
bool net_note_resent(const struct machine *machine, const struct cpu *cpu, enum stall_kind stall);
