/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a source into spans and health: the only place that determines the order of the steps.
 *
 *	source -> merger -> decoder -> machine -> sinks (timeline, analyses)
 *
 * The source, merger and decoder may run in a thread of their own (read_ahead.h); the result is the
 * same.
 *
 * A source that joins several machines has one decoder and one machine for each of them, and all
 * add to one timeline:
 *
 *	source -> merger -> decoder 0 -> machine 0 -.
 *	                 \> decoder 1 -> machine 1 --> sinks
 *
 * What is known of packets between them comes with `messages`.
 *
 * The pipeline pulls records at its own pace, feeds every event and loss to the machine, and fills
 * in the health. Its own memory does not grow with the trace; the timeline's does, if it keeps
 * segments.
 */
#pragma once

#include "decode/symbols.h"
#include "ftwait/health.h"
#include "ftwait/host.h"
#include "ftwait/source.h"
#include "graph/timeline/timeline.h"
#include "state/core/machine.h"
#include "user_frames.h"

struct pipeline {
	struct source *source;     /* borrowed */
	bool reads_ahead;          /* use a second thread, if possible */
	struct timeline *timeline; /* borrowed; it receives the tracks, and the spans if it keeps
	                              segments */
	struct health *health;     /* borrowed */
	/* borrowed; one for each machine of the source; NULL: functions of programs are not
	   named */
	struct user_frames *const *users;
	/* Symbols of the kernel, if there is one machine; borrowed. NULL: the source's. */
	const struct symbol_text *kernel;
	const struct host_messages *messages; /* borrowed; NULL: none are known */
	const struct span_sink *sinks; /* called for every span after the timeline; borrowed */
	size_t sink_count;
	const struct interval_sink *interval_sinks; /* borrowed */
	size_t interval_sink_count;
	/*
	 * Called when the timeline is full, before the older half is forgotten; meanwhile the
	 * timeline contains the segments that are still open, too. NULL: the timeline has no limit.
	 */
	void (*on_full)(void *state);
	void *full_state;
	/* Called for each step in which a cause comes about (struct machine_setup). NULL: none. */
	void (*on_step)(void *state, const struct cause_step *step);
	void *step_state;
	/* Called about every 250,000 events, to show progress and to allow stopping: if it returns
	   false, the reading ends as if the trace ended there. NULL: not called. */
	bool (*on_progress)(void *state, uint64_t events);
	void *progress_state;
	/* Called for each event after the machine has taken it, and for losses. NULL: none. */
	void (*on_event)(void *state, const struct event *event);
	void (*on_gap)(void *state, const struct health_gap *gap);
	void *event_state;
};

struct pipeline_kinds {
	struct event_kinds recorded; /* kinds that were or may have been recorded, according to
	                                the trace */
	struct event_kinds seen;      /* kinds that occurred */
};

/* Reads to the end of the trace. */
struct pipeline_kinds pipeline_run(const struct pipeline *pipeline);
