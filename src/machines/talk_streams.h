/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the TCP connections of one machine through its events, for clocks/stream_fit.h: which
 * call sent which bytes, and which one received them.
 *
 * When the first byte of a call left the machine is known in two cases. If one packet carried all
 * of the call, it is the first packet of that length that the task queued since its last call, not
 * counting those that interrupts queued meanwhile, which may be of any connection. If the call
 * needed several packets, the byte is in the first large one, unless the peer's window is smaller
 * than any full packet. If the packet is of another connection, it is earlier than the byte, which
 * keeps the bound true.
 *
 * There is a proviso where the call may have waited for room after its first byte: that byte may
 * then have been sent by an interrupt on another CPU before the task queued a packet. It holds if
 * the peer had received all older bytes, which stream_fit.c checks. It is not needed for a call
 * that one packet carried, if that is true of all calls before it, or if it is shorter than a full
 * packet.
 *
 * Calls of several tasks on one socket are known only where they cannot overlap, as their bytes are
 * numbered in the order in which calls return. When a call began is not recorded: at the time of
 * the packet that carried all of it, or else after the task's last call, of whatever socket. When
 * the recording ends or events are lost, each task that used the socket may be in such a call. The
 * recording does not show a task whose first call on the socket has not returned by then: its bytes
 * are not counted.
 *
 * A byte has arrived when the socket's reader is notified of data for the first time since the last
 * read, or when it is read.
 */
#pragma once

#include "base/data/map.h"
#include "base/data/object_pool.h"
#include "clocks/host_packets.h"
#include "ftwait/event.h"

#define STREAM_OLDER (MAP_NONE - 1)

struct stream_state {
	nsec_t ready;  /* first notification since the last read; 0: none */
	int64_t taker; /* task that read last; 0: none */
	bool has_unsent; /* bytes of a call may not have left when it returned */
	size_t forgotten_begin, forgotten_end; /* calls of which nothing is known any more */
};

struct talk_streams {
	/* connections that the recording shows being opened, also if they are not open yet */
	struct host_stream *stream;
	struct stream_state *state; /* of each */
	size_t count, capacity, state_capacity;
	/* by sock: number of its stream; STREAM_OLDER: it was used before its opening was seen */
	struct map by_socket;
	struct object_pool packets; /* by task that calls or queues packets */
	nsec_t lost_until; /* before that time events were lost */
	/* The first so many streams have no calls or states of that time or later. */
	size_t cut_count;
	nsec_t cut_from;
};

void talk_streams_begin(struct talk_streams *streams);
void talk_streams_take(struct talk_streams *streams, const struct event *event);
/* Events between these times were lost. Call it before those that follow `begin`. */
void talk_streams_lose(struct talk_streams *streams, nsec_t begin, nsec_t end);
/* No event follows. */
void talk_streams_end(struct talk_streams *streams);
void talk_streams_release(struct talk_streams *streams);
