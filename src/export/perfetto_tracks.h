/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks of slices: each is described when it is first written to. Slices of one track come in
 * order of time; none extends beyond the end of one that it began in.
 */
#pragma once

#include "graph/timeline.h"
#include "perfetto_file.h"

/* The kind of a track; together with its number it makes a uuid. */
enum track_kind {
	TRACK_OF_THREAD = 1, /* number: line */
	TRACK_WAITS,         /* below the thread's: its waits */
	TRACK_WAKEUPS,       /* and its wake-ups, as waker and as wakee */
	TRACK_RECORDING,     /* begin and end of the trace, and where events were lost */
	TRACK_PATH,          /* a critical path */
	TRACK_LOCKS,         /* below the thread's: locks that it contends for */
	TRACK_RUNNABLE,      /* counter: runnable tasks */
	TRACK_IN_FLIGHT,     /* counter: requests of the device `number` */
	TRACK_KIND_COUNT,
	TRACK_OBJECTS = 0x40, /* plus the kind of interval */
};

struct perfetto_tracks {
	struct perfetto_file *file;      /* borrowed */
	const struct timeline *timeline; /* borrowed */
	struct map described;            /* uuids of described tracks */
	nsec_t begin, end;               /* of the exported window; set before anything is
	                                    written */
};

void perfetto_tracks_init(struct perfetto_tracks *tracks, struct perfetto_file *file,
                          const struct timeline *timeline);
void perfetto_tracks_release(struct perfetto_tracks *tracks);
/* The uuid of a track of its own. */
uint64_t perfetto_track(struct perfetto_tracks *tracks, enum track_kind kind, uint64_t number,
                        const char *name);
/* The uuid of a track of numbers of its own. */
uint64_t perfetto_counter(struct perfetto_tracks *tracks, enum track_kind kind, uint64_t number,
                          const char *name);
void perfetto_counter_put(struct perfetto_file *file, nsec_t time, uint64_t track, uint64_t value);
/* The uuid of a track below that of a thread: TRACK_WAITS, TRACK_WAKEUPS, TRACK_LOCKS. */
uint64_t perfetto_line_track(struct perfetto_tracks *tracks, enum track_kind kind, uint32_t line);

/* A packet with an event TYPE_*, to be filled and then ended by perfetto_slice_end(). */
struct proto_writer *perfetto_slice_begin(struct perfetto_file *file, nsec_t time,
                                          uint64_t track, unsigned type);
void perfetto_slice_end(struct perfetto_file *file);
void perfetto_slice_name(struct perfetto_file *file, const char *category, const char *name);
/* Until perfetto_slice_group_end() all annotations belong to that group: "cause" of
   "cause.kind". */
void perfetto_slice_group(struct perfetto_file *file, const char *key);
void perfetto_slice_group_end(struct perfetto_file *file);
void perfetto_slice_string(struct perfetto_file *file, const char *key, const char *value);
void perfetto_slice_number(struct perfetto_file *file, const char *key, int64_t value);
/* Cuts a stretch to the exported window; false if nothing is left. */
bool perfetto_cut(const struct perfetto_tracks *tracks, nsec_t *begin, nsec_t *end);
/* For a slice: how much of its stretch is cut off, if anything is. */
void perfetto_slice_cut(const struct perfetto_tracks *tracks, nsec_t begin, nsec_t end);
/* The end of the track's innermost slice. */
void perfetto_slice_close(struct perfetto_file *file, nsec_t time, uint64_t track);
