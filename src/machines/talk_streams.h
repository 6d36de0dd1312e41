/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the TCP connections of one machine through its events, for clocks/stream_fit.h: which
 * call sent which bytes, and which one received them.
 *
 * When the first byte of a call left the machine is known in two cases. If one packet carried all
 * of the call, it is the first packet of that length that the task queued since its last call. If
 * the call needed several packets, the byte is in the first large one, provided that the peer had
 * received all older bytes: else the byte may have been sent on another CPU before the task queued
 * a packet (stream_fit.c checks that). If the packet is of another connection, it is earlier than
 * the byte, which keeps the bound true.
 *
 * A byte has arrived when the socket's reader is notified of data for the first time since the last
 * read, or when it is read.
 */
#pragma once

#include "base/map.h"
#include "base/object_pool.h"
#include "clocks/host_streams.h"
#include "ftwait/event.h"

struct talk_streams {
	struct host_stream *stream; /* those whose opening was recorded, and others that have no
	                               addresses yet */
	nsec_t *ready;              /* of each: first notification since the last read; 0: none */
	size_t count, capacity, ready_capacity;
	struct map by_socket;        /* number of the stream that the sock has now */
	struct object_pool packets; /* by task: those it queued since its last call */
};

void talk_streams_begin(struct talk_streams *streams);
void talk_streams_take(struct talk_streams *streams, const struct event *event);
/* Events from `begin` on were lost. */
void talk_streams_lose(struct talk_streams *streams, nsec_t begin);
/* No event follows. */
void talk_streams_end(struct talk_streams *streams);
void talk_streams_release(struct talk_streams *streams);
