/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cycles of a periodic task. A cycle begins at the time for which the task had set a timer, and
 * finishes when the task begins to sleep until the next one:
 *
 *	       begin  woken                          finish            begin
 *	task  ---|------|--RUN--|RUNNABLE|RUN|WAIT|RUN|------ WAIT ------|---
 *	          timer  `- - - - the cycle's work - -'
 *
 * If a cycle is too long, the next one begins before it finishes: then the task sets a timer for a
 * time that is over, at `since`.
 *
 * With a period, a timer that expires in the first half of it does not begin a cycle: the task
 * slept for a moment within its work. Of a task without timers of its own each wake-up begins a
 * cycle, if a period is given.
 */
#pragma once

#include "analysis/analysis.h"

struct cycle {
	nsec_t begin;
	nsec_t since;  /* begin, or when the timer was armed, if that was later */
	nsec_t woken;
	nsec_t finish; /* is_open: the end of the trace */
	bool is_open;  /* the trace ends in it */
};

/* A timer that a task had set has expired: as in struct expiry_interval. */
struct cycle_start {
	uint32_t track;
	bool has_slept;
	nsec_t begin, armed, woken;
};

struct cycle_starts {
	struct cycle_start *start; /* once sorted: by track, then in order of time */
	size_t count, capacity;
};

/* Takes INTERVAL_EXPIRY. */
void cycle_starts_add(struct cycle_starts *starts, const struct interval *interval);
void cycle_starts_sort(struct cycle_starts *starts);
void cycle_starts_release(struct cycle_starts *starts);
/* Whether a timer begins the track's cycles. */
bool cycle_starts_have(const struct cycle_starts *starts, uint32_t track);
/*
 * Calls back for each cycle of the track that began in the window, in order of time; period 0: none
 * is given. The last cycle, which the end of the trace cuts, comes only if it is longer than the
 * period by then.
 */
void cycles_visit(const struct cycle_starts *starts, const struct question *question,
                  uint32_t track, nsec_t period,
                  void (*visit)(void *state, uint32_t track, const struct cycle *cycle),
                  void *state);
