/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A way to write a whole recording in the form of another tool, while it is read: nothing is kept
 * that grows with the trace. Other than a presenter, which shows what analyses answer, an exporter
 * takes events, waits and intervals themselves.
 *
 * Order of calls: begin; then, once the first event is there, the window, and events, gaps, waits
 * and intervals as they come: events in order of time, waits and intervals when they end, so that
 * their begin may be long ago; then the path, if one is asked for; then end. Of a recording without
 * events only begin and end are called. Writes go to `out`; write errors are seen by the caller
 * through ferror(). Everything handed over is borrowed for the call.
 *
 * Of what reaches out of the window only that is to be written which lies in it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event.h"
#include "health.h"
#include "nsec.h"
#include "source.h"

struct interval;
struct part;
struct span;
struct timeline;

/* What is exported; valid until end. */
struct export_trace {
	const struct source *source;     /* what the trace says of itself, and of its tasks */
	const struct timeline *timeline; /* lines and names, no history */
};

struct exporter {
	const char *name;        /* as in --format */
	uint32_t interval_kinds; /* those that it wants: INTERVAL_MASK()s */
	void *(*begin)(FILE *out, const struct export_trace *trace);
	/* From where to where is exported: the whole trace, or a window; NSEC_NEVER: to its end. */
	void (*on_window)(void *state, nsec_t begin, nsec_t end);
	/* Those before the window, too: they tell what was at its begin. None after it. */
	void (*on_event)(void *state, const struct event *event);
	void (*on_gap)(void *state, const struct health_gap *gap);
	/* What a task was in, until just now: before the event that ended it. Of the window, as a
	   whole. */
	void (*on_span)(void *state, const struct span *span);
	/* A wait or a stop that is asked for, after its span. */
	void (*on_wait)(void *state, const struct span *span);
	/* Those before the window, too, as of events. */
	void (*on_interval)(void *state, const struct interval *interval);
	/* The critical path of a task, if one is asked for: its parts follow, in order of time. */
	void (*on_path)(void *state, uint32_t line);
	void (*on_part)(void *state, const struct part *part);
	/* The trace has ended, at that time. */
	void (*end)(void *state, nsec_t time);
};

/* NULL-ended; the only list of exporters. */
extern const struct exporter *const exporters[];
/* NULL where there is none of that name. */
const struct exporter *exporter_find(const char *name);
