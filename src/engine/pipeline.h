/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source in, spans and health out: the one place that owns the order of things.
 *
 *	source -> merger -> decoder -> machine -> sinks (timeline, analyses)
 *
 * The first three may be in a thread of their own (read_ahead.h): what comes of it is the same.
 *
 * The pipeline pulls records at its own pace, feeds every event to the machine, tells it of losses,
 * and fills the health. It keeps nothing of its own that grows with the trace; the timeline does,
 * if it keeps segments.
 */
#pragma once

#include "ftwait/health.h"
#include "ftwait/source.h"
#include "graph/timeline.h"
#include "state/core/machine.h"
#include "user_frames.h"

struct pipeline {
	struct source *source;     /* borrowed */
	bool reads_ahead;          /* with a second thread, if there can be one */
	struct timeline *timeline; /* borrowed; gets lines, and spans if it keeps segments */
	struct health *health;     /* borrowed */
	struct user_frames *users; /* borrowed; NULL: functions of programs have no names */
	const struct span_sink *sinks; /* told of every span after the timeline; borrowed */
	size_t sink_count;
	const struct interval_sink *interval_sinks; /* borrowed */
	size_t interval_sink_count;
	/* The timeline is full, and shows what has not ended: the older half is forgotten next.
	   NULL where it has no limit. */
	void (*on_full)(void *state);
	void *full_state;
	/* Called every so often (about each quarter of a million events), for progress and for
	   stopping: false ends the reading as if the trace ended there. NULL: none. */
	bool (*on_progress)(void *state, uint64_t events);
	void *progress_state;
	/* Told of each event that the machine is, after it, and of losses. NULL: nobody. */
	void (*on_event)(void *state, const struct event *event);
	void (*on_gap)(void *state, const struct health_gap *gap);
	void *event_state;
};

struct pipeline_kinds {
	struct event_kinds recorded; /* they were, or may have been, as far as the trace says */
	struct event_kinds seen;      /* there were some */
};

/* Runs to the end of the trace. */
struct pipeline_kinds pipeline_run(const struct pipeline *pipeline);
