/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects did, as slices: requests on a track of their device, interrupts on one of their CPU,
 * work items on one of all, file locks that others waited for on another; contentions below their
 * threads, but for those of idle tasks, which are none. As some of them overlap, a track has as
 * many lanes as there were at once, each a track of that name to Perfetto, which shows them as one.
 * Of devices it is counted, too, how many requests they had. What reaches out of what is exported
 * is cut.
 */
#pragma once

#include "graph/interval.h"
#include "perfetto_tracks.h"

#define PERFETTO_INTERVALS                                                      \
	(INTERVAL_MASK(INTERVAL_DISK) | INTERVAL_MASK(INTERVAL_IRQ) |           \
	 INTERVAL_MASK(INTERVAL_SOFTIRQ) | INTERVAL_MASK(INTERVAL_IPI) |        \
	 INTERVAL_MASK(INTERVAL_WORK) | INTERVAL_MASK(INTERVAL_LOCK) |          \
	 INTERVAL_MASK(INTERVAL_TENURE))

#define PERFETTO_LANES_MAX 4096u /* of a track; what would need more is left out */

struct perfetto_lanes {
	nsec_t *end; /* of the last slice of each */
	size_t count, capacity;
	/* Of requests: how many there were in flight when what is exported begins, as was told of
	   some time before; 0: not told. */
	uint32_t dev, in_flight;
	nsec_t in_flight_told;
};

struct perfetto_objects {
	struct perfetto_tracks *tracks; /* borrowed */
	struct map by_object;           /* kind and number -> index in lanes */
	struct perfetto_lanes *lanes;
	size_t count, capacity;
	/* Of locks, what has been there since the begin: innermost first of each thread. */
	struct interval *early;
	size_t early_count, early_capacity;
};

void perfetto_objects_init(struct perfetto_objects *objects, struct perfetto_tracks *tracks);
void perfetto_objects_release(struct perfetto_objects *objects);
void perfetto_objects_add(struct perfetto_objects *objects, const struct interval *interval);
/* Writes what is kept. */
void perfetto_objects_end(struct perfetto_objects *objects);
