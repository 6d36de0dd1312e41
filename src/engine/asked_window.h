/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ends of the window that need the trace to become times: times of day, and marks.
 *
 * The window of --from MARK and --to MARK is found among the trace's marks while the trace is read:
 * it is read only once, so a pipe will do. Until the mark of --from comes, views keep everything
 * that a window may need; afterwards they drop what lies before the mark.
 *
 * A MARK is a mark's text, or a glob that matches it. For --from the first such mark in the trace
 * counts; for --to the first one after the mark of --from, or at or after the time that --from
 * gives.
 *
 * Order of calls: init, take every INTERVAL_MARK, resolve once, before the question is resolved,
 * has_answers, release.
 */
#pragma once

#include "analysis/analysis.h"
#include "base/data/intern.h"

/*
 * The window of --from HH:MM:SS and --to HH:MM:SS. Without a date, that of --from is the first such
 * time of the recording, and that of --to the first one after the window's begin; if the recording
 * has none, it is the one that is nearest to it, which may lie before its begin or after its end.
 *
 * Sets `from` and `to` of the question where it asks for times of day, unless that was done before.
 * The begin of the trace must be known; before its end is known, that of the recording counts, as
 * the recorder noted it.
 */
void day_window_resolve(struct question *question);

struct mark_window {
	struct question *question; /* borrowed; its `from` and `to` become the times of the marks */
	struct intern names;       /* texts of the first marks, to suggest one for a mistyped
	                              MARK */
	bool has_from, has_to;     /* the mark was found */
	/* Times of the marks that match --to while the time of --from is not resolved: that decides
	   which of them counts. */
	nsec_t *end;
	size_t end_count, end_capacity;
};

void mark_window_init(struct mark_window *window, struct question *question);
void mark_window_release(struct mark_window *window);
/* Whether a mark is asked for. */
bool mark_window_is_asked(const struct mark_window *window);
void mark_window_take(void *window, const struct interval *interval);
void mark_window_resolve(struct mark_window *window);
/* Whether the marks were found; if not, appends a phrase to `why`. */
bool mark_window_has_answers(const struct mark_window *window, struct buffer *why);
