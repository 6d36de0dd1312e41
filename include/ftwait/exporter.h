/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a whole recording in another tool's format while it is read; keeps nothing that grows with
 * the trace. Unlike a presenter, which shows the answers of analyses, an exporter gets the events,
 * waits and intervals themselves.
 *
 * Order of calls: begin; once the first event is known, the window; events, gaps, waits and
 * intervals as they come: events in order of time, waits and intervals when they end, so that they
 * may have begun long ago; then the path, if one was requested; then end. For a recording without
 * events only begin and end are called. Writes go to `out`; the caller finds write errors by
 * ferror(). Everything passed in is borrowed for the call.
 *
 * Of whatever extends beyond the window, the exporter writes only the part inside.
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
	const struct source *source;     /* what the trace says about itself and its tasks */
	const struct timeline *timeline; /* tracks and names, no history */
};

struct exporter {
	const char *name;        /* as in --format */
	uint32_t interval_kinds; /* those it wants: INTERVAL_MASK()s */
	void *(*begin)(FILE *out, const struct export_trace *trace);
	/* The exported stretch: the whole trace, or a window; end is NSEC_NEVER: to the trace's
	   end. */
	void (*on_window)(void *state, nsec_t begin, nsec_t end);
	/* Includes events before the window, which give the state at its begin. None after it. */
	void (*on_event)(void *state, const struct event *event);
	void (*on_gap)(void *state, const struct health_gap *gap);
	/* A span of a task has ended; called before the event that ends it. Only spans that touch
	   the window, uncut. */
	void (*on_span)(void *state, const struct span *span);
	/* A wait or a stop, if requested, after its span. */
	void (*on_wait)(void *state, const struct span *span);
	/* Includes intervals before the window, as on_event does. */
	void (*on_interval)(void *state, const struct interval *interval);
	/* The critical path of a task, if requested: its parts follow, in order of time. */
	void (*on_path)(void *state, uint32_t track);
	void (*on_part)(void *state, const struct part *part);
	/* The trace ends at that time. */
	void (*end)(void *state, nsec_t time);
};

/* NULL-ended; the only list of exporters. */
extern const struct exporter *const exporters[];
/* The exporter of that name; NULL: there is none. */
const struct exporter *exporter_find(const char *name);
