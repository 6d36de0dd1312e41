/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executable mappings, forks, new threads and execs on all CPUs, from the events that perf records
 * in addition to its samples. There are few: some for each start of a program. And, if asked for,
 * samples of system calls that have opened a file, accepted a connection, or connect a socket.
 *
 * Order of calls: map_events_open(), map_events_add_opens() or not, any number of map_events_wait()
 * and map_events_read(), map_events_close().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"
#include "program_file.h"

enum map_event_kind {
	MAP_EVENT_MAP,
	MAP_EVENT_FORK,
	MAP_EVENT_THREAD, /* the process has one more thread */
	MAP_EVENT_EXEC,
	/* calls through the kernel's own ABI: */
	MAP_EVENT_OPEN,      /* returns a new descriptor */
	MAP_EVENT_CONNECT,   /* begins to connect a descriptor */
	MAP_EVENT_CONNECTED, /* ends that, whatever comes of it */
};

struct map_event {
	nsec_t time; /* CLOCK_MONOTONIC */
	enum map_event_kind kind;
	int32_t tgid, parent; /* parent: for forks */
	int32_t tid;          /* of forks and new threads: the new task; of calls: the thread */
	uint32_t descriptor;  /* of opens, and of begins to connect */
	/* for mappings: */
	uint64_t begin, end, offset;
	char *path; /* owned */
	char build_id[BUILD_ID_HEX_BYTES];
	bool has_build_id;
	uint64_t inode; /* 0: unknown */
};

struct map_events;

enum map_events_kinds {
	MAP_EVENTS_ALL,
	MAP_EVENTS_PROCESSES, /* no mappings; the descriptors are ready at each event */
};

/* Returns -errno if perf events are refused or missing. */
int map_events_open(enum map_events_kinds kinds, struct map_events **ret);
/* Adds the calls of all tasks that open, accept and connect, by the tracepoints in the folder
   `tracefs`, or in an instance. Returns 0, or -errno: there are none. */
int map_events_add_opens(struct map_events *events, const char *tracefs);
/* Whether such a call wakes the reader, as at first. It costs the calling task some us, as the
   kernel interrupts its CPU for that; otherwise the reader must look by itself. */
void map_events_wake_at_opens(struct map_events *events, bool wakes);
/* Waits until there are new events, wake_fd can be read, or `timeout` has passed; NULL: as long as
   it takes. `events` may be NULL. */
void map_events_wait(const struct map_events *events, int wake_fd, const struct timespec *timeout);
/*
 * Calls `on_event` for each new event, in order of time. Unless `is_last`, keeps the latest events
 * for the next call, as earlier ones may still arrive; without mappings, those that came during the
 * call. Returns whether it keeps any.
 */
bool map_events_read(struct map_events *events, bool is_last,
                     void (*on_event)(void *state, const struct map_event *event), void *state);
/* Accepts NULL; returns NULL. */
struct map_events *map_events_close(struct map_events *events);

/*
 * Parses a record of `size` bytes, header included; each record of this ABI ends with its time.
 * Returns false for other events and malformed ones.
 */
bool map_event_parse(const void *record, size_t size, struct map_event *ret);

/* A tracepoint of system calls, with a value as wide as a long. */
struct open_point {
	uint16_t number;
	enum map_event_kind kind;
	size_t value_at; /* in its data */
};

#define OPEN_POINTS_MAX 8

/* The same of a sample of one of these tracepoints. */
bool open_event_parse(const void *record, size_t size, const struct open_point *points,
                      size_t point_count, struct map_event *ret);

/*
 * Which processes are asked for: those that were put there, and the processes that these fork, as
 * the events of map_events.h show it. A set of their numbers.
 */

/* Takes the event in. Whether it is of an asked process. The number of an ended process may be
   given to another one. */
static inline bool asked_processes_follow(struct map *asked, const struct map_event *event)
{
	bool is_asked;

	if (event->kind != MAP_EVENT_FORK)
		return map_get(asked, (uint32_t)event->tgid) != MAP_NONE;
	is_asked = map_get(asked, (uint32_t)event->parent) != MAP_NONE;
	if (is_asked)
		map_put(asked, (uint32_t)event->tgid, 0);
	else
		(void)map_take(asked, (uint32_t)event->tgid);
	return is_asked;
}
