/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The other end of what a task waits for: the processes that have it open, and of a connection its
 * address. The words are those of the lines `waits` of ftwait/stream.h.
 *
 * Order of calls: wait_ends_begin() for one look at the machine; the others any number of times;
 * wait_ends_end(). The files of processes and the sockets are read when they are first needed, at
 * most once, and sockets of at most NAMESPACES_MAX network namespaces. No file is touched (peek.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "end_table.h"
#include "ftwait/nsec.h"
#include "socket_table.h"
#include "waiter_memory.h"

#define WAIT_HOLDERS_MAX 8 /* processes that a line names */
#define NAMESPACES_MAX   4
#define NAMESPACE_BYTES  40

/* How a process must have a file open to be the other end. */
enum end_use {
	END_OPEN,
	END_READ,
	END_WRITTEN,
	END_LOCKED,
};

struct wait_ends {
	struct end_table *table; /* borrowed */
	const int32_t *watched;  /* processes that are looked at first; borrowed */
	size_t watched_count;
	nsec_t deadline; /* CLOCK_MONOTONIC */
	nsec_t patience; /* for which the table may be read */
	struct end_round near, one; /* near: files of the watched processes */
	bool has_looked;
	struct socket_table sockets;
	char space[NAMESPACE_BYTES]; /* network namespace of the sockets; "": none were read */
	unsigned spaces;             /* that were read */
	/* the other end of something was not found, and a later look may find it */
	bool is_partial;
};

void wait_ends_begin(struct wait_ends *ends, struct end_table *table, const int32_t *watched,
		     size_t watched_count, nsec_t deadline, nsec_t patience);
/* Whether it is one of the processes that are looked at first. */
bool wait_ends_is_watched(const struct wait_ends *ends, int32_t tgid);
/* Goes on with a round that an earlier look began, and did not end. */
void wait_ends_end(struct wait_ends *ends);
/*
 * Appends "PROCESS,..." of those that have the object open, but for `tgid` itself if there are
 * others; "0": nobody has, "-": not known. Returns the only one; 0: there are several, or none.
 */
int32_t wait_ends_put(struct wait_ends *ends, int32_t tgid, struct end_object object,
		      enum end_use use, struct buffer *to);
/* Whether the process has locked the file, as far as it may be looked at. */
bool wait_ends_may_lock(struct wait_ends *ends, int32_t tgid, struct end_object object);
/* Appends "socket ..." and returns the process at the other end, as above; false in *ret_is_known,
   and nothing appended, if the socket has no other end, or is not known. `target`: name of the unix
   socket that it connects to; NULL: it does not. */
int32_t wait_ends_put_socket(struct wait_ends *ends, int32_t tgid, uint64_t inode,
			     const char *target, struct buffer *to, bool *ret_is_known);
/* The socket, of those that the process polls, on which a request has had no answer for longest; 0:
   none. */
uint64_t wait_ends_find_request(struct wait_ends *ends, int32_t tgid,
				const struct poll_set *polled);
/*
 * Whether it is known which other processes can make one of the polled files ready: each is a pipe
 * or a unix socket, and the same processes have the other ends of all of them open, as with both
 * outputs of a child; or it is a pidfd; or a pipe or an eventfd that the process has for itself.
 * *ret_file: the number of one of those that others make ready.
 */
bool wait_ends_find_polled(struct wait_ends *ends, int32_t tgid, const struct poll_set *polled,
			   uint64_t *ret_file);
