/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who of two ends talks when, as one end's own reads and writes tell it: it waits for the other,
 * receives, works, sends, and waits again. Each begins where a read or write has returned, so the
 * first write of an answer is a part of the work, and the last read of a request one of receiving.
 *
 *	write    read read      write write      read
 *	     wait    |  | work      |     |  wait    |
 *	          receive            send
 *
 * Where both ends are recorded, a client's wait has three parts: until the request arrives at the
 * server, until the server has answered, until the answer is read (stream_ends.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/interval.h"

struct exchange {
	bool has_received, has_sent; /* in this turn */
	nsec_t since; /* the other end has been expected to send; NSEC_NEVER: not known */
	nsec_t first_received, last_received;
	nsec_t first_sent, last_sent;
	/* Of a client: when its request arrived, when it was answered; NSEC_NEVER: not known. */
	nsec_t landed, left;
	uint32_t line; /* who answered, or has received so far; LINE_NONE */
};

/* `since`: the connection is there since then; NSEC_NEVER. */
void exchange_begin(struct exchange *exchange, nsec_t since);
/* The task has read or written something; true: that began another turn, *ret is the last one. */
bool exchange_add(struct exchange *exchange, bool is_send, nsec_t now, uint32_t line,
                  struct exchange *ret);
/* All but its end. False: nothing was read or written in it. */
bool exchange_interval(const struct exchange *exchange, struct interval *ret);
