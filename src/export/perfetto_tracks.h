/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracks of slices. A track is described when it is first written to. Slices of one track come in
   order of time; a slice that begins inside another one ends inside it, too. */
#pragma once

#include "graph/timeline/timeline.h"
#include "perfetto_file.h"

/* The kind of a track; the kind and number of a track make its uuid. */
enum track_kind {
	TRACK_OF_THREAD = 1, /* number: task_track */
	TRACK_WAITS,         /* below the thread's track: its waits */
	TRACK_WAKEUPS,       /* below the thread's track: its wake-ups, as waker and as wakee */
	TRACK_RECORDING,     /* begin and end of a machine's recording; number: the machine */
	TRACK_PATH,          /* a critical path */
	TRACK_LOCKS,         /* below the thread's track: locks that it contends for */
	TRACK_RUNNABLE,      /* counter: runnable tasks; number: the machine */
	TRACK_IN_FLIGHT,     /* counter: requests of the device `number` */
	TRACK_TRIGGER,       /* when the flight recorder's trigger fired */
	TRACK_MESSAGES,      /* ends of arrows between machines; number: the machine */
	TRACK_KIND_COUNT,
	TRACK_OBJECTS = 0x40, /* plus the kind of interval */
};

struct perfetto_tracks {
	struct perfetto_file *file;      /* one for each machine; borrowed */
	const struct timeline *timeline; /* borrowed */
	struct map described;            /* uuids of described tracks */
	nsec_t begin, end;               /* the exported window; set before anything is written */
};

void perfetto_tracks_init(struct perfetto_tracks *tracks, struct perfetto_file *file,
                          const struct timeline *timeline);
void perfetto_tracks_release(struct perfetto_tracks *tracks);
/* The file that writes what belongs to a task. */
static inline struct perfetto_file *perfetto_task_file(const struct perfetto_tracks *tracks,
                                                       uint32_t task_track)
{
	return &tracks->file[tracks->timeline->track[task_track].host];
}

/* " of db", which distinguishes the tracks of that machine; "" with one machine. */
#define PERFETTO_OF_BYTES 300
const char *perfetto_of(const struct perfetto_tracks *tracks, uint32_t host,
                        char to[static PERFETTO_OF_BYTES]);
/* In a buffer that lives as long as the block around it. */
#define PERFETTO_OF(tracks, host) \
	perfetto_of((tracks), (host), (char[PERFETTO_OF_BYTES]){0})

/* The uuid of a track that is below no other track; its slices are written to the same file. No two
   machines have tracks of the same kind and number. */
uint64_t perfetto_track(struct perfetto_tracks *tracks, struct perfetto_file *file,
                        enum track_kind kind, uint64_t number, const char *name);
/* The uuid of a counter's track, which is below no other track. */
uint64_t perfetto_counter(struct perfetto_tracks *tracks, struct perfetto_file *file,
                          enum track_kind kind, uint64_t number, const char *name);
void perfetto_counter_put(struct perfetto_file *file, nsec_t time, uint64_t uuid, uint64_t value);
/* The uuid of a track below a thread's track, in its task's file: TRACK_WAITS, TRACK_WAKEUPS,
   TRACK_LOCKS. */
uint64_t perfetto_task_track(struct perfetto_tracks *tracks, enum track_kind kind,
                             uint32_t task_track);

/* Begins a packet with an event TYPE_*; fill it in, then call perfetto_slice_end(). */
struct proto_writer *perfetto_slice_begin(struct perfetto_file *file, nsec_t time,
                                          uint64_t uuid, unsigned type);
void perfetto_slice_end(struct perfetto_file *file);
void perfetto_slice_name(struct perfetto_file *file, const char *category, const char *name);
/* Begins a group, such as "cause" in "cause.kind": all annotations up to perfetto_slice_group_end()
   belong to it. */
void perfetto_slice_group(struct perfetto_file *file, const char *key);
void perfetto_slice_group_end(struct perfetto_file *file);
void perfetto_slice_string(struct perfetto_file *file, const char *key, const char *value);
/* "aim.kind" and "aim.name", by the cause of a wait of that track; nothing if that does not show
   it. NULL: there is none. */
void perfetto_slice_aim(struct perfetto_file *file, const struct timeline *timeline,
                        uint32_t track, const struct cause_note *cause);
void perfetto_slice_number(struct perfetto_file *file, const char *key, int64_t value);
/* Annotates with the task's machine, if there are several. */
void perfetto_slice_machine(struct perfetto_file *file, const struct task *task);
/* The same with its tid and name before. */
void perfetto_slice_task(struct perfetto_file *file, const struct task *task);
/* Cuts a stretch to the exported window; false if nothing is left. */
bool perfetto_cut(const struct perfetto_tracks *tracks, nsec_t *begin, nsec_t *end);
/* Annotates the slice with how much of its stretch is cut off, if any. */
void perfetto_slice_cut(const struct perfetto_tracks *tracks, struct perfetto_file *file,
                        nsec_t begin, nsec_t end);
/* Writes the end of the track's innermost slice. */
void perfetto_slice_close(struct perfetto_file *file, nsec_t time, uint64_t uuid);
