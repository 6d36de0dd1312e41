/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes that network devices sent and received, as INTERVAL_TRAFFIC: packets of one device
 * within about a millisecond are one interval, as a view needs no single packet. Devices are
 * distinguished by their names, as packets carry nothing else: those of the same name in several
 * network namespaces are one.
 *
 * O(1) a packet; memory for TRAFFIC_DEVICES_MAX devices, later ones are ignored.
 */
#pragma once

#include "base/data/map.h"
#include "state/core/tracker.h"

#define TRAFFIC_SLICE       1000000u /* ns; a packet that comes later begins a new interval */
#define TRAFFIC_DEVICES_MAX 4096u

struct device_traffic {
	bool is_open; /* packets are counted that no interval has reported yet */
	nsec_t begin; /* the first of these */
	struct traffic_interval bytes;
};

/* All zero until the first packet. */
struct traffic {
	struct map by_name; /* valid if there are devices */
	struct device_traffic *device;
	size_t count, capacity;
	size_t last; /* index of the last packet's device, which is mostly that of the next one */
};

/* Counts a packet of the device of bytes->dev, a name id; 0: it has none, and nothing is
   counted. */
void traffic_add(struct traffic *traffic, struct machine *machine,
                 const struct traffic_interval *bytes);
/* The trace ends there: emits what is left. */
void traffic_close(struct traffic *traffic, struct machine *machine, nsec_t end);
void traffic_release(struct traffic *traffic);
