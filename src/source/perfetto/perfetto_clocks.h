/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of one machine of a Perfetto trace: which one its events are on, its time of day, and
 * how it relates to the host's, if Perfetto compared the two (RemoteClockSync).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/source.h"
#include "wire.h"

struct perfetto_instant;
struct perfetto_round_trip;

struct perfetto_clocks {
	struct perfetto_instant *instant;
	struct perfetto_round_trip *trip;
	struct clock_reading *reading;
	size_t instant_count, instant_capacity, trip_count, trip_capacity;
};

void perfetto_clocks_release(struct perfetto_clocks *clocks);
/* Reads a ClockSnapshot. */
void perfetto_clocks_see(struct perfetto_clocks *clocks, struct wire snapshot);
/* Reads a RemoteClockSync. */
void perfetto_clocks_sync(struct perfetto_clocks *clocks, struct wire sync);
/* Sets the clock of the source, of which FtraceEventBundle says `ftrace_clock`, its time of day,
   and its readings. */
void perfetto_clocks_describe(struct perfetto_clocks *clocks, uint32_t ftrace_clock,
                              struct source *source);
