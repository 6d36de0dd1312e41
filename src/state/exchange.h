/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of two ends talks when, by the reads and writes of one end: it waits for the other,
 * receives, works, sends, and waits again. Each phase begins where a read or write has returned, so
 * the first write of an answer is a part of the work, and the last read of a request belongs to
 * receiving.
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

#include "graph/timeline/interval.h"

struct exchange {
	bool has_received, has_sent; /* in this turn */
	nsec_t since; /* since when the other end is expected to send; NSEC_NEVER: not known */
	nsec_t first_received, last_received;
	nsec_t first_sent, last_sent;
	/* On a client: when its request arrived, and when the server had answered; NSEC_NEVER: not
	   known. */
	nsec_t landed, left;
	uint32_t track; /* task that answered, or has received so far; TRACK_NONE */
};

/* `since`: when the connection was made; NSEC_NEVER: not known. */
void exchange_begin(struct exchange *exchange, nsec_t since);
/* The task has read or written something. Returns true if that began another turn; *ret is then the
   turn before. */
bool exchange_add(struct exchange *exchange, bool is_send, nsec_t now, uint32_t track,
                  struct exchange *ret);
/* Fills all of the turn except its end. False: nothing was read or written in it. */
bool exchange_interval(const struct exchange *exchange, struct interval *ret);
