/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest requests, and the requests ahead of each: requests that were in the queue or in the
 * device when it was queued; and requests that were issued before it and were still in the device
 * when it was issued. Those that ended before it are looked up when it ends; the others are added
 * when they end.
 *
 *	      queued  issued     end
 *	it      |-------|---------|
 *	ahead  ...-|
 *	ahead  .....................-----|
 *	ahead      |-[issued]-|            came later and overtook it
 *	not        |-|                     came later and was gone
 *
 * If tasks are asked for, each task has a list of its own, so that its slowest requests are kept
 * even if other tasks have slower ones; else there is one list. The caller keeps these lists, and
 * the ended requests of each device.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "ftwait/nsec.h"
#include "ftwait/report.h"
#include "graph/timeline/interval.h"

/* The data of a request that matter to other requests. */
struct disk_request {
	uint32_t dev;
	uint32_t task; /* track of the task that it is for; TRACK_NONE */
	nsec_t begin, issued, end; /* issued: NSEC_NEVER: not seen */
	uint64_t bytes;
};

/* The requests of a device that ended last, in a ring. A ring that is all zero is empty. */
struct ended_requests {
	struct disk_request *request; /* the caller frees it */
	size_t count, capacity;
	nsec_t since; /* requests that ended before this time are forgotten; 0: none is forgotten */
};

/* A heap of the slowest requests, with the least slow on top. A heap that is all zero is empty. */
struct slowest_heap {
	struct slow_request **request; /* the caller frees the array alone */
	size_t count, capacity;
};

struct disk_slowest {
	const struct question *question;
	size_t sort; /* index in disk_sort_keys */
	struct slow_request *newest; /* head of the list of all kept requests */
	uint64_t numbered;
	uint64_t ahead_cut; /* number of slow requests for which some requests ahead are
	                       forgotten */
};

extern const char *const disk_sort_keys[];

void disk_slowest_init(struct disk_slowest *slowest, const struct question *question);
/* Adds a request that ended, if it is one of the slowest so far. */
void disk_slowest_add(struct disk_slowest *slowest, struct slowest_heap *to,
                      const struct ended_requests *ended, const struct disk_request *request,
                      const struct interval *interval);
/* Call for each request that ended, after disk_slowest_add(): it may have been ahead of kept
   requests, and may have been ahead of requests that end later. */
void disk_slowest_pass(struct disk_slowest *slowest, struct ended_requests *ended,
                       const struct disk_request *request);
/* Puts the table of the slowest requests of asked tasks. */
void disk_slowest_put(const struct disk_slowest *slowest, const struct output *to);
void disk_slowest_release(struct disk_slowest *slowest);
