/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the clocks of several machines relate to that of the first one, directly or by others in
 * between, and which messages they sent each other, by the packets of each (packet_pairs.h).
 *
 * All pairs of machines are tried. The error bounds of the ways add up, and each machine gets the
 * way of the least sum. Machines that talk to none of the others are not known.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock_fit.h"
#include "ftwait/nsec.h"
#include "host_packets.h"

struct host_clock {
	bool is_known; /* the rest is set only then; host 0 always is, with a line of no offset */
	bool is_ambiguous; /* it is not known, as its talk with a known one repeats itself */
	uint32_t via;  /* the host that its clock is compared with; of host 0: 0 */
	struct clock_line line; /* from its times to those of host 0 */
	nsec_t bound;  /* the line is off by at most that while all of its way were recorded */
	uint64_t matched; /* packets, both directions; the least along its way; of host 0: 0 */
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
	   one may belong to several. All are between hosts with known clocks, and by these not
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
