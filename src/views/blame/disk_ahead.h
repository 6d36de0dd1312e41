/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which requests were ahead of a task's request to a disk, for how much of the task's wait. A
 * request is ahead of another if it was in the queue or in the device when the other was queued; it
 * counts until it ends. Where several are ahead, each gets an equal part of the time.
 *
 *	wait           |-----------------------|     for the request that was queued at q
 *	request  q     |
 *	ahead  ...-------------|                     half of the time up to its end
 *	ahead  ...-----------------|                 the other half, and all of the rest
 *
 * A device may serve many requests at once, so time behind others is not always lost to them.
 * Memory: 40 bytes a request and a wait; at most DISK_AHEAD_MAX of each.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

#define DISK_AHEAD_MAX (1u << 21)

struct ahead_request {
	nsec_t begin, end; /* begin: when it was queued */
	uint64_t sector;
	uint32_t dev;
	uint32_t task; /* track; TRACK_NONE: not known */
};

/* The wait of a task for a request that was queued at `queued`. */
struct ahead_wait {
	nsec_t queued, begin, end;
	uint64_t sector;
	uint32_t dev;
	uint32_t task; /* track */
};

struct disk_ahead {
	struct ahead_request *request;
	size_t request_count, request_capacity;
	struct ahead_wait *wait;
	size_t wait_count, wait_capacity;
	uint64_t left_out; /* requests and waits beyond the limit */
};

/* One that is all zero is empty. */
void disk_ahead_release(struct disk_ahead *ahead);
void disk_ahead_add_request(struct disk_ahead *ahead, const struct ahead_request *request);
void disk_ahead_add_wait(struct disk_ahead *ahead, const struct ahead_wait *wait);
/* Reports the part in ns of each wait's time that each task's requests ahead have; several times
   for a task with several of them. Call once, after everything is added. */
void disk_ahead_share(struct disk_ahead *ahead,
                      void (*on_share)(void *state, uint32_t waiter, uint32_t task, double part),
                      void *state);
