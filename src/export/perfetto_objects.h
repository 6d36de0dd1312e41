/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects did, as slices. Each device has a track for its requests, and each CPU one for its
 * interrupts; each machine has one track for all work items, and one for file locks. Contentions
 * are below their threads, except contentions of idle tasks, which are no tasks for Perfetto. As
 * slices may overlap, a track has as many lanes as there were slices at once. Each lane is a track
 * of the same name for Perfetto, which shows them as one. The number of requests of each device is
 * a counter, too. Slices are cut to the exported window.
 */
#pragma once

#include "graph/timeline/interval.h"
#include "perfetto_tracks.h"

#define PERFETTO_INTERVALS                                                      \
	(INTERVAL_MASK(INTERVAL_DISK) | INTERVAL_MASK(INTERVAL_IRQ) |           \
	 INTERVAL_MASK(INTERVAL_SOFTIRQ) | INTERVAL_MASK(INTERVAL_IPI) |        \
	 INTERVAL_MASK(INTERVAL_WORK) | INTERVAL_MASK(INTERVAL_LOCK) |          \
	 INTERVAL_MASK(INTERVAL_TENURE))

#define PERFETTO_LANES_MAX 4096u /* maximal number of lanes of a track; slices that would need
                                    more are left out */

struct perfetto_lanes {
	nsec_t *end; /* by lane: end of its last slice */
	size_t count, capacity;
	/* Requests in flight at the begin of the exported window, as last reported before;
	   in_flight_at is 0 if they were not reported. */
	uint32_t dev, in_flight;
	nsec_t in_flight_at;
};

struct perfetto_objects {
	struct perfetto_tracks *tracks; /* borrowed */
	struct map by_object;           /* kind and number -> index in lanes */
	struct perfetto_lanes *lanes;
	size_t count, capacity;
	/* Lock intervals that began before the window or with it: for each thread the innermost
	   first. */
	struct interval *early;
	size_t early_count, early_capacity;
};

void perfetto_objects_init(struct perfetto_objects *objects, struct perfetto_tracks *tracks);
void perfetto_objects_release(struct perfetto_objects *objects);
void perfetto_objects_add(struct perfetto_objects *objects, const struct interval *interval);
/* Writes the slices and counters that are left. */
void perfetto_objects_end(struct perfetto_objects *objects);
