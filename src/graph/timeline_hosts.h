/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What belongs to which machine, on a timeline of several (ftwait/host.h). With one machine names
   and texts are without it. */
#pragma once

#include "base/text/format.h"
#include "graph/timeline/timeline.h"

/* When the recording of that machine begins. */
static inline nsec_t timeline_machine_begin(const struct timeline *timeline, uint32_t machine)
{
	return timeline->hosts.count ? timeline->hosts.host[machine].begin : timeline->begin;
}

/* When the recording of the task's machine begins and ends. */
static inline nsec_t timeline_begin_of(const struct timeline *timeline, const struct track *track)
{
	return timeline_machine_begin(timeline, track->host);
}

static inline nsec_t timeline_end_of(const struct timeline *timeline, const struct track *track)
{
	return timeline->hosts.count ? timeline->hosts.host[track->host].end : timeline->end;
}

/* A task's name, which may be that of a fold, without the name of its machine. */
const char *timeline_own_name(const struct timeline *timeline, uint32_t name);

#define DEVICE_NAME_BYTES 128

/* The device's name, or its numbers if it has none; with several machines "db:vda". In `to`. */
const char *timeline_device_text(const struct timeline *timeline, uint32_t dev,
                                 char to[static DEVICE_NAME_BYTES]);
/* In a buffer that lives as long as the block around it. */
#define TIMELINE_DEVICE_TEXT(timeline, dev) \
	timeline_device_text((timeline), (dev), (char[DEVICE_NAME_BYTES]){0})
/* The device's numbers on its machine, "254,0". */
#define TIMELINE_DEVICE_NUMBERS(timeline, dev) \
	DEVICE_TEXT(device_names_own(&(timeline)->devices, (dev)))
