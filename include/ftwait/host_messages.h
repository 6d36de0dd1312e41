/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that went from one machine of a joined source to another, found before the source is
 * read (src/machines/). A packet is named by its place: it is the n-th one that was sent, or
 * received, on its CPU, from 0; packets of all devices are counted.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct packet_place {
	uint32_t cpu;     /* as the joined source numbers it */
	uint32_t number;
	uint32_t message; /* the same for a packet's sending and its receptions; not 0 */
};

/* Both arrays are in order of CPU, then number. */
struct host_messages {
	const struct packet_place *sent, *received;
	size_t sent_count, received_count;
};
