/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --disk keeps, by device and by submitting task; private to disk_*.c. Requests are reported
 * in order of their ends (graph/interval.h). Some figures depend on requests that are still in
 * flight then, such as which were ahead and which tasks' waiting overlaps: these are completed
 * when those requests end.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/distribution.h"
#include "analysis/interval_gate.h"
#include "base/format.h"
#include "base/map.h"
#include "coverage.h"
#include "disk_request.h"

/* Sums over the requests of one direction. */
struct disk_sum {
	uint64_t requests, bytes, errors;
	struct distribution queue, device; /* of the requests for which it is known */
};

/* A request, as far as it matters to others. */
struct disk_request {
	uint32_t device;
	uint32_t task; /* line of the task that it is for; LINE_NONE */
	nsec_t begin, issued, end; /* issued: NSEC_NEVER: not seen */
	uint64_t bytes;
};

/* Requests of a task that were there when another request was. */
struct disk_ahead {
	uint32_t task; /* line; LINE_NONE */
	uint64_t requests, bytes;
};

struct slow_request {
	struct disk_request request;
	nsec_t queued; /* NSEC_NEVER: not seen */
	uint64_t sector;
	uint32_t rwbs; /* name id */
	int64_t error;
	uint64_t number; /* in order of arrival: breaks ties */
	uint64_t weight; /* the value that --sort selects */
	struct disk_ahead *ahead;
	uint32_t ahead_count, ahead_capacity;
	struct slow_request *older, *newer; /* list of all that are kept, by their ends */
};

/* A heap of the greatest, with the least of them on top. */
struct slowest {
	struct slow_request **request;
	size_t count, capacity;
};

/* The use of a device by a task. */
struct disk_task {
	uint32_t device;
	uint32_t task; /* line; LINE_NONE: not known */
	struct disk_sum sum[DISK_DIRECTIONS];
	struct coverage waiting; /* when any of its requests was there */
	struct slowest slowest;  /* if tasks are asked for */
	uint32_t older, newer;   /* of the device's tasks, by their last ends; MAP_NONE */
};

struct disk_device {
	uint32_t dev;
	struct coverage busy;
	uint32_t depth_max;
	uint64_t open; /* in flight at the end of the trace */
	/* the last ones that ended, a ring */
	struct disk_request *ended;
	size_t ended_count, ended_capacity;
	nsec_t ended_since; /* requests that ended before are forgotten; 0: none is */
	uint32_t newest; /* struct disk_task; MAP_NONE: none */
};

/* Time in which both tasks had requests there. */
struct disk_pair {
	uint32_t task[2]; /* struct disk_task, of one device */
	nsec_t overlap;
};

struct disk_view {
	const struct question *question;
	struct interval_gate gate;
	struct disk_device *device;
	size_t device_count, device_capacity;
	struct disk_task *task;
	size_t task_count, task_capacity;
	struct disk_pair *pair;
	size_t pair_count, pair_capacity;
	struct map device_by_dev, task_by_hash, pair_by_hash;
	uint64_t left_out; /* requests of devices or tasks beyond the limit */
	uint64_t pairs_left_out;
	size_t sort; /* index in disk_sort_keys */
	bool is_by_task; /* tasks are asked for: each has a list of its own */
	struct slowest slowest; /* otherwise */
	struct slow_request *newest_slow;
	uint64_t numbered;
	uint64_t ahead_cut; /* slow requests for which some requests ahead are forgotten */
};

extern const char *const disk_sort_keys[];

/* Whether the task is asked for. Devices serve all tasks, so the recorded command is not
   implied. */
bool disk_is_asked(const struct disk_view *view, uint32_t task);
/* Sums requests, bytes and times of the asked tasks; direction DISK_DIRECTIONS: all. */
void disk_sum_of(const struct disk_view *view, uint32_t device, unsigned direction,
                 struct disk_sum *ret);
void disk_sum_release(struct disk_sum *sum);

/* Adds a request that is one of the slowest so far: disk_slowest.c. */
void disk_slowest_add(struct disk_view *view, struct slowest *to,
                      const struct disk_request *request, const struct interval *interval);
/* Takes a request that has ended: it may have been ahead of those kept, and will be of others. */
void disk_slowest_pass(struct disk_view *view, const struct disk_request *request);
void disk_slowest_release(struct slowest *slowest);
/* Those of all asked tasks, slowest first; the caller frees the array. */
struct slow_request **disk_slowest_sorted(const struct disk_view *view, size_t *ret_count);

/* The task had a request there in [begin, end): disk_contention.c. */
void disk_contention_add(struct disk_view *view, uint32_t task, nsec_t begin, nsec_t end);

/* Words and tables: disk_lists.c. */

/* A task whose requests another task waited behind. */
struct rival {
	uint32_t task; /* struct disk_task */
	nsec_t overlap;
};

struct victim {
	uint32_t task; /* struct disk_task */
	struct rival *rival; /* longest overlap first */
	size_t count, capacity;
};

const char *disk_dev_text(const struct disk_view *view, uint32_t device,
                          char to[static FORMAT_BYTES]);
void disk_task_append(struct buffer *to, const struct disk_view *view, uint32_t line);
/* "bulk[7] 91.0 %, jbd2/vda1-8[90] 2.0 %, 3 more". */
void disk_behind_append(struct buffer *to, const struct disk_view *view,
                        const struct victim *victim);
/* By struct disk_task; tasks that are not asked for have no rivals. */
struct victim *disk_victims_new(const struct disk_view *view);
void disk_victims_free(const struct disk_view *view, struct victim *victims);
void disk_requests_put(const struct disk_view *view, const struct output *to);
void disk_contention_put(const struct disk_view *view, const struct victim *victims,
                         const struct output *to);

void disk_report(const void *view, const struct output *to);
