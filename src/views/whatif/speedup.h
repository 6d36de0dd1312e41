/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A spec in terms of a recording: which stretches of which tracks it makes shorter. A lock is
 * changed by what its owners do while others wait for it: that is what others wait for.
 */
#pragma once

#include "analysis/analysis.h"
#include "contentions.h"
#include "graph/timeline/timeline.h"
#include "what_if_spec.h"

/* What a sleep that the task's own timer ended was. */
enum own_sleep {
	OWN_SLEEP_NONE,  /* no such sleep */
	OWN_SLEEP,       /* as long as the task asked for: this one can be imagined shorter */
	OWN_SLEEP_POLLS, /* the task looked again and again whether something had happened */
	OWN_SLEEP_UNTIL, /* until an instant: it ends when it ends */
	OWN_SLEEP_NET,   /* for an answer */
	OWN_SLEEP_LIMIT, /* the time limit of a wait for something else */
	OWN_SLEEP_KINDS,
};

enum own_sleep own_sleep_of(const struct timeline *timeline, uint32_t track, size_t at);
/* Whether the track slept again and again until another one had ended. */
bool track_polls(const struct timeline *timeline, uint32_t track);

/* A stretch of a track, or of a CPU, in which what runs is changed. */
struct changed_stretch {
	uint32_t of; /* track; of a running task's stretches: its CPU */
	nsec_t begin, end;
};

struct speedup {
	const struct what_if_spec *spec;
	struct timeline *timeline;
	bool *is_named; /* by track: at some time; NULL: the spec names no tasks */
	bool *polls; /* by track, of timers */
	/* of locks: when tracks have them; of tasks: when they have which CPU. In order, disjoint
	   for each. */
	struct changed_stretch *stretch;
	size_t stretch_count, stretch_capacity;
	nsec_t by_sleep[OWN_SLEEP_KINDS]; /* of timers: time in such sleeps */
	bool is_there;   /* the spec names something of the recording */
	const char *refused; /* why nothing can be said; NULL: something can */
};

void speedup_init(struct speedup *speedup, const struct what_if_spec *spec,
                 const struct question *question, const struct contentions *contentions);
void speedup_release(struct speedup *speedup);
/* The part of the track's [begin, end) that is changed, if it runs there, or is inside a lock. */
nsec_t speedup_within(const struct speedup *speedup, uint32_t track, nsec_t begin, nsec_t end);
/* Whether the whole wait is. */
bool speedup_takes_wait(const struct speedup *speedup, uint32_t track, size_t at);
/* For how long of [begin, end) a changed task had the CPU for which the track of that segment
   queued. */
nsec_t speedup_had_cpu(const struct speedup *speedup, uint16_t cpu, nsec_t begin, nsec_t end);
