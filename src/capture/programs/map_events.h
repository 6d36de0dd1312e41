/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel tells of executable mappings, of forks and of programs executed, on all CPUs, by
 * the events that perf records beside its samples. Few: some for each program that is started.
 *
 * Order of calls: map_events_open(), any number of map_events_read(), map_events_close().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build_id.h"
#include "ftwait/nsec.h"

enum map_event_kind {
	MAP_EVENT_MAP,
	MAP_EVENT_FORK,
	MAP_EVENT_EXEC,
};

struct map_event {
	nsec_t time; /* CLOCK_MONOTONIC */
	enum map_event_kind kind;
	int32_t tgid, parent; /* parent: of forks */
	/* of mappings: */
	uint64_t begin, end, offset;
	char *path; /* owned */
	char build_id[BUILD_ID_HEX_BYTES];
	bool has_build_id;
	uint64_t inode; /* 0: not told */
};

struct map_events;

/* -errno where that is refused or not there. */
int map_events_open(struct map_events **ret);
/* Descriptors to poll for POLLIN; NULL and 0 in the place of map_events NULL. */
size_t map_events_descriptors(const struct map_events *events, const int **ret);
/*
 * Calls `on_event` for each event that came since, in order of time. With `is_last` for all of
 * them, else the latest are left for the next call, as others may come before them.
 */
void map_events_read(struct map_events *events, bool is_last,
                     void (*on_event)(void *state, const struct map_event *event), void *state);
/* Accepts NULL; returns NULL. */
struct map_events *map_events_close(struct map_events *events);

/*
 * Takes the record of `size` bytes, header included, of a kernel ABI that ends each with its time.
 * Returns false for what is none of these events, or makes no sense.
 */
bool map_event_parse(const void *record, size_t size, struct map_event *ret);
