/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections; see socket_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* How the opening of a connection goes. */
struct opening {
	uint32_t peer; /* id in names */
	uint16_t local_port;
	uint32_t retransmits;
	nsec_t retransmitted; /* last; 0: never */
};

/* False: no connection of that socket is known. */
bool socket_opening(const struct machine *machine, uint64_t socket, struct opening *ret);
/* What is known of the ends of the connection of that key, into a cause of the kind net; false:
   nothing. The key is the sock's address, for protocols without connections a process' own. */
bool socket_describe(const struct machine *machine, uint64_t key, struct cause_note *cause);
/* Which end of it this one is, as far as known. */
enum net_end socket_end(const struct machine *machine, uint64_t key);
/* The task that wrote its unread incoming bytes; LINE_NONE: not known. */
uint32_t socket_writer(const struct machine *machine, uint64_t key);
/* What follows on this CPU is for no connection that is known. */
void socket_leave(const struct machine *machine, const struct cpu *cpu);
