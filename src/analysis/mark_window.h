/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window of --from MARK, --to MARK, from the trace's marks as they come: the trace is read
 * once, so pipes work, too. Until the mark of --from comes, views keep everything that a window
 * may need; afterwards they drop what lies before it.
 *
 * A MARK is a mark's text, or a glob that matches it. For --from it is the first one in the trace;
 * for --to the first one after that, or at or after the time that --from names.
 *
 * Order of calls: init, take every INTERVAL_MARK, resolve once, before the question is resolved,
 * has_answers, release.
 */
#pragma once

#include "analysis.h"
#include "base/intern.h"

struct mark_window {
	struct question *question; /* borrowed; its from and to become those of the marks */
	struct intern names;       /* of the first marks, to suggest one for a mistyped MARK */
	bool has_from, has_to;     /* that mark was found */
	/* Candidates for --to: which one it is depends on a time of --from. */
	nsec_t *end;
	size_t end_count, end_capacity;
};

void mark_window_init(struct mark_window *window, struct question *question);
void mark_window_release(struct mark_window *window);
/* Whether a mark is asked for. */
bool mark_window_is_asked(const struct mark_window *window);
void mark_window_take(void *window, const struct interval *interval);
void mark_window_resolve(struct mark_window *window);
/* Whether the marks were found; else a phrase in `why`. */
bool mark_window_has_answers(const struct mark_window *window, struct buffer *why);
