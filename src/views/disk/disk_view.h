/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the view --disk gathers: disk_analysis.c fills it. */
#pragma once

#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "base/data/map.h"
#include "coverage.h"
#include "disk_files.h"
#include "disk_request.h"
#include "disk_slowest.h"
#include "held_requests.h"

/* Sums over the requests of one direction. */
struct disk_sum {
	uint64_t requests, bytes, errors;
	struct distribution queue, device; /* only of requests for which the time is known */
};

/* The requests of one task to one device. */
struct disk_task {
	uint32_t device;
	uint32_t task; /* track; TRACK_NONE: not known */
	struct disk_sum sum[DISK_DIRECTIONS];
	struct coverage waiting; /* the times in which at least one of its requests was queued or
	                            in the device */
	struct slowest_heap slowest; /* if tasks are asked for */
	uint32_t older, newer; /* links of the device's list of tasks, in order of the ends of
	                          their last requests; MAP_NONE: no more */
};

struct disk_device {
	uint32_t dev;
	struct coverage busy;
	uint32_t depth_max;
	uint64_t open; /* number of requests in flight at the end of the trace */
	struct ended_requests ended;
	uint32_t newest; /* head of its list of struct disk_task; MAP_NONE: empty */
};

/* The time in which two tasks both had requests at one device. */
struct disk_pair {
	uint32_t task[2]; /* indices of struct disk_task of one device */
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
	uint64_t left_out; /* requests left out, as their devices or tasks are beyond the limit */
	uint64_t pairs_left_out;
	struct disk_files files;
	struct disk_slowest slowest;
	struct slowest_heap slowest_of_all; /* used if no tasks are asked for */
	struct held_requests held;
};

/* The three cells of a device: its numbers, for which `to` has room, its name, and what text
   shows. */
static inline void disk_dev_cells(const struct disk_view *view, uint32_t device,
                           char to[static FORMAT_BYTES], struct cell ret[static DISK_DEV_CELLS])
{
	disk_dev_fill(view->question->timeline, view->device[device].dev, to, ret);
}
