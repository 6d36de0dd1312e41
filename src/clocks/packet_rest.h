/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What packet_pairs.h leaves over on purpose, as it must not narrow the clocks: packets that took
 * long on their way, or that a device cut or joined.
 *
 *	sent  a   b 5136   c            received  a   b1 1500   b2 3688   c
 *
 * They are looked for between two packets that are paired, as packets of one direction keep their
 * order: there are few, and one that fits alone is taken for it, although a lost packet and one of
 * another machine may happen to be as long. A cut packet fits if what follows the
 * headers of its pieces is as long as what follows its own; all have headers of one length.
 */
#pragma once

#include "packet_pairs.h"

/* More packets than that between two pairs are not examined. */
#define REST_MAX 32

struct packet_rest {
	const struct packet_sight *sent, *received; /* of the direction, on one clock */
	size_t sent_count, received_count;
	const struct packet_way *way; /* what is paired, by `sent` */
	/* Numbers of packets that belong to any machine's pairs; those found now are added. */
	bool *sent_used, *received_used;
	/* Takes a pair. A sent packet may come with several received ones. */
	void (*on_pair)(void *state, const struct packet_pair *pair);
	void *state;
};

void packet_rest_find(const struct packet_rest *rest);
