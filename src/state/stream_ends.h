/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections both ends of which are on a recorded machine, found by their addresses and ports:
 *
 *	active   10.0.0.6:45000 -> 10.0.0.9:80      sk1 --.
 *	passive  10.0.0.9:80    <- 10.0.0.6:45000   sk2 <-'
 *
 * Only those whose opening was recorded at both ends are known. Several networks may use the same
 * addresses: if several ends match, the pair stays unknown. If there are several machines, they
 * share one struct stream_ends, and ends on two of them are a pair if the clocks of these were
 * compared.
 *
 * Both ends together show how a client's wait is divided. They also show which task wrote incoming
 * data whose packet has no known sender, because a queue cut it from a larger packet, or the kernel
 * sent it later by itself. The position in the stream decides: if all unread bytes belong to the
 * other end's last write, the writer is known.
 */
#pragma once

#include "connection.h"

struct stream_ends {
	struct object_pool by_addresses; /* struct stream_pair */
	/* by machine: its connections by sock, and those that have closed */
	const struct object_pool *open[HOSTS_MAX], *closed[HOSTS_MAX];
};

void stream_ends_begin(struct stream_ends *ends);
void stream_ends_release(struct stream_ends *ends);
void stream_ends_forget(struct stream_ends *ends);
/* stream_ends_join(): the connection of that sock of the machine is established;
   stream_ends_leave(): it closes. */
void stream_ends_join(struct stream_ends *ends, const struct machine *machine, uint64_t socket);
void stream_ends_leave(struct stream_ends *ends, const struct machine *machine,
                       const struct connection *connection, uint64_t socket);
/* The other end of the connection; NULL: not known, or it has closed. */
const struct connection *stream_other(const struct stream_ends *ends,
                                      const struct connection *connection);
/* The same of an other end that has closed. */
const struct connection *stream_closed_other(const struct stream_ends *ends,
                                             const struct connection *connection);
/* Data has come in for the connection. */
void stream_note_ready(const struct machine *machine, struct connection *connection);
/* The current task writes `bytes` bytes, which the connection's counts do not include yet. */
void stream_note_write(const struct machine *machine, const struct cpu *cpu,
                       struct connection *connection, uint64_t bytes);
/* A segment of the connection was retransmitted. */
void stream_note_resent(const struct machine *machine, const struct cpu *cpu,
                        struct connection *connection);
/* Divides the wait that ends with the first read of a turn; `last` is the turn before. */
void stream_divide_wait(struct connection *connection, const struct connection *other,
                        const struct exchange *last);
/* The task that wrote the unread bytes; TRACK_NONE: not known. */
uint32_t stream_writer(const struct connection *connection, const struct connection *other);
/* Adds the writer to the note of the packet that the CPU receives, which names no sender. */
void stream_name_writer(const struct machine *machine, const struct cpu *cpu,
                        const struct connection *connection, const struct connection *other,
                        struct cause_note *note);
