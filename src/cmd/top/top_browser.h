/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ftwait browse` over the screen of `ftwait top`, as a process of its own: top goes on recording
 * meanwhile. It ends with top, and has what signals of the terminal's group there are.
 *
 * Order of calls: top_browser_begin(), with the terminal given back; top_browser_poll() until it
 * returns true, or top_browser_end().
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "live/top_screen.h"

struct top_browser {
	pid_t pid; /* 0: none runs */
	int end_fd; /* readable when it has ended; valid while one runs */
};

/* Shows the recording, of what the row is about; NULL: of all. Returns 0, or -errno. */
int top_browser_begin(struct top_browser *browser, const char *file,
                      const struct top_selected *selected);
/* True once: it has ended. `said` has a line if that was not by its user. */
bool top_browser_poll(struct top_browser *browser, struct buffer *said);
/* If one runs, waits for its end, when the terminal is as it was. `at_once`: ends it. */
void top_browser_end(struct top_browser *browser, bool at_once);
