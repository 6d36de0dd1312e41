/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far the trace can be believed. One struct travels from the source to the report; every layer
 * adds to it and only presenters print it. A report without it is incomplete.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nsec.h"

#define HEALTH_NOTES_MAX 48
#define HEALTH_GAPS_MAX  4096 /* later gaps are only counted in events_lost and gaps_unlisted */

struct health_gap {
	unsigned cpu;
	uint64_t events; /* LOST_UNCOUNTED: not known */
	nsec_t begin;    /* last event before; begin of the trace if there is none */
	nsec_t end;      /* first event after; end of the trace if there is none */
};

struct health {
	uint64_t events;          /* read, all buffers */
	uint64_t events_lost;     /* as far as counted */
	struct health_gap *gaps;  /* in order of begin, as found */
	size_t gap_count;
	uint64_t gaps_unlisted;
	uint64_t undecoded_events;   /* of an id without format, or shorter than their format */
	uint64_t late_events;        /* time went backwards within one CPU's buffer */
	uint64_t wakes_spurious;     /* of a task that was not waiting: self, duplicate, no wait */
	uint64_t waits_without_waker;
	uint64_t context_resyncs;    /* the exit of an interrupt was not seen */
	uint64_t inconsistencies;    /* impossible transitions, repaired */
	uint64_t switches_missing;   /* from idle, not recorded; inferred from a sign of idle */
	uint64_t objects_forgotten;  /* dropped alive, to keep a limit; notes say of which kind */
	uint64_t idle_with_runnable; /* CPUs went idle though a task seemed able to run there */
	uint64_t depth_truncations;
	uint64_t open_waits;
	nsec_t unknown_ns;
	/* The time of all tasks but the idle ones; the part of it that is explained: what the task
	   did is known and, for a wait that ended, what ended it; and the time before a task's
	   first event, of which nothing is known. */
	nsec_t task_ns, explained_ns, unseen_ns;
	/* The same for the requested tasks, if the summary is of some. */
	nsec_t asked_ns, asked_explained_ns;
	bool has_steal;              /* whether the next is known */
	nsec_t steal_ns;             /* CPU time that the host of a virtual machine took */
	uint64_t parts_by_confidence[3]; /* by enum confidence; parts of paths that are waits */
	bool input_damaged;
	char *notes[HEALTH_NOTES_MAX]; /* owned */
	size_t note_count;
};

void health_release(struct health *health);
/* A deep copy, to be released as well. */
void health_copy(struct health *to, const struct health *from);
/* Adds a line of text, once: the same text again changes nothing. Silent beyond the maximum. */
void health_note(struct health *health, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void health_gap_add(struct health *health, const struct health_gap *gap);
/* True where --strict must fail: events were lost or the input was damaged. */
bool health_is_impaired(const struct health *health);
