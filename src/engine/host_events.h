/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an event of one machine of several one of the common timeline: it gets the timeline's
 * numbers of CPUs and devices, and the number of the message that it is.
 *
 * Order of calls: host_events_new(); host_event_fit() for each event, in the order of the source;
 * host_events_free().
 */
#pragma once

#include <stdint.h>

#include "ftwait/event.h"
#include "ftwait/host_messages.h"
#include "graph/device_names.h"

struct host_events;

/* `messages` is borrowed; NULL: none are known. */
struct host_events *host_events_new(const struct host_messages *messages, uint32_t cpu_count);
struct host_events *host_events_free(struct host_events *events);
/* `cpu_first`: number on the timeline of the machine's CPU 0. */
void host_event_fit(struct host_events *events, struct device_names *devices, uint32_t host,
                    uint32_t cpu_first, struct event *event);
