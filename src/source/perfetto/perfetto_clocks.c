/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_clocks.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"

#define TRIPS_MAX 1024 /* Perfetto compares two clocks each 30 s */

enum {
	CLOCK_REALTIME_ID = 1,
	CLOCK_MONOTONIC_ID = 3,
	CLOCK_MONOTONIC_RAW_ID = 5,
	CLOCK_BOOTTIME_ID = 6,
	CLOCK_FTRACE_ID = 64, /* ftwait's name for the clock of ftrace events */
	CLOCK_IDS = 65,
};

/* Clocks that were read at the same instant; 0: not read. */
struct perfetto_instant {
	nsec_t time[CLOCK_IDS];
};

/* The clocks of a machine, and just after that those of the host. */
struct perfetto_round_trip {
	struct perfetto_instant own, host;
};

void perfetto_clocks_release(struct perfetto_clocks *clocks)
{
	free(clocks->instant);
	free(clocks->trip);
	free(clocks->reading);
}

static void instant_read(struct wire snapshot, struct perfetto_instant *ret)
{
	struct wire_field field, part;

	*ret = (struct perfetto_instant){0};
	while (wire_next(&snapshot, &field)) {
		struct wire clock = wire_of(&field);
		uint64_t id = 0, time = 0;

		while (field.number == 1 && field.type == WIRE_BYTES && wire_next(&clock, &part))
			*(part.number == 1 ? &id : &time) = part.number <= 2 ? part.value : 0;
		if (id < CLOCK_IDS && time <= REALTIME_MAX)
			ret->time[id] = time;
	}
}

void perfetto_clocks_see(struct perfetto_clocks *clocks, struct wire snapshot)
{
	if (clocks->instant_count == REALTIME_PAIRS_MAX || snapshot.at == snapshot.end)
		return;
	ARRAY_GROW(clocks->instant, clocks->instant_count, clocks->instant_capacity);
	instant_read(snapshot, &clocks->instant[clocks->instant_count++]);
}

/* RemoteClockSync: synced_clocks 1 with client_clocks 2, host_clocks 3 */
void perfetto_clocks_sync(struct perfetto_clocks *clocks, struct wire sync)
{
	struct wire_field field, part;

	while (wire_next(&sync, &field)) {
		struct wire synced = wire_of(&field);
		struct perfetto_round_trip trip = {0};

		if (field.number != 1 || field.type != WIRE_BYTES ||
		    clocks->trip_count == TRIPS_MAX)
			continue;
		while (wire_next(&synced, &part))
			if (part.type == WIRE_BYTES && (part.number == 2 || part.number == 3))
				instant_read(wire_of(&part),
				             part.number == 2 ? &trip.own : &trip.host);
		ARRAY_GROW(clocks->trip, clocks->trip_count, clocks->trip_capacity);
		clocks->trip[clocks->trip_count++] = trip;
	}
}

static void realtime_describe(const struct perfetto_clocks *clocks, uint32_t id,
                              struct realtime *real)
{
	for (size_t i = 0; i < clocks->instant_count; i++) {
		const nsec_t *time = clocks->instant[i].time;

		if (time[id] && time[CLOCK_REALTIME_ID] &&
		    (real->count == 0 || time[id] > real->pair[real->count - 1].time))
			real->pair[real->count++] = (struct realtime_pair){
				.time = time[id], .real = time[CLOCK_REALTIME_ID]};
	}
}

static void readings_describe(struct perfetto_clocks *clocks, uint32_t id, struct source *source)
{
	clocks->reading = xcalloc(clocks->trip_count, sizeof(*clocks->reading));
	source->readings = clocks->reading;
	for (size_t i = 0; i < clocks->trip_count; i++) {
		const struct perfetto_round_trip *trip = &clocks->trip[i];

		if (trip->own.time[id] && trip->host.time[id])
			clocks->reading[source->reading_count++] = (struct clock_reading){
				.own = trip->own.time[id], .common = trip->host.time[id]};
	}
}

/* Perfetto names the clocks of ftrace, of which "global" may stand for one that a snapshot has the
   same time of. */
void perfetto_clocks_describe(struct perfetto_clocks *clocks, uint32_t ftrace_clock,
                              struct source *source)
{
	static const char *const names[] = {"boot", NULL, "global", "local", "mono_raw"};
	static const struct {
		uint32_t id;
		const char *name;
	} same[] = {{CLOCK_MONOTONIC_ID, "mono"}, {CLOCK_MONOTONIC_RAW_ID, "mono_raw"}};
	const nsec_t *first = clocks->instant_count ? clocks->instant[0].time : NULL;
	uint32_t id = ftrace_clock == 0 ? CLOCK_BOOTTIME_ID : 0;

	if (ftrace_clock < ARRAY_SIZE(names))
		source->clock = names[ftrace_clock];
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		if (ftrace_clock == 2 && first && first[CLOCK_FTRACE_ID] &&
		    first[CLOCK_FTRACE_ID] == first[same[i].id]) {
			source->clock = same[i].name;
			id = same[i].id;
		}
	if (id) {
		realtime_describe(clocks, id, &source->notes.realtime);
		readings_describe(clocks, id, source);
	}
}
