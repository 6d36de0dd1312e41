/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files the descriptors of processes are, by the recorder's looks at them: each shows the
 * file of one descriptor at one time. The number may stand for another file before or after that.
 * So a look counts for a stretch of time in which the recorded system calls neither close nor
 * replace the descriptor, and in which the look lies as a whole:
 *
 *	openat = 5      look: /a/b      read(5)   close(5)      openat = 5 ...
 *	   |--------------|================|---------|             |--------
 *	 since                                      end          another stretch
 *
 * What happens in the stretch before the look refers to it, too, but only its end shows whether
 * that is right. So a call keeps a struct descriptor_use, and the path is asked for when the trace
 * has ended. A look belongs to one stretch at most. A struct that is all zero is empty.
 *
 * A second look with the same begin says more of the first: also who the other end of the socket
 * is. A socket may be connected anew, by any of its descriptors: then nothing is said of its other
 * end in the stretches around that.
 *
 * Order of calls: descriptor_log_add() for each look of the recording, descriptor_log_close(), any
 * number of descriptor_log_find(), descriptor_log_settle() and descriptor_log_connect(), then
 * descriptor_log_path().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"

struct descriptor_look {
	int32_t process;
	uint32_t number;
	nsec_t from, to; /* the look was made in between */
	uint32_t path;   /* id in names */
	uint64_t socket; /* its inode; 0: it is none */
	nsec_t since;    /* begin of the stretch that it counts for; NSEC_NEVER: none, so far */
};

struct descriptor_log {
	struct descriptor_look *look; /* by process, number and `from`, once closed */
	size_t count, capacity;
	struct map connects;  /* socket -> index in connect of the last time */
	nsec_t *connect;
	size_t connect_count, connect_capacity;
	nsec_t connect_of_any; /* the last time of a socket that is not known */
	/* files that these processes have opened, and how many of them no look shows */
	uint64_t opens, opens_unseen;
};

/* A stretch of a descriptor, in which a call uses it. */
struct descriptor_use {
	nsec_t since;
	uint32_t look; /* index + 1 of the first look that began in it; 0: there is none */
};

void descriptor_log_release(struct descriptor_log *log);
void descriptor_log_add(struct descriptor_log *log, const struct descriptor_look *look);
void descriptor_log_close(struct descriptor_log *log);
static inline bool descriptor_log_is_empty(const struct descriptor_log *log)
{
	return log->count == 0;
}
/* The looks at a process: index of the first; *ret: how many. */
size_t descriptor_log_of(const struct descriptor_log *log, int32_t process, size_t *ret);
/* The stretch of that descriptor that begins then. Cost: O(log n). */
struct descriptor_use descriptor_log_find(const struct descriptor_log *log, int32_t process,
                                          uint32_t number, nsec_t since);
/* The stretch has lasted until `end`. Returns whether its look was in it. */
bool descriptor_log_settle(struct descriptor_log *log, struct descriptor_use use, nsec_t end);
/* The inode of the socket that the stretch's look shows, 0: it is none, once that is settled. */
uint64_t descriptor_log_socket(const struct descriptor_log *log, struct descriptor_use use);
/* The socket is connected then, anew perhaps; 0: any one. In order of time. */
void descriptor_log_connect(struct descriptor_log *log, uint64_t socket, nsec_t time);
/* Id in names of the file's path; 0: not known. */
uint32_t descriptor_log_path(const struct descriptor_log *log, struct descriptor_use use);
