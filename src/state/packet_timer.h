/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that a TCP timer sent, and those that their reception released: a task that waits for one
 * of them has waited for the timer.
 *
 *	timer_expire_entry tcp_delack_timer     the ACK that was kept back
 *	  net_dev_queue  1  ------.
 *	netif_receive_skb  1  <---'             arrives at the other end, which
 *	  net_dev_queue  2  ------.             held a segment until then (Nagle)
 *	netif_receive_skb  2  <---'
 *	  sched_waking                          the task that reads it
 */
#pragma once

#include "state/core/tracker.h"

struct packet_timer {
	uint32_t function; /* name id; 0: no timer sent it */
	uint32_t armer;    /* line; LINE_NONE: not known */
	nsec_t armed;      /* NSEC_NEVER: not known */
	uint8_t stall;     /* enum stall_kind */
	uint8_t hops;      /* packets sent since then, including this one */
};

/* For what is sent on the CPU now, by the packet that is being received there; NULL: none is. */
struct packet_timer packet_timer_of_send(const struct machine *machine, const struct cpu *cpu,
                                         const struct packet_timer *received);
/* Whether the timer is why the line's wait ends now; *ret describes it. */
bool packet_timer_explain(const struct machine *machine, uint32_t line,
                          const struct packet_timer *timer, struct cause_note *ret);
