/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the timeline knows of a task beside its segments: what it wanted (track_log.h), which
 * control groups it was in (process_log.h), which tasks had its place before and after it, and
 * which machine it ran on.
 */
#pragma once

#include "base/assume.h"
#include "base/text/format.h"
#include "timeline.h"

/* Adds to the track's aim_log, if history is kept. `cause` says what it was for; NULL: `aim->cause`
   does, or nothing. An aim that overlaps the one before is dropped: the trackers that noted them
   saw the task want two things at once. */
void timeline_add_aim(struct timeline *timeline, uint32_t track, const struct aim_note *aim,
                      const struct cause_note *cause);
/* The note of the track's log that has [begin, end) in it; NULL: none. Notes of requests count only
   if the answer has come: until then it is not known that what a task has sent is one. O(log n),
   O(1) if the last search found the same one or the one before. */
const struct aim_note *timeline_aim_note(const struct timeline *timeline, uint32_t track,
                                         nsec_t begin, nsec_t end);
/* It turns out that until then the track had nothing to do in the waits with which its history
   began, as far as threads of its own process ended them. */
void timeline_begin_idle(struct timeline *timeline, uint32_t track, nsec_t until);

/* Whether the task was at any time in a control group that any of the globs matches. */
bool timeline_was_in_group(const struct timeline *timeline, uint32_t track,
                           const char *const *globs, size_t count);

/*
 * A thread that executes a program takes its leader's place: the tid, and as in the kernel the
 * parent and the birth. It remains the same task, and its process the same process. Which track
 * had, or has, the place of this one in its process at that time: itself, or a leader before it, or
 * a thread that executed a program since. NSEC_NEVER: the last one.
 */
uint32_t timeline_leader_at(const struct timeline *timeline, uint32_t track, nsec_t t);
/* `track` executes a program and takes the place of `leader`. */
void timeline_succeed(struct timeline *timeline, uint32_t track, uint32_t leader);

/* The track of the process that the thread belongs to, as far as its creation was seen: that of the
   thread which was forked. */
static inline uint32_t timeline_process(const struct timeline *timeline, uint32_t track)
{
	uint32_t creator = track_known_parent(&timeline->track[track]);

	while (creator != TRACK_NONE && creator != track &&
	       timeline_is_one_process(timeline, creator, track)) {
		track = creator;
		creator = track_known_parent(&timeline->track[track]);
	}
	return track;
}

/* The process of the thread, if it is a child of the track's process; TRACK_NONE: it is none, or
   not known to be one. */
static inline uint32_t timeline_child_of(const struct timeline *timeline, uint32_t thread,
                                         uint32_t track)
{
	uint32_t child = timeline_process(timeline, thread);

	return !timeline_is_one_process(timeline, child, track) &&
	                       timeline_is_one_process(timeline, track, track_known_parent(
	                                                       &timeline->track[child]))
	               ? child
	               : TRACK_NONE;
}

/* Which track created this one, and when; as far as seen. */
static inline uint32_t track_creator(const struct track *track)
{
	return track->succession.former == TRACK_NONE ? track->parent : track->succession.creator;
}

static inline nsec_t track_created(const struct track *track)
{
	return track->succession.former == TRACK_NONE ? track->born : track->succession.created;
}

/* What belongs to which machine, on a timeline of several (ftwait/host.h). With one machine names
   and texts are without it. */

/* When the recording of that machine begins. */
static inline nsec_t timeline_machine_begin(const struct timeline *timeline, uint32_t machine)
{
	ASSUME(machine < timeline->hosts.count || !timeline->hosts.count);
	return timeline->hosts.count ? timeline->hosts.host[machine].begin : timeline->begin;
}

/* When the recording of the task's machine begins and ends. */
static inline nsec_t timeline_begin_of(const struct timeline *timeline, const struct track *track)
{
	return timeline_machine_begin(timeline, track->host);
}

static inline nsec_t timeline_end_of(const struct timeline *timeline, const struct track *track)
{
	ASSUME(track->host < timeline->hosts.count || !timeline->hosts.count);
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
