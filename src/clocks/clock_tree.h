/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the clocks of several machines relate, directly or by others in between, and which messages
 * they sent each other, by the packets of each (packet_pairs.h).
 *
 * All pairs of machines are tried. Machines that talk to each other, directly or by others, form a
 * tree, and the clock of its first machine is that of the tree. The error bounds of the ways add
 * up, and each machine gets the way of the least sum. The clocks of two trees cannot be compared.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock_fit.h"
#include "ftwait/nsec.h"
#include "host_packets.h"

struct host_clock {
	uint32_t root; /* the first host of its tree; itself: it is that */
	uint32_t via;  /* the host that its clock is compared with; of a root: itself */
	struct clock_line line; /* from its times to those of the root */
	nsec_t bound;  /* the line is off by at most that while all of its way were recorded */
	/* packets, both directions; the least along its way; 0: it is the root, or has its clock */
	uint64_t matched;
	bool is_ambiguous; /* of a root: the talk of its tree with another one repeats itself */
};

/* Hosts, and indices in their logs. */
struct host_message {
	uint32_t from, to;
	uint32_t sent, received;
};

struct clock_tree {
	struct host_clock *clock; /* one a host */
	size_t count;
	/* By host and number of the received packet, which belongs to one message at most; a sent
	   one may belong to several. All are between hosts of one tree, and by its clock not
	   received before they are sent. */
	struct host_message *message;
	size_t message_count;
};

/* Is called before each comparison of two machines: `done` of `all` are done. */
struct clock_tree_watch {
	void (*on_pair)(void *state, size_t done, size_t all);
	void *state;
};

/* `count` is 1 to HOSTS_MAX (ftwait/host.h); `watch` may be NULL. *ret is to be released. */
void clock_tree_find(const struct host_packets *hosts, size_t count,
                     const struct clock_tree_watch *watch, struct clock_tree *ret);
void clock_tree_release(struct clock_tree *tree);
