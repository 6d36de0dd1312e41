/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What clocks are compared by: the packets that a recording shows to have left its machine, or to
 * have come there, in order of time, and the ends of its connections. It reads all of the source,
 * but keeps nothing else of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "clocks/host_packets.h"
#include "ftwait/event.h"
#include "ftwait/source.h"
#include "talk_streams.h"

/*
 * When received packets came from their device's driver, if that was recorded
 * (napi_gro_receive_entry and napi_gro_frags_entry, since 3.13). That is earlier than
 * netif_receive_skb by the time for which the kernel holds packets to merge them (GRO), and so
 * closer to their sending.
 *
 * An arrival is believed only if the same packet, with the same length, is received from the same
 * device next, and if all packets of that device show an arrival: else the address may be that of
 * an earlier packet, which was merged into another one and freed.
 *
 * Order of calls: talk_arrivals_init(); events and losses in order of time; talk_arrivals_apply();
 * talk_arrivals_release().
 */

struct talk_arrival;
struct talk_device;
struct arrived_packet;

struct talk_arrivals {
	struct talk_device *device;
	size_t device_count, device_capacity;
	struct talk_arrival *arrival; /* the last one of each packet's address */
	size_t count, capacity;
	struct map by_packet; /* address -> index of its arrival */
	struct arrived_packet *arrived;
	size_t arrived_count, arrived_capacity;
	nsec_t whole_since; /* packets that came since then show their arrival, if any do */
};

void talk_arrivals_init(struct talk_arrivals *arrivals);
/* The event is EVENT_NET_ARRIVE. */
void talk_arrivals_take(struct talk_arrivals *arrivals, const struct event *event);
/* The event is EVENT_NET_RECEIVE; `number`: index of that packet in what talk_arrivals_apply()
   gets. */
void talk_arrivals_receive(struct talk_arrivals *arrivals, const struct event *event,
                           size_t number);
/* Events were lost before that time. */
void talk_arrivals_lose(struct talk_arrivals *arrivals, nsec_t end);
/* Sets the times of packets to those of their arrivals, where these are believed. */
void talk_arrivals_apply(const struct talk_arrivals *arrivals, struct packet_sight *packets);
void talk_arrivals_release(struct talk_arrivals *arrivals);

/* Which packet it is: ftwait/host.h; the CPU is numbered by its own machine. */
struct talk_place {
	uint32_t cpu, number;
};

struct talk_way {
	struct packet_sight *packet;
	struct talk_place *place; /* of the packet of the same index */
	size_t count, capacity, place_capacity;
};

struct talk_log {
	struct talk_way sent, received;
	struct talk_streams streams;
	bool has_any;      /* events, of whatever kind */
	nsec_t begin, end; /* of the recording; 0: it has no events */
};

/* The source is used up, but stays open. */
void talk_log_read(struct source *source, struct talk_log *ret);
void talk_log_release(struct talk_log *log);
