/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The child process of tracecmd_source.h, and the protocol between parent and child over a socket.
 * First the child sends one reply (count 0: the file is open). A request is the index of a stream;
 * the child answers each request with one reply, of which count 0 means the end of that stream. The
 * child closes the socket only when it ends, which is also the only sign of an error.
 */
#pragma once

#include <stdint.h>

#include "ftwait/source.h"

#define REFERENCE_BATCH_RECORDS 512
#define REFERENCE_BATCH_BYTES (256u << 10)

/* Followed by `count` reply_records and then `bytes` of payloads, in the same order. */
struct reply {
	uint32_t count;
	uint32_t bytes;
	uint64_t lost_events; /* as in struct record_batch */
};

struct reply_record {
	uint64_t time;
	uint64_t length; /* each payload is padded to 8 bytes in the reply */
};

/* Exit statuses of the child. */
enum reference_exit {
	REFERENCE_DONE = 0,
	REFERENCE_CANNOT_OPEN = 1,
	REFERENCE_BROKEN_SOCKET = 2,
};

/*
 * Serves `socket` until its end, for a source that source_open() made: opens its file again, by
 * the name of its descriptor.
 */
enum reference_exit reference_serve(const struct source *native, int socket);
/* Send and receive exactly `size` bytes. They return 0, -errno, or -ENODATA at the end of the
   socket. */
int reference_send(int socket, const void *bytes, size_t size);
