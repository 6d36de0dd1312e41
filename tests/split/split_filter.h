/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which records of a recording one of its machines would have: all but those of the network that
 * belong to another one. A packet belongs to the machine whose device an event names; an event
 * without a device follows the packet's address, as the last event with a device had it, and is
 * left out if there was none, unless the machine has all devices. What says that a packet crossed
 * between namespaces of one machine is left out: netif_rx, if the packet is another machine's, and
 * the soft interrupt that its sender raises. A socket belongs to the machine that has its local
 * address, and the port that its server listens on, if both are asked for; one whose address is not
 * known belongs to all.
 *
 * Records must be asked for in the order of time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/record.h"
#include "ftwait/source.h"

#define SPLIT_WORDS_MAX 64

/* Words of an option, "A,B,C". */
struct split_words {
	char *word[SPLIT_WORDS_MAX];
	size_t count;
};

struct split_wish {
	struct split_words devices;   /* globs */
	struct split_words addresses; /* IPv4; none: sockets belong to all */
	struct split_words without;   /* globs of SYSTEM:EVENT that are left out */
	uint32_t port;                /* of the sockets' server; 0: any */
	uint32_t drop_receives;       /* so many of 100 netif_receive_skb are left out */
};

/* A field of an event; size 0: the event has none such. */
struct split_field {
	uint32_t offset, size; /* bytes */
};

struct split_rule {
	bool is_net, is_unwanted, is_receive, is_crossing;
	struct split_field device, packet, socket, address, peer;
	struct split_field local_port, peer_port;
	struct split_field vector;  /* of a soft interrupt that is raised */
	struct split_field time[2]; /* instants of the recording's clock, 8 bytes each */
};

#define SPLIT_IDS  65536
#define SPLIT_CPUS 65536

struct split_filter {
	const struct split_wish *wish;
	bool is_swapped;
	bool has_all;             /* devices: also packets of which none is known */
	struct split_rule *by_id; /* SPLIT_IDS */
	bool *has_crossed;        /* by CPU: its last record is a netif_rx that is left out */
	uint32_t address[SPLIT_WORDS_MAX]; /* as in a packet */
	struct map packets, sockets; /* by kernel address: 1 if it belongs to the machine, else 0 */
	uint64_t random;
};

/* Returns -EINVAL if an address of the wish is none. */
int split_filter_init(struct split_filter *filter, const struct split_wish *wish,
                      const struct source *source);
void split_filter_release(struct split_filter *filter);
bool split_filter_keeps(struct split_filter *filter, const struct record *record, unsigned cpu);
/* The rule of the record's event. */
const struct split_rule *split_filter_rule(const struct split_filter *filter,
                                           const struct record *record);
