/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine for a source that does not end: as the pipeline (pipeline.h), but callers look at the
 * tasks while records come.
 *
 * Nothing in a machine or timeline is made to be forgotten: tracks, names and what trackers know
 * refer to each other by index. So a live run has generations. Once GENERATION_TRACKS_MAX tasks or
 * GENERATION_NAMES_MAX names were added to one, or it is GENERATION_AGE_NS old, another one begins:
 * with a machine of its own, which is given the tasks as they are then, as from a snapshot of
 * /proc, and from then on gets all events as well. After an overlap it has seen how present waits
 * began, and takes over; the old one is freed with all that it knew. Memory is bounded by that,
 * whatever grows, and no stale index can name a wrong task. It costs a second machine for the time
 * of the overlap.
 *
 *	generation 1  |---------------------|
 *	generation 2                 |------+-------------------|
 *	                             overlap  ^ answers from here on
 *
 * A wait that lasts longer than the overlap keeps its begin, and what was known of its cause.
 *
 * A caller that sums up periods names their length: on_period() then comes at its multiples since
 * the first record, after all events before that time and before all others, whatever the source
 * says how far it got. Of a long time without any event, the inner multiples are left out.
 * Tasks that have no event are then known only as far as in a recording that has ended.
 *
 * Order of calls: live_run_new(); live_run_read(), which returns at the source's end; meanwhile,
 * from the source's on_reached(): live_run_reach(), then any of the others, and live_run_renew() at
 * a time when the caller refers to no track; the same from on_period(); live_run_free().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/aim.h"
#include "ftwait/health.h"
#include "ftwait/source.h"
#include "graph/timeline/timeline.h"
#include "recording_remarks.h"
#include "state/core/machine.h"
#include "state/tasks/open_wait_tracker.h"

#define GENERATION_TRACKS_MAX 16384u
#define GENERATION_NAMES_MAX  65536u
#define GENERATION_AGE_NS     3600000000000u
#define OVERLAP_NS            5000000000u
#define CROWD_TIMES           3u

struct live_run;
struct live_handover;

/* A record that was used up: tasks are as after it. Borrowed for the call. */
struct live_record {
	const struct record *record;
	uint32_t cpu;
	const struct event *event; /* NULL: of a tracepoint that nothing reads, or it was not
	                              readable */
};

struct live_run_setup {
	struct source *source; /* borrowed; source/stream/live_source.h */
	size_t history_bytes;  /* of segments and causes that are kept; 0: none */
	/* Receives each span of the generation that answers, when it has ended. */
	void (*on_span)(void *state, const struct span *span);
	/* Receives each record, but for those of the buffer of stacks, in order of time. It may
	   call what on_reached() of the source may. NULL: none. */
	void (*on_record)(void *state, const struct live_record *record);
	/* As on_span, for intervals of these kinds; NULL: none. */
	void (*on_interval)(void *state, const struct interval *interval);
	uint32_t interval_kinds;
	/* 0: there are no periods, and on_period is NULL. Called at the end of each, and of a piece
	   of one, up to live_run_last(), where the history is full before that, or the run is
	   crowded. */
	nsec_t period;
	void (*on_period)(void *state);
	void *state;
	/* 0: as above */
	uint32_t tracks_max;
	nsec_t overlap;
};

struct live_run *live_run_new(const struct live_run_setup *setup);
struct live_run *live_run_free(struct live_run *run);
void live_run_read(struct live_run *run);
/* No event before `time` is still to come. Takes what the source's open_waits are then. */
void live_run_reach(struct live_run *run, nsec_t time);
/* No event is to come: emits what has not ended, as a report of the finished recording has it.
   After that the run is only looked at. */
void live_run_end(struct live_run *run);
bool live_run_has_ended(const struct live_run *run);
/* Begins another generation if it is time for one, or lets it take over: true; then tracks, names
   and causes are others than before. */
bool live_run_renew(struct live_run *run);
/* Whether memory is only bounded if live_run_renew() is called soon: CROWD_TIMES as many tasks
   began as a generation is to have. Periods end early for that. */
bool live_run_is_crowded(const struct live_run *run);

/* Time of the first record; NSEC_NEVER: none has come. */
nsec_t live_run_first(const struct live_run *run);
/* How far the run got: time of the last event, or what was reached; 0: no record yet. */
nsec_t live_run_last(const struct live_run *run);
/* Of the generation that answers. It has no tracks before the first record. */
struct timeline *live_run_timeline(struct live_run *run);
/* The machine of the generation that answers, to look at tasks as they are now, and at what the
   recorder saw of their waits (open_wait_tracker.h). */
struct machine *live_run_machine(const struct live_run *run);
/* The tasks as they are now, as a snapshot of /proc would show them; NULL: none are known yet. The
   caller frees it. */
struct live_handover *live_run_tasks(const struct live_run *run);
/* What the wait is for, by what the recorder saw of it while it lasts, or else by its cause; NULL:
   that is not known. */
struct brief_aim live_run_aim(const struct live_run *run, const struct span *span,
                              const struct cause_note *cause);

/* A wait, also of the time before the present generation. */
struct live_wait {
	nsec_t since;
	bool is_older; /* it began before the first record; `since` is the time of that record */
	uint8_t detail, timeout;        /* as in struct span */
	const struct cause_note *cause; /* that an earlier generation knew; NULL: none */
};
struct live_wait live_run_wait(const struct live_run *run, const struct span *span);
/* Shows what has not ended on the timeline, as machine_show_open() does; machine_hide_open() hides
   it again. */
void live_run_show_open(struct live_run *run, bool as_end);
/* Counts since the first record. */
struct live_run_counts {
	uint64_t events, lost, late, generations;
};
struct live_run_counts live_run_counts(const struct live_run *run);
/* What is known of the events so far. */
struct recording_remarks live_run_remarks(const struct live_run *run);
/* The health since the begin of the present generation. A caller of live_run_take_health() must not
   call this, too. The caller releases *ret. */
void live_run_health(const struct live_run *run, struct health *ret);
/* The health since the last call, or since the first record, but for the times of tasks; *ret is to
   be released. */
void live_run_take_health(struct live_run *run, struct health *ret);
