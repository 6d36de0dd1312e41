/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of `ftwait top`: reads a stream while it is written, and shows each interval. The caller
 * fills in the members up to `recorder`, of a struct that is otherwise 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "cmd/live_reading.h"
#include "cmd/record/recorder_process.h"
#include "engine/live_run.h"
#include "ftwait/source.h"
#include "live/top_pace.h"
#include "live/top_screen.h"
#include "live/top_sums.h"
#include "top_tail.h"
#include "top_browser.h"
#include "top_ring.h"

/*
 * The screen of `ftwait top` on the terminal: draws when something has changed, and reads keys.
 *
 * Order of calls: top_display_new(); top_display_begin(), when there is something to draw; any of
 * the others; top_display_end(). Before its begin a display is not drawn and has no keys.
 */

struct top_display;

enum top_form {
	TOP_SCREEN, /* of a terminal; else blocks of text */
	TOP_TEXT,
	TOP_JSON,
};

struct top_session {
	struct top_wanted wanted;
	struct top_pace pace;
	nsec_t interval_min; /* the least that the user may make of it */
	uint64_t count;      /* of intervals; 0: no limit */
	unsigned row_limit;  /* of text and JSON; 0: none */
	enum top_by by;
	enum top_sort sort;
	enum top_form form;
	struct recorder_process recorder; /* pid 0: another one writes the stream */

	int32_t own[2];       /* this process, and the last one that wrote a recording */
	struct source *source;
	struct live_run *run;
	struct top_sums *sums;
	struct top_tail tail;
	struct top_display *display; /* NULL: none */
	struct top_ring *ring;       /* of a display; NULL: none */
	struct piped_child browser;
	struct top_selected browsed; /* the row that is to be browsed when the ring is written;
	                                its name is owned, NULL: none is */
	struct growth_wait growth;   /* of the input */
	bool is_stopped;      /* by the user, or as the count is reached */
	nsec_t begin;         /* of the interval; 0: none has begun */
	uint64_t shown;       /* number of intervals */
	struct live_run_counts counts; /* at the begin of the interval */
	nsec_t cpu_time;      /* of ftwait's processes until the begin of the interval */
	struct buffer note;   /* for the next shot */
	struct buffer saved;  /* lines: what came of each recording that was asked for */
};

/* Reads from `fd` until the stream ends, or the count is reached. Returns the exit status; what
   went wrong is printed. Stops the recorder. */
int top_session_run(struct top_session *session, int fd);
