/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which machine's command a report of several is about, by the connections between the machines:
 * who opens one asks, and who accepts it serves. It is decided before the events are read, as the
 * summary forgets history while it reads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clocks/host_packets.h"
#include "ftwait/host.h"

struct lead_machine {
	const struct host_stream *streams; /* in any order */
	size_t stream_count;
	uint32_t clock;   /* machines with the same number have times that can be compared */
	bool has_command; /* its recording was made for one */
};

/*
 * Sets ret[i] for each of `count` machines, 1 to HOSTS_MAX. A machine asks those to which it opened
 * a connection, and those that these ask; the command leads of which the machine asks most others
 * with commands. If no machine asks another one, all commands may lead, but none if their times
 * cannot be compared. O(n log n) time for n connections.
 */
void command_lead_find(const struct lead_machine *machines, size_t count, enum command_lead *ret);
