/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far the trace can be believed. One struct travels from the source to the report; every layer
 * adds to it and only presenters print it. A report without it is incomplete.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "nsec.h"

#define HEALTH_NOTES_MAX 48
#define HEALTH_GAPS_MAX  4096 /* later gaps are only counted in events_lost and gaps_unlisted */

struct health_gap {
	unsigned cpu;    /* numbered through all machines */
	uint64_t events; /* LOST_UNCOUNTED: not known */
	nsec_t begin;    /* last event before the gap; begin of the trace if there is none */
	nsec_t end;      /* first event after the gap; end of the trace if there is none */
};

struct health {
	uint64_t events;          /* read, all buffers */
	uint64_t events_lost;     /* as far as counted */
	struct hosts hosts;       /* that the CPUs of gaps are of */
	struct health_gap *gaps;  /* in order of begin, as found */
	size_t gap_count;
	uint64_t gaps_unlisted;
	/* CPUs that have no event although tasks were there, numbered through all machines: they
	   were not recorded */
	uint32_t *unrecorded_cpus;
	size_t unrecorded_count;
	uint64_t undecoded_events;   /* their id has no format, or they are shorter than their
	                                format */
	uint64_t late_events;        /* time went backwards within one CPU's buffer */
	uint64_t wakes_spurious;     /* of a task that was not waiting: self, duplicate, no wait */
	uint64_t waits_without_waker;
	uint64_t context_resyncs;    /* the exit of an interrupt was not seen */
	uint64_t inconsistencies;    /* impossible transitions, repaired */
	uint64_t switches_missing;   /* switches away from idle that were not recorded, but
	                                inferred */
	uint64_t objects_forgotten;  /* objects dropped before their end, to keep a limit; the notes
	                                say which kinds */
	uint64_t idle_with_runnable; /* CPUs went idle though a task seemed able to run there */
	uint64_t depth_truncations;
	uint64_t open_waits;
	nsec_t unknown_ns;
	/* task_ns: the time of all tasks except the idle tasks. explained_ns: the part of it in
	   which it is known what the task did and, for a wait that ended, what ended it. unseen_ns:
	   the part of it before a task's first event, of which nothing is known. */
	nsec_t task_ns, explained_ns, unseen_ns;
	/* The same two of the asked tasks in the window; 0: all time of all tasks is asked for, or
	   these are not known. */
	nsec_t asked_ns, asked_explained_ns;
	/* suspends: how often tasks were frozen for system suspend; sleeps: how often the machine
	   then slept. frozen_ns: total time from the begin of freezing until all tasks were thawed;
	   asleep_ns: the part of it in which the machine slept, if the trace clock counts that. */
	uint64_t suspends, sleeps;
	nsec_t frozen_ns, asleep_ns;
	bool has_steal;              /* whether steal_ns is known */
	nsec_t steal_ns;             /* CPU time that the host of a virtual machine took */
	/* By cpu.stat, how long the noted CPU limits held tasks back, and how much of that is
	   placed on the timeline, of each CPU once. If the recording was made for some tasks, only
	   limits that these were seen under count. */
	nsec_t limits_counted_ns, limits_placed_ns;
	uint64_t parts_by_confidence[3]; /* parts of paths that are waits, by enum confidence */
	bool input_damaged;
	char *notes[HEALTH_NOTES_MAX]; /* owned */
	uint64_t doubts; /* mask of the notes that health_doubt() added */
	size_t note_count;
};

_Static_assert(HEALTH_NOTES_MAX <= 64, "a bit for each note");

void health_release(struct health *health);
/* A deep copy, to be released as well. */
void health_copy(struct health *to, const struct health *from);
/* Adds the counts and times of another recording, for a report of several; its gaps and notes are
   left out. */
void health_add(struct health *sum, const struct health *more);
/* Adds what another machine's part of the recording shows, but for its notes. */
void health_join(struct health *sum, const struct health *more);
/* Adds a line of text, once: the same text again changes nothing. Silent beyond the maximum. */
void health_note(struct health *health, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same for a note that the answer may be wrong, or is not all that was asked for. */
void health_doubt(struct health *health, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void health_gap_add(struct health *health, const struct health_gap *gap);
void health_unrecorded_add(struct health *health, uint32_t cpu);
/* True where --strict must fail: events were lost or the input was damaged. */
bool health_is_impaired(const struct health *health);
/* Whether events_lost is the number of lost events or a part of it; false: it is 0, but some may be
   missing. No output calls that "no events lost". */
bool health_has_lost_count(const struct health *health);
/* True where nothing but doubts need be said: nothing was lost or damaged, all CPUs were recorded,
   and nearly all of the asked tasks' time is explained. */
bool health_is_sound(const struct health *health);
