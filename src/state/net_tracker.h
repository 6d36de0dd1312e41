/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets; see net_tracker.c. */
#pragma once

#include "tracker.h"

/* A connection takes in a packet: whether others of this activation are left. */
bool net_take_packet(const struct machine *machine, const struct cpu *cpu);
/* Who sent the packet that is being received on the CPU; LINE_NONE: it is not known. */
uint32_t net_sender(const struct machine *machine, const struct cpu *cpu);
/* TCP says that the packet which was sent last on the CPU was a repetition. True if a timer made it
   send: then that is the stall. */
bool net_note_resent(const struct machine *machine, const struct cpu *cpu, enum stall_kind stall);
